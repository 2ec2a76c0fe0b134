"""Plain makers for models: `make_section(number="101.1")`. Every argument has a default."""

from datetime import date
from itertools import count
from typing import Any

from rulings.models import (
    Amendment,
    Card,
    CardFace,
    CardInteraction,
    Entry,
    FaqEntry,
    Game,
    Revision,
    RuleSection,
    Ruleset,
    Source,
)
from rulings.text.fold import fold_key

_serial = count(1)


def make_game(slug: str = "dm", name: str = "デュエル・マスターズ") -> Game:
    return Game.objects.get_or_create(slug=slug, defaults={"name": name})[0]


def make_ruleset(slug: str = "dm-cr", **fields: Any) -> Ruleset:
    fields.setdefault("game", fields.get("game") or make_game())
    fields.setdefault("name", "総合ルール")
    return Ruleset.objects.get_or_create(slug=slug, defaults=fields)[0]


def make_source(**fields: Any) -> Source:
    text = fields.setdefault("text", "一行目\n二行目\n三行目")
    fields.setdefault("title", "試験用の文書")
    fields.setdefault("sha256", f"{next(_serial):064x}")
    return Source.objects.create(**(fields | {"text": text}))


def make_amendment(ruleset: Ruleset | None = None, **fields: Any) -> Amendment:
    fields.setdefault("title", "試験用の改定")
    fields.setdefault("effective_on", date(2025, 1, 1))
    return Amendment.objects.create(ruleset=ruleset or make_ruleset(), **fields)


def make_card(name: str = "青き竜", *, faces: list[str] | None = None, **fields: Any) -> Card:
    fields.setdefault("game", make_game())
    card = Card.objects.create(name=name, key=fold_key(name), **fields)
    for position, face in enumerate(faces or [name]):
        CardFace.objects.create(card=card, position=position, name=face, key=fold_key(face))
    return card


_REVISION_FIELDS = ("title", "body", "examples", "verdict", "effective_on", "ended_on", "amendment", "event")


def _make_entry(model: type[Entry], fields: dict[str, Any]) -> Any:
    wording = {name: fields.pop(name) for name in _REVISION_FIELDS if name in fields}
    cards = fields.pop("cards", [])
    fields.setdefault("ruleset", make_ruleset() if "ruleset" not in fields else fields["ruleset"])
    entry = model.objects.create(**fields)
    entry.cards.set(cards)
    wording.setdefault("effective_on", date(2025, 1, 1))
    Revision.objects.create(entry=entry, number=entry.number, **wording)
    return entry


def make_section(number: str = "101.1", **fields: Any) -> RuleSection:
    fields.setdefault("level", "rule")
    fields.setdefault("sort_key", number)
    fields.setdefault("body", "これは試験用の条項です。")
    return _make_entry(RuleSection, {"number": number, **fields})


def make_faq(title: str = "使えますか？", body: str = "はい、使えます。", **fields: Any) -> FaqEntry:
    fields.setdefault("verdict", "yes")
    return _make_entry(FaqEntry, {"title": title, "body": body, **fields})


def make_interaction(cards: list[Card] | None = None, **fields: Any) -> CardInteraction:
    cards = cards or [make_card("青き竜"), make_card("赤き竜")]
    fields.setdefault("cards_key", "-".join(str(card.pk) for card in sorted(cards, key=lambda card: card.pk)))
    return _make_entry(CardInteraction, {"cards": cards, "title": "と".join(f"《{c.name}》" for c in cards), **fields})

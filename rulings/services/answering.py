"""One short answer for a chat. Every sentence of it comes from an entry that it names, or is about that entry.

Reads only; the API and the chat front ends give the same answer.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from rulings.models import Card, CrossReference, Entry, Status, Verdict
from rulings.search import Hit, SearchPage, SearchRequest, search
from rulings.text.citations import CitationKind

LENGTH = 2_000  # UTF-16 units: what a chat message holds
CANDIDATES = 3
GROUNDS = 3
CUT = "…（続きはリンク先）"

# Measured on the judged queries and on paraphrases of them (tests/shared/test_answers.py): of the first results with
# at least this score and this much more than the second (as a share of the first), 52 of 54 were the wanted ones.
SURE_SCORE = 20.0
SURE_MARGIN = 0.5

Confidence = Literal["named", "likely", "unsure", "none"]
Absolute = Callable[[str], str]  # the path of a page → its address


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer. `entries`: all that the text is taken from, the first is the answer."""

    text: str
    confidence: Confidence
    margin: float = 0.0
    entries: list[Entry] = field(default_factory=list)
    candidates: list[Entry] = field(default_factory=list)
    card: Card | None = None

    @property
    def certain(self) -> bool:
        return self.confidence in ("named", "likely")


def answer(
    q: str, absolute: Absolute, *, game: str | None = None, ruleset: str | None = None, as_of: date | None = None
) -> Answer:
    """Answer `q` with the wording of one entry, or say that it is not sure and offer others."""
    found = search(SearchRequest(q, game=game, ruleset=ruleset, as_of=as_of, page_size=10, counted=False))
    return _from_page(found, _Writer(absolute, as_of))


def _from_page(found: SearchPage, writer: "_Writer") -> Answer:
    hits = [hit for hit in found.hits if hit.entry is not None]
    card = next((hit.card for hit in found.hits if hit.card is not None), None)
    entries = [hit.entry for hit in hits if hit.entry is not None]
    if not entries:
        text = writer.only_card(card) if card else "この問いに答える項目は見つかりませんでした。"
        return Answer(_no_such(found) + text, "none", card=card)
    confidence, margin = _confidence(found, hits)
    if confidence != "unsure":
        return Answer(writer.text(entries[0], ""), confidence, margin, writer.used(entries[0]), card=card)
    head = _no_such(found) + "確かな答えではありません。いちばん近い項目です。\n"
    candidates = entries[1 : CANDIDATES + 1]
    text = writer.text(entries[0], head, candidates)
    return Answer(text, confidence, margin, writer.used(entries[0]), candidates, card)


def _no_such(found: SearchPage) -> str:
    return f"{found.reading.number} という番号の条項はありません。\n" if found.reading.kind == "number" else ""


def _confidence(found: SearchPage, hits: list[Hit]) -> tuple[Confidence, float]:
    """How sure the first result is the wanted one, by its name or by its lead over the second."""
    first = hits[0]
    second = hits[1].score if len(hits) > 1 else 0.0
    margin = round(1 - second / first.score, 3) if first.score > 0 else 0.0
    if found.reading.kind == "number":
        return ("named" if _bears(first.entry, found.reading.number) else "unsure"), margin
    if first.score >= SURE_SCORE and margin >= SURE_MARGIN:
        return "likely", margin
    return "unsure", margin


def _bears(entry: Entry | None, number: str) -> bool:
    """Whether the entry stands, or once stood, under `number`."""
    if entry is None:
        return False
    numbers = {entry.number, *(revision.number for revision in entry.known_wordings())}
    return any(one == number or one.startswith(f"{number}~") for one in numbers)


class _Writer:
    """Puts an answer into words."""

    def __init__(self, absolute: Absolute, as_of: date | None) -> None:
        self.absolute = absolute
        self.as_of = as_of

    def holds(self, entry: Entry) -> bool:
        in_force = entry.ruling.is_in_force_on(self.as_of)
        return in_force and (self.as_of is not None or entry.is_live)

    def used(self, entry: Entry) -> list[Entry]:
        successor = self.successor(entry)
        return [entry, successor] if successor else [entry]

    def successor(self, entry: Entry) -> Entry | None:
        if self.holds(entry) or entry.superseded_by_id is None:
            return None
        return Entry.objects.for_display(self.as_of).filter(pk=entry.superseded_by_id).first()

    def text(self, entry: Entry, head: str, candidates: list[Entry] | None = None) -> str:
        """The wording of one entry, cut where a chat message ends, never without what it rests on."""
        tail = self.listed(candidates or [])
        doubt = self.doubt(entry)
        successor = self.successor(entry)
        if successor is not None:
            head += doubt
            tail = f"\n以前の文面：{self.body(entry)}{self.foot(entry)}" + tail
            return self.fitted(head, self.body(successor), self.foot(successor), tail)
        return self.fitted(head + doubt, self.body(entry), self.foot(entry), tail)

    def fitted(self, head: str, body: str, foot: str, tail: str) -> str:
        room = LENGTH - _units(head) - _units(foot)
        shown = _cut(body, room)
        rest = room - _units(shown)
        return head + shown + foot + (tail if _units(tail) <= rest else "")

    def doubt(self, entry: Entry) -> str:
        """What a reader must know before the wording: that it no longer holds, or may not."""
        if not self.holds(entry):
            successor = f"いまは {entry.superseded_by.number} を見てください。" if entry.superseded_by else ""
            return f"この項目は効力がありません。{successor}" + ("\n" if successor else "次は最後の文面です。\n")
        if entry.status == Status.NEEDS_REVIEW:
            return "引用している規則が変わったため、見直しを待っている項目です。\n"
        return ""

    def body(self, entry: Entry) -> str:
        wording = entry.ruling.wording_on(self.as_of)
        verdict = wording.verdict if wording else Verdict.NONE
        ruled = "" if verdict == Verdict.NONE else f"【{Verdict(verdict).label}】"
        parts = [entry.title_on(self.as_of), ruled, wording.body if wording else ""]
        return "\n".join(part for part in parts if part)

    def foot(self, entry: Entry) -> str:
        """Where it stands, since when, the rules it rests on, and its page."""
        wording = entry.ruling.wording_on(self.as_of)
        since = f"（{wording.effective_on:%Y-%m-%d} から）" if wording and wording.effective_on else ""
        place = f"{entry.ruleset.name} {entry.number}".strip()
        grounds = self.grounds(entry)
        return f"\n― {place}{since}{grounds}\n{self.absolute(entry.get_absolute_url())}"

    def grounds(self, entry: Entry) -> str:
        """The rules that the wording cites, with their dates."""
        wording = entry.ruling.wording_on(self.as_of)
        cited = CrossReference.objects.filter(revision=wording, kind=CitationKind.RULE, entry__isnull=False)
        ids = list(dict.fromkeys(cited.order_by("start", "pk").values_list("entry_id", flat=True)))[:GROUNDS]
        rules = Entry.objects.select_related("ruleset", "superseded_by").with_wording(self.as_of).in_bulk(ids)
        named = [self.ground(rules[pk]) for pk in ids if pk is not None and pk in rules and pk != entry.pk]
        return f"\n根拠：{'、'.join(named)}" if named else ""

    def ground(self, rule: Entry) -> str:
        name = f"{rule.ruleset.name} {rule.number}"
        if not self.holds(rule):
            follow = f"。いまは {rule.superseded_by.number}" if rule.superseded_by else ""
            return f"{name}（効力がありません{follow}）"
        wording = rule.wording_on(self.as_of)
        return f"{name}（{wording.effective_on:%Y-%m-%d} から）" if wording and wording.effective_on else name

    def listed(self, candidates: list[Entry]) -> str:
        if not candidates:
            return ""
        lines = []
        for entry in candidates:
            wording = entry.ruling.wording_on(self.as_of)
            title = entry.title_on(self.as_of) or (wording.body if wording else "")
            label = " ".join(f"{entry.number} {title}".split())
            address = self.absolute(entry.get_absolute_url())
            lines.append(f"・{label[:60]}\n　{address}")
        return "\nほかに近い項目：\n" + "\n".join(lines)

    def only_card(self, card: Card) -> str:
        address = self.absolute(card.get_absolute_url())
        return f"《{card.name}》を名指す裁定は登録されていません。\n{address}"


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _cut(text: str, room: int) -> str:
    """Cut `text` to `room` units, behind a whole sentence where one ends in its second half."""
    if _units(text) <= room:
        return text
    kept = text.encode("utf-16-le")[: 2 * max(0, room - _units(CUT))].decode("utf-16-le", "ignore")
    end = max(kept.rfind("。"), kept.rfind("\n"))
    return (kept[: end + 1] if end >= len(kept) // 2 else kept) + CUT

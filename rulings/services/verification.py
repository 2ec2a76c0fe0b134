"""What a text cites, held against what the rulesets say today. Reads only; shared by every front end."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from django.db.models import Q

from rulings.games import profile_of
from rulings.models import LIVE, Card, CardAlias, CardFace, Entry, Revision, Ruleset
from rulings.services.cited import CitedSections
from rulings.services.nearby import near_cards, near_entries
from rulings.text.citations import Citation, CitationKind, find_citations, find_impossible
from rulings.text.fold import squeeze
from rulings.text.quotations import ALIKE, Comparison, Quotation, compare, find_quotations, plain

Result = Literal["exists", "outdated", "wrong_ruleset", "quote_differs", "unknown"]
MOST_CITATIONS = 300  # of one text
TERM = 15  # letters: shorter words that are nothing like the passage are a term, not a quotation
SURELY_OF_RULE = 75.0  # likeness from which words beside a card's name are taken as words of the rule before it


@dataclass(slots=True)
class CheckedQuotation:
    """Quoted words and the wording in force; `former`: they are those of an earlier wording."""

    quotation: Quotation
    comparison: Comparison
    former: bool = False
    found_in: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class Checked:
    """A citation and what became of it. `successor`: what to cite instead, as it is in force."""

    citation: Citation
    result: Result
    message: str = ""
    ruleset: str | None = None
    number: str | None = None
    entry: Entry | None = None
    successor: Entry | None = None
    cards: list[Card] = field(default_factory=list)
    quotations: list[CheckedQuotation] = field(default_factory=list)
    near_entries: list[Entry] = field(default_factory=list)
    near_cards: list[Card] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Verification:
    """What became of the citations of a text; `left_out`: those behind the first `MOST_CITATIONS`."""

    results: list[Checked]
    left_out: int = 0

    @property
    def ok(self) -> bool:
        """Whether everything that is cited exists and says so; what was not looked at is not known to."""
        return not self.left_out and all(one.result == "exists" for one in self.results)


def verify(text: str, ruleset: Ruleset) -> Verification:
    """Check every rule number, heading and card name that `text` cites, in a fixed number of queries.

    `ruleset`: whose numbers are meant where the text names no ruleset.
    """
    every = _citations(text, ruleset)
    citations = every[:MOST_CITATIONS]
    text = text[: every[MOST_CITATIONS].start] if len(every) > MOST_CITATIONS else text
    sections = CitedSections.of(citations, ruleset)
    cards = _cards_under({one.key for one in citations if one.kind == CitationKind.CARD}, ruleset)
    found: list[Checked | None] = []
    for citation in citations:
        if citation.kind == CitationKind.RULE:
            found.append(_rule(citation, ruleset, sections))
        elif citation.kind == CitationKind.HEADING:
            found.append(_heading(citation, ruleset, sections))
        else:
            found.append(_card(citation, cards.get(citation.key, [])))
    _check_quotations(text, citations, found, sections)
    checked = [one for one in found if one is not None]
    _name_origins(checked, ruleset)
    _name_nearby(checked, ruleset)
    return Verification(checked, len(every) - len(citations))


def _citations(text: str, ruleset: Ruleset) -> list[Citation]:
    """What is cited, and what is announced as the number of a rule and can be none."""
    profile = profile_of(ruleset.game.slug)
    found = find_citations(text, profile)
    taken = {place for one in found for place in range(one.start, one.end)}
    impossible = [one for one in find_impossible(text, profile) if one.end - 1 not in taken]
    return sorted([*found, *impossible], key=lambda one: one.start)


# -- what the names of cards name -----------------------------------------------------------------------------------


def _cards_under(keys: set[str], ruleset: Ruleset) -> dict[str, list[Card]]:
    """The cards under each key: by their own name, else by the name of a face, else by another name."""
    cards = Card.objects.filter(game=ruleset.game_id)
    found: dict[str, list[Card]] = defaultdict(list)
    for card in cards.filter(key__in=keys):
        found[card.key].append(card)
    for model in (CardFace, CardAlias):
        left = keys - found.keys()
        rows = model._default_manager.filter(key__in=left, card__game=ruleset.game_id).select_related("card")
        more: dict[str, dict[int, Card]] = defaultdict(dict)
        for row in rows if left else ():
            more[row.key][row.card_id] = row.card
        found.update({key: list(held.values()) for key, held in more.items()})
    return found


# -- one citation --------------------------------------------------------------------------------------------------


def _rule(citation: Citation, ruleset: Ruleset, sections: CitedSections) -> Checked:
    slug, number = citation.ruleset or ruleset.slug, citation.key
    name = sections.names.get(slug, slug)
    checked = Checked(citation, "exists", f"{name} {number} は効力があります。", slug, number)
    checked.entry = entry = sections.at(slug, number)
    if entry is None:
        others = sections.elsewhere(slug, number)
        if others:
            checked.result, checked.entry = "wrong_ruleset", others[0]
            where = "、".join(f"{other.ruleset.name} {number}" for other in others)
            checked.message = f"{name}に {number} はありません。{where} ならあります。"
        else:
            checked.result, checked.message = "unknown", f"{name}に {number} はありません。"
    elif entry.number != number or not entry.is_live:
        checked.result, checked.successor = "outdated", sections.successor(entry)
        checked.message = _outdated(name, number, entry, checked.successor)
    return checked


def _outdated(name: str, number: str, entry: Entry, successor: Entry | None) -> str:
    since = f"{entry.status_on:%Y-%m-%d} から" if entry.status_on and not entry.is_live else "いまは"
    follow = f"{successor.number or '後継の項目'} を見てください。" if successor else "後継の規則はありません。"
    return f"{name} {number} は{since}効力がありません。{follow}"


def _heading(citation: Citation, ruleset: Ruleset, sections: CitedSections) -> Checked | None:
    entry = sections.entries.get(sections.headings.get(citation.key, 0))
    if entry is None:
        if not citation.certain:
            return None
        message = f"{ruleset.name}に{citation.text}という見出しはありません。"
        return Checked(citation, "unknown", message, ruleset.slug)
    checked = Checked(citation, "exists", f"{citation.text}は効力があります。", ruleset.slug, entry.number, entry)
    if not entry.is_live:
        checked.result, checked.successor = "outdated", sections.successor(entry)
        checked.message = _outdated(ruleset.name, citation.text, entry, checked.successor)
    return checked


def _card(citation: Citation, cards: list[Card]) -> Checked | None:
    """A doubtful bracket counts only when the card is known."""
    if cards:
        return Checked(citation, "exists", f"{citation.text}というカードがあります。", cards=cards)
    if not citation.certain:
        return None
    return Checked(citation, "unknown", f"{citation.text}というカードは見つかりません。")


# -- quoted words --------------------------------------------------------------------------------------------------


def _check_quotations(
    text: str, citations: Sequence[Citation], found: Sequence[Checked | None], sections: CitedSections
) -> None:
    for quotation in find_quotations(text, [(one.start, one.end) for one in citations]):
        owner = found[quotation.citation]
        beside_card = owner is None or owner.citation.kind == CitationKind.CARD
        if beside_card:
            before = [one for one in found[: quotation.citation] if one and one.citation.kind == CitationKind.RULE]
            owner = before[-1] if before and "\n" not in text[before[-1].citation.end : quotation.start] else None
        if owner is None or owner.entry is None:
            continue
        checked = _compared(quotation, owner)
        likeness = checked.comparison.likeness
        if beside_card and likeness < SURELY_OF_RULE and not checked.former:
            continue
        if likeness < ALIKE and not checked.former and len(squeeze(quotation.text).text) < TERM:
            continue
        owner.quotations.append(checked)
        _judge(owner, checked, sections)


def _compared(quotation: Quotation, owner: Checked) -> CheckedQuotation:
    """Hold quoted words against the wording in force, and against the earlier ones when they are not its words."""
    assert owner.entry is not None  # noqa: S101 - seen to by the caller
    in_force = owner.successor or owner.entry
    wording = in_force.ruling.wording_on()
    checked = CheckedQuotation(quotation, compare(quotation.text, _texts(wording)))
    if not checked.comparison.same:
        earlier = [*owner.entry.known_wordings(), *in_force.known_wordings()]
        former = [text for revision in earlier if revision is not wording for text in _texts(revision)]
        checked.former = compare(quotation.text, former).same
    return checked


def _texts(wording: Revision | None) -> list[str]:
    if wording is None or not wording.is_text:
        return []
    examples = [example["text"] for example in wording.examples]
    return [wording.body, wording.title, *examples, "\n".join([wording.title, wording.body, *examples])]


def _judge(owner: Checked, checked: CheckedQuotation, sections: CitedSections) -> None:
    """Let what was found about a quotation count for its citation."""
    if checked.comparison.same or owner.result not in ("exists", "quote_differs"):
        return
    for other in sections.elsewhere(owner.ruleset or "", owner.number or ""):
        same = compare(checked.quotation.text, _texts(other.ruling.wording_on()))
        if same.same:
            owner.result, owner.entry, checked.comparison, checked.former = "wrong_ruleset", other, same, False
            owner.message = f"引用された言葉は{other.ruleset.name} {owner.number} のものです。"
            return
    if checked.former:
        owner.result, owner.message = "outdated", "引用された言葉は以前の文面です。いまの文面と違います。"
    else:
        owner.result, owner.message = "quote_differs", "引用された言葉が、いまの文面と違います。"


def _name_nearby(checked: Iterable[Checked], ruleset: Ruleset) -> None:
    """Name for what is unknown what may have been meant; nothing is looked for where nothing is unknown."""
    unknown = [one for one in checked if one.result == "unknown"]
    rules = [one for one in unknown if one.ruleset and one.number]
    entries = near_entries([(one.ruleset or "", one.number or "") for one in rules])
    for one in rules:
        one.near_entries = entries.get((one.ruleset or "", one.number or ""), [])
        if one.near_entries:
            one.message += f"近い番号：{'、'.join(entry.number for entry in one.near_entries)}"
    named = [one for one in unknown if one.citation.kind == CitationKind.CARD]
    cards = near_cards([one.citation.text for one in named], ruleset.game.slug) if named else {}
    for one in named:
        one.near_cards = cards.get(one.citation.text, [])
        if one.near_cards:
            one.message += f"近い名前：{''.join(f'《{card.name}》' for card in one.near_cards)}"


def _name_origins(checked: Iterable[Checked], ruleset: Ruleset) -> None:
    """Name the entries that do hold quoted words which stand elsewhere; one query."""
    lost = [
        quoted
        for one in checked
        for quoted in one.quotations
        if not quoted.comparison.same and not quoted.former and quoted.comparison.likeness < SURELY_OF_RULE
    ][:20]
    if not lost:
        return
    holding = Q()
    for quoted in lost:
        holding |= Q(body__contains=plain(quoted.quotation.text).rstrip("。"))
    rows = Revision.objects.filter(holding, ended_on=None, entry__ruleset__game=ruleset.game_id, entry__status__in=LIVE)
    bodies = dict(rows.values_list("entry_id", "body")[:100])
    entries = Entry.objects.select_related("ruleset").with_wording().in_bulk(list(bodies))
    for quoted in lost:
        words = plain(quoted.quotation.text).rstrip("。")
        quoted.found_in = [entries[pk] for pk, body in bodies.items() if words in body and pk in entries][:3]

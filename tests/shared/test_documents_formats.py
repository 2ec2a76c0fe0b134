"""The real documents of the page and outline forms, and the real lists. Facts only: counts, numbers, dates."""

from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from rulings.games import PROFILES
from rulings.importers.account import check_account
from rulings.importers.lists import parse_cards, parse_faqs
from rulings.importers.outline import parse_outline
from rulings.importers.page import parse_page
from rulings.importers.records import Fate, Level, ParsedDocument
from rulings.text.citations import CitationKind, find_citations
from rulings.text.verdicts import Verdict

DM, YGO = PROFILES["dm"], PROFILES["ygo"]
REWORDED = Path(__file__).resolve().parents[2] / "fixtures" / "documents"
Parse = Callable[[str], ParsedDocument]


@pytest.fixture(params=["published", "reworded"])
def documents(request: pytest.FixtureRequest) -> Path:
    """The documents as published, and our rewordings of them: both must read the same."""
    if request.param == "published":
        folder: Path = request.getfixturevalue("shared_dir")
        return folder / "documents"
    return REWORDED


def _read(folder: Path, name: str, parse: Parse) -> tuple[str, ParsedDocument]:
    text = (folder / name).read_text(encoding="utf-8")
    doc = parse(text)
    assert check_account(text, doc) == []
    assert doc.warnings == []
    assert [account for account in doc.account if account.fate is Fate.UNREAD] == []
    return text, doc


@pytest.mark.parametrize(
    ("name", "parse", "headings", "items", "examples", "faqs", "aside", "published"),
    [
        ("dm-party.txt", parse_page, 12, 32, 15, 24, 4, None),
        ("dm-tag.txt", parse_outline, 12, 50, 2, 0, 2, None),
        ("ygo-zexal.txt", parse_outline, 42, 116, 0, 0, 4, date(2014, 3, 8)),
    ],
)
def test_counts(
    documents: Path,
    name: str,
    parse: Parse,
    headings: int,
    items: int,
    examples: int,
    faqs: int,
    aside: int,
    published: date | None,
) -> None:
    _, doc = _read(documents, name, parse)
    levels = Counter(section.level for section in doc.sections)
    assert (levels[Level.HEADING], levels[Level.ITEM]) == (headings, items)
    assert sum(len(section.examples) for section in doc.sections) == examples
    assert len(doc.faqs) == faqs
    assert sum(account.fate in (Fate.NOT_CONTENT, Fate.SOURCE_NOTE) for account in doc.account) == aside
    assert doc.published == published


def test_answers_of_the_party_page(documents: Path) -> None:
    text, doc = _read(documents, "dm-party.txt", parse_page)
    assert Counter(faq.verdict for faq in doc.faqs) == {Verdict.NONE: 11, Verdict.NO: 9, Verdict.YES: 4}
    assert [faq.published for faq in doc.faqs[:3]] == [date(2022, 9, 20), date(2022, 9, 20), None]
    cited = [
        citation
        for faq in doc.faqs
        for citation in find_citations(faq.answer, DM)
        if citation.kind is CitationKind.RULE
    ]
    assert (len(cited), len({citation.key for citation in cited})) == (15, 13)
    assert [citation.key for citation in cited if citation.ruleset] == ["400.3"]
    cards = {citation.text for citation in find_citations(text, DM) if citation.kind is CitationKind.CARD}
    assert (len(cards), sum("/" in card for card in cards)) == (49, 4)


def test_every_bullet_and_every_row_comes_out(documents: Path) -> None:
    for name in ("dm-tag.txt", "ygo-zexal.txt"):
        text, doc = _read(documents, name, parse_outline)
        wanted = [line.strip().lstrip("•").strip() for line in text.split("\n") if line.strip().startswith("•")]
        bodies = "\n".join(
            "\n".join([section.body, *(example.text for example in section.examples)]) for section in doc.sections
        )
        missing = [line for line in wanted if line.partition("）")[2] not in bodies and line not in bodies]
        assert missing == []
    (table,) = [section for section in doc.sections if "\t" in section.body]
    assert sum("\t" in line for line in table.body.split("\n")) == 32


def test_lists(shared_dir: Path) -> None:
    data = shared_dir / "data"
    faqs, warnings = parse_faqs((data / "dm_official_qa.jsonl").read_text(encoding="utf-8"), {})
    assert (len(faqs), warnings) == (38, [])
    assert sum(bool(faq.official_id) for faq in faqs) == 22
    assert next(faq.rules_cited for faq in faqs if faq.official_id == "42359") == ["117.2"]
    for name, profile, count in (("dm_cards.jsonl", DM, 8752), ("ygo_cards.jsonl", YGO, 14252)):
        cards, warnings = parse_cards((data / name).read_text(encoding="utf-8"), {}, profile)
        assert (len(cards), warnings) == (count, [])
        twins = [card for card in cards if card.layout in profile.joined_layouts]
        assert all(len({face.name for face in card.faces}) == 2 for card in twins)
    assert sum(card.reading != card.name for card in cards) == 9078

"""Two states of the real rule book, and its dated wordings, compared. Facts only: numbers and counts."""

import json
from pathlib import Path

import pytest

from rulings.importers.amendment import parse_amendment
from rulings.importers.numbered import parse_numbered
from rulings.importers.records import ParsedDocument
from rulings.text.books import SectionText, compare_books
from rulings.text.diffs import Op, diff_words, same_reading


def sections_of(document: ParsedDocument) -> list[SectionText]:
    records = sorted(document.sections, key=lambda record: record.sort_key)
    return [
        SectionText(record.number, record.title, record.body, tuple(example.text for example in record.examples))
        for record in records
        if not record.deleted
    ]


@pytest.fixture
def book(shared_dir: Path) -> ParsedDocument:
    return parse_numbered((shared_dir / "documents" / "dm-cr-1.48.txt").read_text(encoding="utf-8"))


@pytest.fixture
def amendment(shared_dir: Path) -> ParsedDocument:
    return parse_amendment((shared_dir / "documents" / "dm-cr-2026-02-13.txt").read_text(encoding="utf-8"))


@pytest.fixture
def wordings(shared_dir: Path) -> list[SectionText]:
    lines = (shared_dir / "data" / "dm_rule_changes.jsonl").read_text(encoding="utf-8").splitlines()
    return [SectionText(row["rule"], body=row["text"]) for row in map(json.loads, lines)]


def test_dated_wordings_find_their_rules(book: ParsedDocument, wordings: list[SectionText]) -> None:
    today = [SectionText(section.key, section.title, section.body) for section in sections_of(book)]
    bodies = {section.key: section.body for section in today}
    assert sum(same_reading(old.body, bodies.get(old.key, "")) for old in wordings) == 11

    diff = compare_books(wordings, today)
    assert not diff.doubtful
    assert not diff.deleted
    assert len(diff.unchanged) == 11
    assert [pair.old.key for pair in diff.edited] == ["112.3c", "200.3b", "315.1", "405.1", "601.1a", "701.23a"]
    assert {pair.old.key: pair.new.key for pair in diff.moved} == {
        "112.3d": "112.3e",
        "310.4": "310.5",
        "310.5": "310.6",
        "813.1": "815.1",
        "814.1": "816.1",
        "815.1": "817.1",
    }


def test_the_amended_book_differs_by_its_amendment(book: ParsedDocument, amendment: ParsedDocument) -> None:
    old = sections_of(book)
    changed = {section.key: section for section in sections_of(amendment)}
    ended = {record.number for record in amendment.sections if record.deleted}
    order = {record.number: record.sort_key for record in [*book.sections, *amendment.sections]}
    new = {section.key: section for section in old if section.key not in ended} | changed
    diff = compare_books(old, sorted(new.values(), key=lambda section: order[section.key]))

    before = {section.key for section in old}
    assert {pair.new.key for pair in diff.edited} <= changed.keys() & before
    assert {"703.4g", "117.1", "204.2", "300.1", "806.1a"} <= {pair.new.key for pair in diff.edited}
    assert {section.key for section in diff.added} | {"703.4m"} == changed.keys() - before
    assert not diff.moved
    assert not diff.renumbered
    # Whether 117.2 went to 703.4m is for the editor to say.
    assert [(doubt.new.key, [one.old.key for one in doubt.candidates]) for doubt in diff.doubtful] == [
        ("703.4m", ["117.2"])
    ]


def test_diffs_of_the_real_wordings_are_lossless(book: ParsedDocument, wordings: list[SectionText]) -> None:
    today = {section.key: section.body for section in sections_of(book)}
    for old in wordings:
        new = today.get(old.key, "")
        pieces = diff_words(old.body, new)
        assert "".join(piece.text for piece in pieces if piece.op is not Op.INSERT) == old.body
        assert "".join(piece.text for piece in pieces if piece.op is not Op.DELETE) == new

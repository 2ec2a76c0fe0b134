"""The comprehensive rules and an announcement that amends them: what was counted in them by hand."""

import random
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from rulings.importers import ParseError, parse, recognise
from rulings.importers.account import check_account
from rulings.importers.decoding import decode
from rulings.importers.records import Fate, Form, Level, ParsedDocument, SectionRecord

BOOK = "dm-cr-1.48.txt"
NOTICE = "dm-cr-2026-02-13.txt"
FORMS = {
    BOOK: Form.NUMBERED,
    NOTICE: Form.AMENDMENT,
    "dm-party.txt": Form.PAGE,
    "dm-tag.txt": Form.OUTLINE,
    "ygo-zexal.txt": Form.OUTLINE,
}


def read(shared_dir: Path, name: str) -> str:
    return (shared_dir / "documents" / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def book(shared_dir: Path) -> ParsedDocument:
    return parse(read(shared_dir, BOOK))


@pytest.fixture(scope="module")
def notice(shared_dir: Path) -> ParsedDocument:
    return parse(read(shared_dir, NOTICE))


def section(doc: ParsedDocument, number: str) -> SectionRecord:
    return next(section for section in doc.sections if section.number == number)


class TestBook:
    def test_what_it_is(self, book: ParsedDocument) -> None:
        assert (book.form, book.version, book.published) == (Form.NUMBERED, "1.48", date(2025, 12, 17))
        assert book.is_complete

    def test_counts(self, book: ParsedDocument) -> None:
        levels = Counter(entry.level for entry in book.sections)
        rules = [entry for entry in book.sections if entry.level in (Level.RULE, Level.SUBRULE)]
        assert (levels[Level.PART], levels[Level.CHAPTER], len(rules)) == (9, 104, 749)
        assert len({entry.number.partition("~")[0] for entry in rules}) == 748

    def test_examples(self, book: ParsedDocument) -> None:
        """103 begin with the bare label; eight more are numbered as second or third of their section."""
        labels = Counter(example.label for entry in book.sections for example in entry.examples)
        assert labels == {"例": 103, "例２": 6, "例2": 1, "例３": 1}
        assert all(example.text for entry in book.sections for example in entry.examples)

    def test_every_line_is_accounted_for(self, shared_dir: Path, book: ParsedDocument) -> None:
        assert check_account(read(shared_dir, BOOK), book) == []
        assert not [entry for entry in book.account if entry.fate is Fate.UNREAD]
        assert {entry.reason for entry in book.account if entry.fate is Fate.NOT_CONTENT} == {"目次"}

    def test_nothing_but_spaces_is_lost(self, shared_dir: Path, book: ParsedDocument) -> None:
        lines = read(shared_dir, BOOK).split("\n")
        for entry in book.sections:
            printed = "".join(lines[n - 1] for span in entry.lines for n in range(span.first, span.last + 1))
            examples = "".join(f"{example.label}：{example.text}" for example in entry.examples)
            kept = entry.printed + entry.title + entry.body + examples
            assert "".join(kept.split()) == "".join(printed.split()), entry.number

    def test_warnings(self, book: ParsedDocument) -> None:
        assert [warning.code for warning in book.warnings] == [
            "duplicate_number",
            "misplaced_number",
            "heading_differs",
        ]

    @pytest.mark.parametrize(
        ("number", "printed", "parent", "previous"),
        [
            ("311.2~2", "311.2.", "312", "312.1"),
            ("505.2a", "505.2a", "506.2", "505.2"),
            ("701.23b", "701.23 b", "701.23", "701.23a"),
            ("200.3c", "200.3C", "200.3", "200.3b"),
            ("0", "0.", "", ""),
            ("100", "100.", "1", "1"),
            ("603.2f", "603.2f", "603.2", "603.2e"),
        ],
    )
    def test_places(self, book: ParsedDocument, number: str, printed: str, parent: str, previous: str) -> None:
        at = next(index for index, entry in enumerate(book.sections) if entry.number == number)
        assert (book.sections[at].printed, book.sections[at].parent) == (printed, parent)
        assert (book.sections[at - 1].number if at else "") == previous

    def test_titles_of_rules(self, book: ParsedDocument) -> None:
        titled = [entry.number for entry in book.sections if entry.title and entry.level in (Level.RULE, Level.SUBRULE)]
        assert titled == [*(f"101.{n}" for n in range(1, 6)), *(f"110.3{letter}" for letter in "abcd")]

    def test_a_list_of_names_stays_a_list(self, book: ParsedDocument) -> None:
        assert [line[0] + line[-1] for line in section(book, "100.5").body.split("\n")[2:]] == ["《》"] * 4

    def test_paragraphs(self, book: ParsedDocument) -> None:
        several = {entry.number: entry.body.count("\n") for entry in book.sections if "\n" in entry.body}
        assert several == {"100.5": 5, "112.2a": 1, "701.7a": 1}

    def test_spaces_remain_in_names_only(self, book: ParsedDocument) -> None:
        for entry in book.sections:
            for text in (entry.title, entry.body, *(example.text for example in entry.examples)):
                outside = "".join(piece.rpartition("》")[2] for piece in text.split("《"))
                assert " " not in outside, entry.number


class TestNotice:
    def test_counts(self, notice: ParsedDocument) -> None:
        deleted = [(entry.number, entry.successor, bool(entry.body)) for entry in notice.sections if entry.deleted]
        assert deleted == [("117.2", "703.4m", True)]
        assert len(notice.sections) == 29
        assert (notice.published, notice.is_complete, notice.warnings) == (date(2026, 2, 13), False, [])

    def test_groups(self, notice: ParsedDocument) -> None:
        assert [group.is_editorial for group in notice.groups] == [False, True, False, False]
        assert Counter(entry.group for entry in notice.sections) == {0: 22, 1: 3, 2: 3, 3: 1}

    def test_examples_stay_with_their_rules(self, notice: ParsedDocument) -> None:
        assert {entry.number: len(entry.examples) for entry in notice.sections if entry.examples} == {
            "317.4": 1,
            "317.5": 1,
        }

    def test_lines_with_two_rules(self, shared_dir: Path, notice: ParsedDocument) -> None:
        shared = [entry.keys for entry in notice.account if len(entry.keys) > 1]
        assert shared == [("317.1", "317.2"), ("317.4", "317.5")]
        assert check_account(read(shared_dir, NOTICE), notice) == []


@pytest.mark.parametrize("name", FORMS)
class TestEveryDocument:
    def test_form(self, shared_dir: Path, name: str) -> None:
        text = read(shared_dir, name)
        assert recognise(text) is FORMS[name]
        assert recognise(text.translate({ord(str(n)): chr(0xFF10 + n) for n in range(10)})) is FORMS[name]

    def test_form_of_what_is_left_of_it(self, shared_dir: Path, name: str) -> None:
        lines = read(shared_dir, name).split("\n")
        assert recognise("\n".join(line for line in lines if line.strip())) is FORMS[name]
        for share in (0.3, 0.5, 0.8):
            assert recognise("\n".join(lines[: int(len(lines) * share)])) is FORMS[name]
        chance = random.Random(7)
        for _ in range(5):
            assert recognise("\n".join(line for line in lines if chance.random() > 0.1)) is FORMS[name]

    @pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "cp932", "euc_jp", "iso2022_jp"])
    def test_encodings(self, shared_dir: Path, name: str, codec: str) -> None:
        data = read(shared_dir, name).encode(codec, "replace")
        assert decode(data).text == data.decode(codec).removeprefix("\ufeff")

    def test_pieces_of_it_never_break_a_parser(self, shared_dir: Path, name: str) -> None:
        text = read(shared_dir, name)
        chance = random.Random(11)
        for form in [None, *Form] * 4:
            at = chance.randrange(len(text))
            piece = text[at : at + chance.choice([200, 2000, 8000])]
            try:
                doc = parse(piece, form)
            except ParseError:
                continue
            assert check_account(piece, doc) == []

"""What a parser hands over: records, warnings, and what became of every line. Pure data.

Line numbers are 1-based and count the lines of the decoded document (`text.split("\n")`).
"""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from rulings.text.verdicts import Verdict


class Form(StrEnum):
    """The forms of document that can be read."""

    NUMBERED = "numbered"
    AMENDMENT = "amendment"
    PAGE = "page"
    OUTLINE = "outline"


class Level(StrEnum):
    """What a section is in its document."""

    PART = "part"
    CHAPTER = "chapter"
    RULE = "rule"
    SUBRULE = "subrule"
    HEADING = "heading"
    ITEM = "item"


class Fate(StrEnum):
    """What became of a line."""

    ENTRY = "entry"  # it is text of the entry named by `key`
    HEADING = "heading"  # it is the heading of the section named by `key`
    SOURCE_NOTE = "source_note"  # about the document: title, version, date, a note on its use
    NOT_CONTENT = "not_content"  # navigation, table of contents, call to action: `reason` says which
    UNREAD = "unread"  # not understood: always reported


@dataclass(frozen=True, slots=True)
class Example:
    """An example of a section; `label` as printed (例, 例２)."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Lines:
    """An inclusive span of source lines."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ParseWarning:
    """Something an editor should look at; `code` is stable, `message` is Japanese, `line` 0 when none."""

    code: str
    message: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class WordRecord:
    """A word of players, and the rules' words for it, the best first."""

    text: str
    words: tuple[str, ...]
    line: int = 0


@dataclass(slots=True)
class SectionRecord:
    """A section. `number` is canonical (`301.5a`) or a slug, unique in the document."""

    number: str
    printed: str  # the number or heading as printed
    level: Level
    sort_key: str  # text order of sort keys is the document's order
    title: str = ""
    body: str = ""
    examples: list[Example] = field(default_factory=list)
    parent: str = ""  # number of the parent section; "" at the top
    lines: list[Lines] = field(default_factory=list)
    deleted: bool = False  # an amendment says that this section ends
    successor: str = ""  # number of the section that takes a deleted one's place
    group: int | None = None  # index into ParsedDocument.groups (amendments)


@dataclass(slots=True)
class FaqRecord:
    """A question and its answer. `section` is the number of the section it stands under."""

    question: str
    answer: str
    sort_key: str
    verdict: Verdict = Verdict.NONE
    published: date | None = None
    official_id: str = ""
    url: str = ""
    section: str = ""
    rules_cited: list[str] = field(default_factory=list)  # citations that a list gives beside the text
    lines: list[Lines] = field(default_factory=list)


@dataclass(slots=True)
class GroupRecord:
    """A group of changes as the announcement groups them."""

    title: str
    is_editorial: bool = False
    lines: list[Lines] = field(default_factory=list)


@dataclass(slots=True)
class CardRecord:
    """A card of a card list; one face for an ordinary card, several for a twin card."""

    name: str
    faces: list["FaceRecord"]
    reading: str = ""
    official_id: str = ""
    layout: str = ""
    aliases: list[str] = field(default_factory=list)


@dataclass(slots=True)
class FaceRecord:
    """One side of a card; `facts` under the keys of the game's profile."""

    name: str
    facts: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LineAccount:
    """What became of one non-blank line. A line that holds two rules has one account with both keys."""

    line: int
    fate: Fate
    keys: tuple[str, ...] = ()  # section numbers, or `faq:<n>` with n counted from 1
    reason: str = ""  # Japanese, for SOURCE_NOTE, NOT_CONTENT and UNREAD


@dataclass(slots=True)
class ParsedDocument:
    """The whole of what a parser read."""

    form: Form
    title: str = ""
    version: str = ""
    published: date | None = None
    is_complete: bool = True  # what a complete document leaves out has ended; an amendment is not complete
    sections: list[SectionRecord] = field(default_factory=list)
    faqs: list[FaqRecord] = field(default_factory=list)
    groups: list[GroupRecord] = field(default_factory=list)
    warnings: list[ParseWarning] = field(default_factory=list)
    account: list[LineAccount] = field(default_factory=list)

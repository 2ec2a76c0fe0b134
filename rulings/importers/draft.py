"""A document while it is being read: sections and questions with their text, and the account of every line."""

from dataclasses import dataclass, field

from rulings.importers.records import (
    Example,
    FaqRecord,
    Fate,
    Form,
    Level,
    LineAccount,
    Lines,
    ParsedDocument,
    ParseWarning,
    SectionRecord,
)
from rulings.text.slugs import slugify


@dataclass(slots=True)
class Node:
    """A section in the making."""

    record: SectionRecord
    path: tuple[int, ...]
    address: str  # of the nearest heading, with which the addresses of items begin
    children: int = 0
    body: list[str] = field(default_factory=list)
    examples: list[tuple[str, list[str]]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)  # of the source lines

    @property
    def key(self) -> str:
        return self.record.number


class Draft:
    """Collects what a parser reads; `finish` hands it over."""

    def __init__(self, form: Form) -> None:
        self.document = ParsedDocument(form=form)
        self._nodes: list[Node] = []
        self._faqs: list[tuple[FaqRecord, tuple[int, ...]]] = []
        self._used: dict[str, int] = {}
        self._top = 0

    def open(self, level: Level, printed: str, line: int, parent: Node | None = None, title: str = "") -> Node:
        """Open a section. An item's address begins with its heading's, a heading's is its own words."""
        slug = slugify(title or printed)
        if level is Level.ITEM and parent is not None and parent.address:
            slug = f"{parent.address}-{slug}"
        record = SectionRecord(
            number=self._unique(slug),
            printed=printed,
            level=level,
            sort_key="",
            title=title,
            parent=parent.key if parent else "",
        )
        address = record.number if level is Level.HEADING else parent.address if parent else ""
        node = Node(record, self.place(parent), address)
        self._nodes.append(node)
        if level is Level.HEADING:
            self.account(line, Fate.HEADING, node)
        return node

    def place(self, parent: Node | None) -> tuple[int, ...]:
        """The next position under `parent`."""
        if parent is None:
            self._top += 1
            return (self._top,)
        parent.children += 1
        return (*parent.path, parent.children)

    def _unique(self, slug: str) -> str:
        count = self._used.get(slug, 0) + 1
        candidate = slug if count == 1 else f"{slug}-{count}"
        while candidate in self._used:
            count += 1
            candidate = f"{slug}-{count}"
        self._used[slug] = count
        self._used.setdefault(candidate, 1)
        return candidate

    def account(self, line: int, fate: Fate, node: Node) -> None:
        node.numbers.append(line)
        self.document.account.append(LineAccount(line, fate, (node.key,)))

    def text(self, node: Node, line: int, text: str, paragraph: bool = False) -> None:
        """Add a line to a section's body, as a new paragraph if so."""
        if paragraph and node.body:
            node.body.append("")
        node.body.append(text)
        self.account(line, Fate.ENTRY, node)

    def example(self, node: Node, line: int, label: str, text: str) -> None:
        node.examples.append((label, [text]))
        self.account(line, Fate.ENTRY, node)

    def example_text(self, node: Node, line: int, text: str, paragraph: bool = False) -> None:
        """Add a line to the last example of a section."""
        lines = node.examples[-1][1]
        lines.extend(["", text] if paragraph else [text])
        self.account(line, Fate.ENTRY, node)

    def faq(self, record: FaqRecord, parent: Node | None, numbers: list[int]) -> None:
        record.section = parent.key if parent else ""
        record.lines = spans(numbers)
        self._faqs.append((record, self.place(parent)))
        key = f"faq:{len(self._faqs)}"
        self.document.account.extend(LineAccount(line, Fate.ENTRY, (key,)) for line in numbers)

    @property
    def faq_count(self) -> int:
        return len(self._faqs)

    def again(self, at: int, numbers: list[int]) -> None:
        """Give more lines to the question that was added as number `at` (from 1)."""
        record = self._faqs[at - 1][0]
        known = [line for span in record.lines for line in range(span.first, span.last + 1)]
        record.lines = spans(known + numbers)
        self.document.account.extend(LineAccount(line, Fate.ENTRY, (f"faq:{at}",)) for line in numbers)

    def aside(self, line: int, fate: Fate, reason: str) -> None:
        """Account for a line that is no content."""
        self.document.account.append(LineAccount(line, fate, reason=reason))

    def warn(self, code: str, message: str, line: int) -> None:
        self.document.warnings.append(ParseWarning(code, message, line))

    def finish(self) -> ParsedDocument:
        paths = [node.path for node in self._nodes] + [path for _, path in self._faqs]
        width = max([4, *(len(str(max(path))) for path in paths)])
        for node in self._nodes:
            node.record.sort_key = _label(node.path, width)
            node.record.body = "\n".join(node.body).strip("\n")
            node.record.examples = [Example(label, "\n".join(text).strip("\n")) for label, text in node.examples]
            node.record.lines = spans(node.numbers)
        for record, path in self._faqs:
            record.sort_key = _label(path, width)
        document = self.document
        document.sections = sorted((node.record for node in self._nodes), key=lambda record: record.sort_key)
        document.faqs = [record for record, _ in self._faqs]
        document.account.sort(key=lambda account: account.line)
        return document


def _label(path: tuple[int, ...], width: int) -> str:
    return "".join(f"{position:0{width}d}." for position in path)


def spans(numbers: list[int]) -> list[Lines]:
    """Join line numbers into spans."""
    joined: list[Lines] = []
    for number in sorted(numbers):
        if joined and number <= joined[-1].last + 1:
            joined[-1] = Lines(joined[-1].first, number)
        else:
            joined.append(Lines(number, number))
    return joined

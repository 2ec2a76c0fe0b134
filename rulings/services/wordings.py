"""What a revision says, and from when until when."""

from dataclasses import dataclass, field
from datetime import date

from django.utils import timezone

from rulings.models import Revision, Verdict


@dataclass(frozen=True, slots=True)
class Wording:
    """What a revision says; two revisions with equal wordings say the same."""

    title: str = ""
    body: str = ""
    examples: list[dict[str, str]] = field(default_factory=list)
    verdict: str = Verdict.NONE.value
    number: str = ""

    @classmethod
    def of(cls, revision: Revision) -> "Wording":
        return cls(revision.title, revision.body, revision.examples, str(revision.verdict), revision.number)


def says(revision: Revision, wording: Wording) -> bool:
    """Whether a revision is a text and this one."""
    return revision.is_text and Wording.of(revision) == wording


def without_blanks(wording: Wording) -> tuple[str, ...]:
    texts = [wording.title, wording.body]
    for example in wording.examples:
        texts += [example["label"], example["text"]]
    return tuple("\n".join(line.rstrip() for line in text.split("\n") if line.strip()) for text in texts)


def begin_of(revision: Revision) -> date:
    return revision.effective_on or date.min


def end_of(revision: Revision) -> date:
    return revision.ended_on or date.max


def due_on(on: date | None) -> date | None:
    """`on` when it is still to come: until then what begins on it changes nothing but what is announced."""
    return on if on is not None and on > timezone.localdate() else None

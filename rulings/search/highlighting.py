"""Marks what was found in the wordings that are shown."""

from rulings.models import Revision, Verdict
from rulings.search.engine import Concept
from rulings.search.results import Highlight, Place
from rulings.text.fold import squeeze
from rulings.text.highlight import excerpt

_MAX_EXAMPLES = 2


def needles_of(concepts: tuple[Concept, ...], text: str) -> list[str]:
    """Return the squeezed stretches to mark: the query as typed, each concept in each way, their words.

    Words near one that was typed are not what was asked for: they are not marked.
    """
    found = [squeeze(text).text]
    for concept in concepts:
        for alternative in (one for one in concept.alternatives if not one.is_near):
            found.append(alternative.text)
            found += [word for word in alternative.words if len(word) > 1]
    return [needle for needle in dict.fromkeys(found) if needle]


def highlights_of(wording: Revision | None, needles: list[str]) -> list[Highlight]:
    """Return an excerpt for each field of the wording in which something is marked, and always one of the body.

    An answer with a verdict is shown from its beginning: はい or いいえ is said of the sentence that follows it.
    """
    if wording is None:
        return []
    examples = [example.get("text", "") for example in wording.examples]
    fields: list[tuple[Place, str]] = [("title", wording.title), ("body", wording.body)]
    answers = wording.verdict != Verdict.NONE
    cuts = [(name, excerpt(raw, needles, opening=answers and name == "body")) for name, raw in fields if raw]
    found = [Highlight(name, cut.snippet, cut.spans) for name, cut in cuts]
    marked = [cut for raw in examples if raw and (cut := excerpt(raw, needles)).spans]
    found += [Highlight("example", cut.snippet, cut.spans) for cut in marked[:_MAX_EXAMPLES]]
    return [one for one in found if one.spans or one.field == "body"]

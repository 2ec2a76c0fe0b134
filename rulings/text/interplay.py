"""Whether the cards that a text names act on each other in it, or are merely listed.

Cards take *roles*. Names that follow each other as alternatives (《A》や《B》, 《A》、《B》, 《A》《B》) share one
role: whichever of them it is, it does the same. Any other words between two names part their roles
(《A》で攻撃する時に《B》を, 《A》と《B》). Names given only to illustrate a class (《A》や《B》のような…,
《A》など, 類似例：《A》) take no role.
Cards act on each other when a text that says something (a sentence, not a list) gives two cards different roles.
Sentences that open alike with the situation (上記の状況で…, 上記の状況で…) are cases beside each other: the cards
of one do not meet those of the other.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mention:
    """A card named at `start:end` of the text, brackets included. `card` identifies it; None when unknown."""

    start: int
    end: int
    card: int | None


# Between two names, these alone make them alternatives that share a role.
_ALTERNATIVE = re.compile(r"[\s　、，,・/／]*(?:や|か|または|又は|もしくは|あるいは)?[\s　、，,・/／]*")
# After the last of such names: they illustrate a class.
_SUCH_AS = re.compile(r"[\s　]*(?:の(?:ような|ように|様な)|などの?|等の?|といった|をはじめ(?:とする)?|のたぐい|の類)")
# Before the first of them: examples of a class, or cards that are merely alike.
_FOR_EXAMPLE = re.compile(r"(?:類似例?|同様の例|対象カード|カード例|該当カード)[\s　]*[:：]?[\s　]*$")
_ONE_SENTENCE = re.compile(r"[^。\n]+[。\n]?")
_SITUATION = re.compile(r"[\s　]*(?:上記|前記|この|その|同じ)の?(?:状況|状態|場合|条件)[でにはのも]*")
# A text that says something: a full sentence, or one that ends with a predicate.
_SENTENCE = re.compile(r"[。．？！?!]|[るたすいうくむぬつぶんかだ][\s　]*$")


def acting_cards(text: str, mentions: Sequence[Mention]) -> tuple[int, ...]:
    """Return the cards that act on each other in `text`, sorted; none when fewer than two roles are played."""
    runs = [run for run in _runs(text, mentions) if _role(text, run)]
    if len(runs) < 2:
        return ()
    blank = _without(text, mentions)
    if not _SENTENCE.search(blank):
        return ()
    acting: set[int] = set()
    for spans in _cases(blank):
        roles = [_role(text, run) for run in runs if any(start <= run[0].start < end for start, end in spans)]
        # The same card named again and again plays one role, however often it is named.
        if any(first - second and second - first for first in roles for second in roles):
            acting.update(*roles)
    return tuple(sorted(acting))


def _cases(text: str) -> list[list[tuple[int, int]]]:
    """The cases that a text treats, as spans: what comes before them belongs to each."""
    sentences = [match.span() for match in _ONE_SENTENCE.finditer(text)]
    openings = [_opening(text[start:end]) for start, end in sentences]
    first = next((at for at, words in enumerate(openings) if openings.count(words) > 1 and words), None)
    if first is None:
        return [sentences]
    starts = [at for at, words in enumerate(openings) if words == openings[first]]
    return [sentences[:first] + sentences[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]


def _opening(sentence: str) -> str:
    """The words by which a sentence points to the situation; empty when it does not."""
    match = _SITUATION.match(sentence)
    return match[0] if match else ""


def _runs(text: str, mentions: Sequence[Mention]) -> list[list[Mention]]:
    """Group mentions that share a role."""
    runs: list[list[Mention]] = []
    for mention in sorted(mentions, key=lambda mention: mention.start):
        if runs and _ALTERNATIVE.fullmatch(text, runs[-1][-1].end, mention.start):
            runs[-1].append(mention)
        else:
            runs.append([mention])
    return runs


def _role(text: str, run: Sequence[Mention]) -> set[int]:
    """The known cards of a run; none when it only illustrates a class."""
    if _SUCH_AS.match(text, run[-1].end) or _FOR_EXAMPLE.search(text, 0, run[0].start):
        return set()
    return {mention.card for mention in run if mention.card is not None}


def _without(text: str, mentions: Sequence[Mention]) -> str:
    """`text` with the names blanked out: their own marks (。, ！) make no sentence."""
    for mention in mentions:
        text = text[: mention.start] + "■" * (mention.end - mention.start) + text[mention.end :]
    return text

"""Whether the cards that a text names act on each other in it, or are merely listed.

Cards take *roles*. Names that follow each other as alternatives (《A》や《B》, 《A》、《B》, 《A》《B》) share one
role: whichever of them it is, it does the same. Any other words between two names part their roles
(《A》で攻撃する時に《B》を, 《A》と《B》). Names given only to illustrate a class (《A》や《B》のような…,
《A》など, 類似例：《A》) take no role.
Cards act on each other when a text that says something (a sentence, not a list) gives two cards different roles.
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
# A text that says something: a full sentence, or one that ends with a predicate.
_SENTENCE = re.compile(r"[。．？！?!]|[るたすいうくむぬつぶんかだ][\s　]*$")


def acting_cards(text: str, mentions: Sequence[Mention]) -> tuple[int, ...]:
    """Return the cards that act on each other in `text`, sorted; none when fewer than two roles are played."""
    roles = [role for run in _runs(text, mentions) if (role := _role(text, run))]
    if len(roles) < 2 or not _SENTENCE.search(_without(text, mentions)):
        return ()
    cards = set().union(*roles)
    # The same card named again and again plays one role, however often it is named.
    apart = any(first - second and second - first for first in roles for second in roles)
    return tuple(sorted(cards)) if apart else ()


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

"""Names of cards and numbers of rules as people write them: how often the search finds them, by kind.

Printed by `make evaluate`; alone: `python -m tests.evaluate_names --data DATADIR [--count N] [--only KIND …]`.
"""

import argparse
import os
import random
import statistics
import sys
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rulings.text.numbers import parse_number
from tests.name_queries import MAKERS, NUMBERS, Named, nonsense, queries

# What must stand first each time, and the least share of the others that must be among the first five.
ALWAYS_FIRST = ("exact", "in 《》", "bare", "half width", *NUMBERS)
AMONG_FIVE = {"hiragana": 0.98, "katakana": 0.98, "a face": 0.98, "in a sentence": 0.94}
OTHERS = 0.7

if TYPE_CHECKING:
    from rulings.search.results import Hit, SearchPage


@dataclass(slots=True)
class Kind:
    """What the queries of one kind gave."""

    name: str
    ranks: list[int] = field(default_factory=list)  # 0: not among the first ten
    fits: list[bool] = field(default_factory=list)  # what stands first might be meant as well
    milliseconds: list[float] = field(default_factory=list)  # of processor time

    def add(self, rank: int, fits: bool, spent: float) -> None:
        self.ranks.append(rank)
        self.fits.append(fits)
        self.milliseconds.append(spent)

    @property
    def first(self) -> float:
        return sum(rank == 1 for rank in self.ranks) / (len(self.ranks) or 1)

    @property
    def five(self) -> float:
        return sum(0 < rank <= 5 for rank in self.ranks) / (len(self.ranks) or 1)

    @property
    def is_low(self) -> bool:
        """Whether fewer were found than must be."""
        if self.name in ALWAYS_FIRST:
            return self.first < 1.0
        return self.five < AMONG_FIVE.get(self.name, OTHERS)

    def row(self) -> str:
        fits = sum(self.fits) / (len(self.fits) or 1)
        times = statistics.quantiles(self.milliseconds, n=20) if len(self.milliseconds) > 1 else [0.0] * 19
        shares = f"{self.first:.3f}  {self.five:.3f}  {fits:.3f}"
        return f"{_padded(self.name, 20)} {len(self.ranks):6}  {shares}  {times[9]:6.1f}  {times[18]:6.1f}"


def _padded(text: str, width: int) -> str:
    return text + " " * (width - sum(2 if ord(char) > 0x2E7F else 1 for char in text))


def cards() -> list[Named]:
    from rulings.models import Card, CardFace

    faces: dict[int, list[str]] = {}
    for card, name in CardFace.objects.values_list("card", "name"):
        faces.setdefault(card, []).append(name)
    rows = Card.objects.order_by("game__slug", "name").values_list("pk", "name", "game__slug", "reading")
    return [Named(pk, name, game, reading, tuple(faces.get(pk, ()))) for pk, name, game, reading in rows]


def timed(text: str) -> tuple["SearchPage", float]:
    """Return the first ten results, and the processor time in ms."""
    from rulings.search import search
    from rulings.search.results import SearchRequest

    started = time.process_time()
    page = search(SearchRequest(q=text, page_size=10))
    return page, 1000 * (time.process_time() - started)


def shown_cards(hit: "Hit") -> list[int]:
    """Return the card that a result is, or the cards that it names."""
    if hit.card:
        return [hit.card.pk]
    return [card.pk for card in hit.entry.cards.all()] if hit.entry else []


class Cards:
    """All cards, and which of them a text may mean as well as the one it was made from."""

    def __init__(self, known: list[Named]) -> None:
        from rulings.text.fold import fold_key

        self.known = known
        self.by_id = {card.card: card for card in known}
        self.fold = fold_key
        self.keys = {card.card: {fold_key(name) for name in (card.name, *card.faces) if name} for card in known}
        self.namesakes: dict[str, set[int]] = {}
        for card, keys in self.keys.items():
            for key in keys:
                self.namesakes.setdefault(key, set()).add(card)

    def same(self, text: str, card: Named) -> set[int]:
        """Return the card, and those whose names are one with its name or with the text."""
        keys = {*self.keys[card.card], self.fold(text)} if len(card.faces) < 2 else {self.fold(text)}
        return {card.card}.union(*(self.namesakes.get(key, ()) for key in keys))

    def fits(self, text: str, kind: str, other: int) -> bool:
        """Whether a text of a kind may be made of another card too."""
        make, is_shared = MAKERS[kind]
        key, card = self.fold(text), self.by_id[other]
        if not is_shared:
            return False
        return any(key in name for name in self.keys[other]) or self.fold(make(card, random.Random(0))) == key  # noqa: S311


def of_names(kind: str, cards: Cards, count: int, *, verbose: bool = False) -> Kind:
    """Ask the queries of one kind."""
    found = Kind(kind)
    for text, card in queries(kind, cards.known, count):
        page, spent = timed(text)
        shown = [shown_cards(hit) for hit in page.hits]
        same = cards.same(text, card)
        rank = next((at for at, some in enumerate(shown, 1) if same.intersection(some)), 0)
        fits = rank == 1 or (bool(shown) and any(cards.fits(text, kind, one) for one in shown[0]))
        found.add(rank, fits, spent)
        if verbose and not fits:
            names = [cards.by_id[one].name for some in shown[:3] for one in some]
            print(f"  {kind}: {rank or '-'}  {text} ({card.name})  → {names[:4]}")
    return found


def of_numbers(writing: str, count: int, *, verbose: bool = False) -> Kind:
    """Ask for the rules that hold, by their numbers in one writing."""
    from rulings.models import Entry
    from rulings.models import Kind as EntryKind

    found = Kind(writing)
    numbered = Entry.objects.filter(kind=EntryKind.SECTION).with_status(None).select_related("ruleset")
    rows = [entry for entry in numbered.order_by("ruleset__slug", "number", "pk") if parse_number(entry.number)]
    for entry in random.Random(writing).sample(rows, min(count, len(rows))):  # noqa: S311
        text = NUMBERS[writing](entry.number, entry.ruleset.name)
        page, spent = timed(text)
        rank = next((at for at, hit in enumerate(page.hits, 1) if hit.entry and hit.entry.number == entry.number), 0)
        found.add(rank, rank == 1, spent)
        if verbose and rank != 1:
            print(f"  {writing}: {rank or '-'}  {text}")
    return found


def of_nonsense(count: int, *, verbose: bool = False) -> Kind:
    """Ask for what means nothing: right is no result."""
    found = Kind("nonsense: nothing")
    for kind, text in nonsense(count):
        page, spent = timed(text)
        found.add(int(not page.hits), not page.hits, spent)
        if verbose and page.hits:
            shown = [
                str(hit.card or (hit.entry and hit.entry.wording and hit.entry.wording.title)) for hit in page.hits
            ]
            print(f"  nonsense {kind}: {text}  → {page.count} {shown[:3]}")
    return found


HEADINGS = "kind                      n  R@1    R@5    fits   p50 ms  p95 ms"


def table(count: int, *, only: Collection[str] = (), verbose: bool = False) -> list[Kind]:
    """Ask `count` queries of each kind in the database that is set up, printing as it goes."""
    timed("はじめて")
    known: Cards = Cards(cards())
    found: list[Kind] = []
    print(HEADINGS)
    for kind in [*MAKERS, *NUMBERS, "nonsense"]:
        if only and kind not in only:
            continue
        if kind in MAKERS:
            found.append(of_names(kind, known, count, verbose=verbose))
        elif kind in NUMBERS:
            found.append(of_numbers(kind, count, verbose=verbose))
        else:
            found.append(of_nonsense(200, verbose=verbose))
        print(found[-1].row(), flush=True)
    return found


def main() -> int:
    """Print the table for a data folder that is loaded."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="a data folder that is loaded")
    parser.add_argument("--count", type=int, default=300, help="queries of each kind")
    parser.add_argument("--only", nargs="*", default=[], help="kinds")
    parser.add_argument("--verbose", action="store_true", help="show what was missed")
    arguments = parser.parse_args()
    os.environ["RULINGS_DATA_DIR"] = arguments.data
    os.environ["RULINGS_DEBUG"] = "1"
    os.environ.pop("DATABASE_URL", None)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rulings.settings")
    import django

    django.setup()
    table(arguments.count, only=arguments.only, verbose=arguments.verbose)
    return 0


if __name__ == "__main__":
    sys.exit(main())

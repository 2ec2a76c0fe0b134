"""What somebody may have meant who cited a number or a card that does not exist."""

from collections.abc import Sequence

from rulings.models import Card, Entry, Kind
from rulings.search import names
from rulings.search.matching import match
from rulings.text.fold import fold_key
from rulings.text.near_numbers import near_numbers

NEAR = 3  # of each
MOST = 20  # that are looked for in one text
SLIPS = ("typo", "part", "nickname")  # how a name may be meant without being written


def near_entries(wanted: Sequence[tuple[str, str]]) -> dict[tuple[str, str], list[Entry]]:
    """The living sections near each (ruleset, number); two queries."""
    wanted = list(dict.fromkeys(wanted))[:MOST]
    if not wanted:
        return {}
    living = Entry.objects.live().filter(kind=Kind.SECTION, ruleset__slug__in={slug for slug, _number in wanted})
    ids: dict[str, dict[str, int]] = {}
    for slug, number, pk in living.values_list("ruleset__slug", "number", "pk"):
        ids.setdefault(slug, {})[number] = pk
    near = {one: near_numbers(one[1], list(ids.get(one[0], ())), NEAR) for one in wanted}
    found = {ids[slug][number] for (slug, _number), numbers in near.items() for number in numbers}
    entries = Entry.objects.select_related("ruleset").with_wording().in_bulk(found)
    return {one: [entries[ids[one[0]][number]] for number in numbers] for one, numbers in near.items()}


def near_cards(wanted: Sequence[str], game: str) -> dict[str, list[Card]]:
    """The cards whose names are near each of the names as written; one query."""
    table = names.table()
    near = {}
    for name in list(dict.fromkeys(wanted))[:MOST]:
        found = match(fold_key(name), table, game)
        near[name] = list(dict.fromkeys(one.card for one in found if one.how in SLIPS))[:NEAR]
    cards = Card.objects.in_bulk({pk for found in near.values() for pk in found})
    return {name: [cards[pk] for pk in found if pk in cards] for name, found in near.items()}

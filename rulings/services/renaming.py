"""Save what many entries and cards show beside their own texts: games, rulesets, amendments.

Whoever keeps a copy of an entry must fetch it again when the name of its ruleset changed: each is told in the log.
"""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Model, QuerySet

from rulings.models import Amendment, Card, Entry, Game, Ruleset
from rulings.services.changes import ChangeLog

GAME_SHOWN = ("slug", "name")
RULESET_SHOWN = ("slug", "name", "authority", "game_id", "base_id")
AMENDMENT_SHOWN = ("title", "announced_on", "effective_on", "is_complete")


@transaction.atomic
def save_game(game: Game) -> None:
    """Save an edited game; its entries and cards are told as changed when they show what changed."""
    changed = _differs(game, GAME_SHOWN)
    game.save()
    if changed:
        _tell(Entry.objects.filter(ruleset__game=game), Card.objects.filter(game=game))


@transaction.atomic
def save_ruleset(ruleset: Ruleset) -> None:
    """Save an edited ruleset; its entries are told as changed when they show what changed."""
    changed = _differs(ruleset, RULESET_SHOWN)
    ruleset.save()
    if changed:
        _tell(Entry.objects.filter(ruleset=ruleset))


@transaction.atomic
def save_amendment(amendment: Amendment) -> None:
    """Save an edited amendment; the entries whose histories name it are told as changed."""
    changed = _differs(amendment, AMENDMENT_SHOWN)
    amendment.save()
    if changed:
        _tell(Entry.objects.filter(revisions__amendment=amendment).distinct())


def _differs(thing: Model, fields: Sequence[str]) -> bool:
    """Whether a saved thing is about to show something else."""
    known = type(thing)._default_manager.filter(pk=thing.pk).values(*fields).first()
    return known is not None and known != {name: getattr(thing, name) for name in fields}


def _tell(entries: QuerySet[Entry], cards: QuerySet[Card] | None = None) -> None:
    changes = ChangeLog()
    changes.updated_ids(entries.order_by("pk").values_list("pk", flat=True))
    if cards is not None:
        changes.updated(*cards.only("pk").order_by("pk"))
    changes.record()

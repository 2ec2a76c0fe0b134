"""The filters of entries that page, API and search share."""

from collections.abc import Iterable
from datetime import date
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Self

from django.apps import apps
from django.db import models
from django.db.models import Exists, F, OuterRef, Prefetch, Q, Subquery, Value
from django.utils import timezone

from rulings.models.cards import Card
from rulings.models.games import Ruleset
from rulings.models.kinds import LIVE, Kind, Status
from rulings.models.prepared import Prepared, put_prefetched
from rulings.models.references import CrossReference
from rulings.models.revisions import Event, Revision
from rulings.text.numbers import parse_number

if TYPE_CHECKING:
    from rulings.models.entries import Entry


class EntryQuerySet(models.QuerySet["Entry"]):
    """The filters that page, API and search share."""

    def live(self) -> Self:
        """Entries that still hold (current or waiting for a review)."""
        return self.filter(status__in=LIVE)

    def in_force(self, on: date) -> Self:
        """Entries with a wording in force on `on`; an interaction without its own holds while its ruling does."""
        own = Revision.objects.filter(entry=OuterRef("pk"))
        ruling = Revision.objects.in_force(on).filter(entry=OuterRef("ruled_by"))
        return self.filter(Exists(own.in_force(on)) | (~Exists(own) & Exists(ruling)))

    def announced(self, as_of: date | None = None) -> Self:
        """Entries with a wording to come after a day (today): new ones, and what holds and will read otherwise."""
        coming = Revision.objects.coming(as_of or timezone.localdate())
        return self.filter(Exists(coming.filter(entry=OuterRef("pk"))))

    def with_status(self, status: str | None = None, as_of: date | None = None) -> Self:
        """None: what holds (on `as_of`, else now); 'all': everything; else the entries under that status."""
        if status is None:
            return self.live() if as_of is None else self.in_force(as_of)
        if status == "all":
            return self
        return self.filter(status=status) if as_of is None else self._with_status_on(status, as_of)

    def _with_status_on(self, status: str, on: date) -> Self:
        """The entries whose `Entry.status_as_of(on)` is `status`."""
        doubtful = Q(status=Status.NEEDS_REVIEW) & (Q(status_on__isnull=True) | Q(status_on__lte=on))
        if status == Status.CURRENT:
            return self.in_force(on).exclude(doubtful)
        if status == Status.NEEDS_REVIEW:
            return self.in_force(on).filter(doubtful)
        own = Revision.objects.filter(entry=OuterRef("pk")).started_by(on)
        taken_back = Q(status=Status.WITHDRAWN, status_on__lte=on)
        if status == Status.ANNOUNCED:
            return self.exclude(Exists(own)).exclude(taken_back)
        ended = self.filter(Exists(own) | taken_back).exclude(Exists(own.in_force(on)))
        replaced = Q(status=Status.SUPERSEDED) | ~Q(status=Status.WITHDRAWN) & Exists(
            own.filter(Q(ended_on__isnull=True) | Q(ended_on__gt=on), successor__isnull=False)
        )
        return ended.filter(replaced) if status == Status.SUPERSEDED else ended.exclude(replaced)

    def of_ruleset(self, slug: str) -> Self:
        return self.filter(ruleset__slug=slug)

    def of_game(self, slug: str) -> Self:
        return self.filter(ruleset__game__slug=slug)

    def naming_cards(self, card_ids: list[int]) -> Self:
        """Entries that name every one of the cards."""
        found = self
        for card_id in card_ids:
            found = found.filter(cards=card_id)
        return found

    def naming_any_card(self, card_ids: list[int]) -> Self:
        """Entries that name at least one of the cards."""
        named = self.model.cards.through.objects.filter(entry=OuterRef("pk"), card__in=card_ids)
        return self.filter(Exists(named))

    def ruled(self, verdict: str, as_of: date | None = None) -> Self:
        """Entries whose wording in force answers so."""
        in_force = Revision.objects.in_force(as_of or timezone.localdate())
        return self.filter(Exists(in_force.filter(entry=OuterRef("pk"), verdict=verdict)))

    def begun_in(self, year: int, as_of: date | None = None) -> Self:
        """Entries whose wording of `as_of` took effect in `year`."""
        in_force = Revision.objects.in_force(as_of or timezone.localdate())
        return self.filter(Exists(in_force.filter(entry=OuterRef("pk"), effective_on__year=year)))

    def at_number(self, number: str) -> Self:
        """Sections under `number` (in any writing), the one that holds before ended ones, the newest first."""
        parsed = parse_number(number)
        ended = models.Case(models.When(status__in=LIVE, then=0), default=1)
        return self.filter(kind=Kind.SECTION, number=str(parsed) if parsed else number).order_by(ended, "-pk")

    def at_number_on(self, number: str, on: date) -> Self:
        """Sections that stood under `number` (in any writing) on `on`, whatever their number is now."""
        parsed = parse_number(number)
        standing = Revision.objects.in_force(on).filter(number=str(parsed) if parsed else number)
        return self.filter(kind=Kind.SECTION, revisions__in=standing).order_by("-pk")

    def once_at_number(self, number: str, as_of: date | None = None) -> Self:
        """Sections that bore `number` (in any writing) on some day up to `as_of`, whatever their number is now."""
        parsed = parse_number(number)
        borne = Revision.objects.started_by(as_of or timezone.localdate()).exclude(event=Event.DELETED)
        borne = borne.filter(entry=OuterRef("pk"), number=str(parsed) if parsed else number)
        last = borne.order_by(F("effective_on").desc(nulls_last=True), "-pk").values("effective_on")[:1]
        return self.filter(Exists(borne), kind=Kind.SECTION).order_by(Subquery(last).desc(nulls_last=True), "-pk")

    def below(self, section: "Entry", depth: int) -> Self:
        """Sections up to `depth` levels under `section`."""
        levels = [Q(**{"__".join(["parent"] * level): section}) for level in range(1, depth + 1)]
        return self.filter(reduce(or_, levels, Q(pk__in=[])), kind=Kind.SECTION, ruleset=section.ruleset_id)

    def citing(self, entry: "Entry", as_of: date | None = None) -> Self:
        """Entries whose wording in force cites `entry`."""
        in_force = Revision.objects.in_force(as_of or timezone.localdate())
        return self.filter(revisions__in=in_force.filter(references__entry=entry)).distinct()

    def relied_on(self, card_id: int, as_of: date | None = None) -> Self:
        """Sections that the rulings of a card rest on: cited by entries that hold and name the card."""
        held = CrossReference.objects.in_force(as_of or timezone.localdate())
        citing = held.filter(revision__entry__cards=card_id, revision__entry__status__in=LIVE, entry__isnull=False)
        return self.live().filter(kind=Kind.SECTION, pk__in=citing.values("entry"))

    def headed(self, titles: list[str], as_of: date | None = None) -> Self:
        """Sections under one of these headings."""
        in_force = Revision.objects.in_force(as_of or timezone.localdate())
        return self.live().filter(Exists(in_force.filter(entry=OuterRef("pk"), title__in=titles)), kind=Kind.SECTION)

    def headings(self, as_of: date | None = None) -> list[str]:
        """The headings of sections that hold, each once."""
        in_force = Revision.objects.in_force(as_of or timezone.localdate())
        holding = in_force.filter(entry__in=self.live().filter(kind=Kind.SECTION)).exclude(title="")
        return sorted(set(holding.values_list("title", flat=True)))

    def asked_elsewhere(self, question: "Entry", as_of: date | None = None) -> Self:
        """The same question, answered in a ruleset of the game that may rule otherwise than the question's own."""
        in_force = Revision.objects.in_force(as_of or timezone.localdate())
        same = in_force.filter(entry=OuterRef("pk"), title=question.title_on(as_of)).exclude(title="")
        game = self.filter(kind=Kind.FAQ, ruleset__game=question.ruleset.game_id).exclude(ruleset=question.ruleset_id)
        others = game.exclude(ruleset__authority="official") if question.ruleset.authority == "official" else game
        return others.with_status(None, as_of).filter(Exists(same))

    def with_wording(self, as_of: date | None = None) -> Self:
        """Prefetch what `Entry.wording` shows on `as_of` (today when None)."""
        on = as_of or timezone.localdate()
        known = Revision.objects.started_by(on).select_related("amendment").order_by("pk")
        loaded = self.prefetch_related(models.Prefetch("revisions", queryset=known, to_attr=f"known_{on:%Y%m%d}"))
        return loaded if as_of is None else loaded.annotate(as_of=Value(as_of, output_field=models.DateField()))

    def with_references(self, as_of: date | None = None) -> Self:
        """Prefetch what the wordings cite; on top of `with_wording` or `for_display` of the same day."""
        on = as_of or timezone.localdate()
        cited = CrossReference.objects.select_related("entry__ruleset", "card", "ruleset")
        return self.prefetch_related(Prefetch(f"known_{on:%Y%m%d}__references", queryset=cited))

    def for_display(self, as_of: date | None = None) -> Self:
        """Everything that a row of a list shows, in a fixed number of queries."""
        entries = EntryQuerySet(self.model._meta.concrete_model, using=self.db)
        rulings = entries.select_related("ruleset__game").with_wording(as_of)
        return (
            self.select_related("ruleset__game", "source", "superseded_by__ruleset", "parent")
            .defer("source__text", "source__account")
            .prefetch_related("cards", Prefetch("ruled_by", queryset=rulings))
            .with_wording(as_of)
        )

    @staticmethod
    def loaded(ids: Iterable[int], as_of: date | None = None) -> "dict[int, Entry]":
        """What `for_display` loads but source and parent, by id; in a third of the time: rows that are one are one.

        Django makes a ruleset and a manager of wordings for each entry; a page has few rulesets and needs no manager.
        And it builds the SQL each time (see `Prepared`).
        """
        found: list[Entry] = _entries(ids)
        rulings = {entry.ruled_by_id for entry in found if entry.ruled_by_id}
        ruling: dict[int | None, Entry] = {entry.pk: entry for entry in _entries(rulings)}
        whole: list[Entry] = [*found, *ruling.values()]
        known = {ruleset.pk: ruleset for ruleset in _rulesets({entry.ruleset_id for entry in whole})}
        for entry in whole:
            entry.as_of, entry.ruleset = as_of, known[entry.ruleset_id]
            if entry.ruled_by_id in ruling:
                entry.ruled_by = ruling[entry.ruled_by_id]
        _add_wordings(whole, as_of or timezone.localdate())
        _add_cards(found)
        if any(entry.superseded_by_id for entry in found):
            models.prefetch_related_objects(found, "superseded_by__ruleset")
        return {entry.pk: entry for entry in found}

    def in_book_order(self) -> Self:
        return self.order_by("ruleset__position", "sort_key", "pk")


def _all_entries() -> EntryQuerySet:
    return EntryQuerySet(apps.get_model("rulings", "Entry"))


def _card_links() -> models.QuerySet[Any, Any]:
    model: Any = apps.get_model("rulings", "Entry")
    return model.cards.through.objects.all()


_entries = Prepared(lambda ids: _all_entries().filter(pk__in=ids).order_by())
_rulesets = Prepared(lambda ids: Ruleset.objects.select_related("game").filter(pk__in=ids).order_by())
_wordings = Prepared(lambda ids, on: Revision.objects.started_by(on).filter(entry__in=ids).order_by("pk"))
_naming = Prepared(lambda ids: _card_links().filter(entry__in=ids).values_list("entry_id", "card_id"))
_cards = Prepared(lambda ids: Card.objects.filter(pk__in=ids))


def _add_wordings(entries: "list[Entry]", on: date) -> None:
    """Load for each entry what `with_wording` does, without what amended it."""
    wordings: dict[int, list[Revision]] = {entry.pk: [] for entry in entries}
    for wording in _wordings(wordings, on):
        wordings[wording.entry_id].append(wording)
    for entry in entries:
        setattr(entry, f"known_{on:%Y%m%d}", wordings[entry.pk])
        for wording in wordings[entry.pk]:
            wording.entry = entry


def _add_cards(entries: "list[Entry]") -> None:
    """Load the cards of each entry, in their order, to where Django's own prefetching puts them."""
    named: dict[int, list[Card]] = {entry.pk: [] for entry in entries}
    naming: dict[int, list[int]] = {}
    for entry_id, card_id in _naming(named):
        naming.setdefault(card_id, []).append(entry_id)
    for card in _cards(naming):
        for entry_id in naming[card.pk]:
            named[entry_id].append(card)
    for entry in entries:
        put_prefetched(entry, "cards", Card.objects.none(), named[entry.pk])

"""What is answered from the database, before the engine: rule numbers."""

from datetime import date

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.utils import timezone

from rulings.models import Authority, CrossReference, Entry, Kind, Revision
from rulings.models.entry_queries import EntryQuerySet
from rulings.search import ranking
from rulings.search.results import SearchRequest
from rulings.text.citations import CitationKind

MAX_CITING = 100
MAX_CHILDREN = 200


def by_number(number: str, ruleset: str, request: SearchRequest) -> list[tuple[float, int]]:
    """Return (score, entry) of the sections under a number, of what cites it and of what stands under them.

    A section that no longer holds is shown too when no other holds its number: who asks for a rule by its number
    must learn that it has gone.
    """
    own = _sections(number, ruleset, request)
    ranked = [(ranking.NUMBER_ITSELF - at, pk) for at, pk in enumerate(own)]
    ranked += [(ranking.NUMBER_CITED - at / 10, pk) for at, pk in enumerate(_citing(number, ruleset, own, request))]
    ranked += [(ranking.NUMBER_CHILD - at / 10, pk) for at, pk in enumerate(_children(own, request))]
    seen: set[int] = set()
    return [(score, pk) for score, pk in ranked if not (pk in seen or seen.add(pk))]  # type: ignore[func-returns-value]


def _filtered(entries: EntryQuerySet, request: SearchRequest, *, live: bool) -> EntryQuerySet:
    if request.kind:
        entries = entries.filter(kind=request.kind)
    if request.game:
        entries = entries.filter(ruleset__game__slug=request.game)
    if request.ruleset:
        entries = entries.filter(ruleset__slug=request.ruleset)
    if request.card:
        entries = entries.filter(cards=request.card)
    if request.authority:
        entries = entries.filter(ruleset__authority=request.authority)
    if request.year:
        entries = entries.begun_in(request.year, request.as_of)
    if request.ahead:
        entries = entries.announced(request.as_of)
    elif live or request.status is not None:
        entries = entries.with_status(request.status, request.as_of)
    return entries


def _by_weight(entries: EntryQuerySet) -> EntryQuerySet:
    weight = Case(
        *(When(ruleset__authority=value, then=Value(at)) for at, value in enumerate(Authority.values)),
        output_field=IntegerField(),
    )
    return entries.order_by(weight, "ruleset__position", "sort_key", "pk")


def _sections(number: str, ruleset: str, request: SearchRequest) -> list[int]:
    sections = Entry.objects.filter(kind=Kind.SECTION)
    if ruleset:
        sections = sections.filter(ruleset__slug=ruleset)
    same = Q(number=number) | Q(number__startswith=f"{number}~")
    if request.ahead or request.as_of is not None:
        on = request.as_of or timezone.localdate()
        then = Revision.objects.coming(on) if request.ahead else Revision.objects.in_force(on)
        same = Q(revisions__in=then.filter(Q(number=number) | Q(number__startswith=f"{number}~")))
    holding = list(_by_weight(_filtered(sections.filter(same), request, live=True)).values_list("pk", flat=True))
    if holding or request.ahead:
        return list(dict.fromkeys(holding))
    once = sections.filter(same | Q(revisions__number=number)).distinct()
    return list(_by_weight(_filtered(once, request, live=False)).values_list("pk", flat=True))


def _citing(number: str, ruleset: str, own: list[int], request: SearchRequest) -> list[int]:
    cited = CrossReference.objects.filter(kind=CitationKind.RULE, key=number)
    if ruleset:
        cited = cited.filter(Q(ruleset__slug=ruleset) | Q(ruleset__isnull=True, revision__entry__ruleset__slug=ruleset))
    entries = Entry.objects.filter(pk__in=cited.values("revision__entry")).exclude(pk__in=own)
    entries = entries.exclude(kind=Kind.INTERACTION, ruled_by__isnull=False)
    first_faqs = Case(When(kind=Kind.FAQ, then=0), default=1, output_field=IntegerField())
    found = _filtered(entries, request, live=True).order_by(first_faqs, "ruleset__position", "sort_key", "pk")
    return list(found.values_list("pk", flat=True)[:MAX_CITING])


def _children(own: list[int], request: SearchRequest) -> list[int]:
    children = Entry.objects.filter(kind=Kind.SECTION, parent__in=own)
    found = _filtered(children, request, live=True).order_by("ruleset__position", "sort_key", "pk")
    return list(found.values_list("pk", flat=True)[:MAX_CHILDREN])


# -- filters alone -------------------------------------------------------------------------------------------------

Days = tuple[date | None, date | None]


def _within(revisions: QuerySet[Revision], days: Days) -> QuerySet[Revision]:
    first, last = days
    if first:
        revisions = revisions.filter(effective_on__gte=first)
    return revisions.filter(effective_on__lte=last) if last else revisions.filter(effective_on__isnull=False)


def begun_within(revisions: list[int], days: Days) -> set[int]:
    """Return those of some revisions whose wording took effect within `days`."""
    found: set[int] = set()
    for start in range(0, len(revisions), 500):
        some = Revision.objects.filter(pk__in=revisions[start : start + 500])
        found |= set(_within(some, days).values_list("pk", flat=True))
    return found


def by_filters(request: SearchRequest, days: Days | None, today: date) -> list[int]:
    """Return the entries that the filters let through, in the order of the books."""
    entries = _filtered(Entry.objects.all(), request, live=True)
    if not request.kind:
        entries = entries.exclude(kind=Kind.INTERACTION, ruled_by__isnull=False)
    if days:
        begun = _within(Revision.objects.in_force(today), days)
        entries = entries.filter(pk__in=begun.values("entry"))
    return list(_by_weight(entries).values_list("pk", flat=True))

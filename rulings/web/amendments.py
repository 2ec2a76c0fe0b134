"""Amendments: what changed, when, and why."""

from dataclasses import dataclass, field

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from rulings.models import Amendment, AmendmentGroup, Entry, Revision
from rulings.web.page import MissingError, page, paginated

AMENDMENTS_PAGE = 30
REVISIONS_PAGE = 100


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of an amendment: the wording before and after."""

    entry: Entry
    revision: Revision
    before: Revision | None


@dataclass(slots=True)
class EditGroup:
    """The changes that the announcement groups together."""

    group: AmendmentGroup | None
    edits: list[Edit] = field(default_factory=list)


@page
def amendment_list(request: HttpRequest) -> HttpResponse:
    """All amendments, the newest first."""
    found = Amendment.objects.select_related("ruleset__game")
    return render(request, "amendments.html", {"page_obj": paginated(request, found, AMENDMENTS_PAGE)})


@page
def amendment(request: HttpRequest, pk: int) -> HttpResponse:
    """What an amendment changed, in the groups of its announcement."""
    found = Amendment.objects.select_related("ruleset__game", "source").filter(pk=pk).first()
    if found is None:
        raise MissingError(_("その番号の改定はありません。"))
    revisions = found.revisions.select_related("group").order_by("group__position", "entry__sort_key", "pk")
    shown = paginated(request, revisions, REVISIONS_PAGE)
    context = {
        "amendment": found,
        "ruleset": found.ruleset,
        "page_obj": shown,
        "groups": grouped(list(shown)),
        "today": timezone.localdate(),
    }
    return render(request, "amendment.html", context)


def grouped(revisions: list[Revision]) -> list[EditGroup]:
    """Put revisions under their groups, each with the wording that it replaced."""
    wanted = {revision.entry_id for revision in revisions}
    entries = Entry.objects.filter(pk__in=wanted).select_related("ruleset", "superseded_by__ruleset")
    by_pk = {entry.pk: entry for entry in entries.prefetch_related("revisions")}
    groups: list[EditGroup] = []
    for revision in revisions:
        if not groups or groups[-1].group != revision.group:
            groups.append(EditGroup(revision.group))
        entry = by_pk[revision.entry_id]
        earlier = [
            other
            for other in sorted(entry.revisions.all(), key=Revision.chronology)
            if other.is_text and other.chronology() < revision.chronology()
        ]
        groups[-1].edits.append(Edit(entry, revision, earlier[-1] if earlier else None))
    return groups

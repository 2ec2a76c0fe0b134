"""The database that benches of whole requests work on is one that the site itself could have written."""

import pytest
from django.core.management import call_command

from rulings.models import Change, ChangeCounter, CrossReference, Entry, Kind
from rulings.search import SearchRequest, indexing, search
from tests.bench import corpus, database


@pytest.mark.django_db
def test_a_made_up_database_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    few = [f"試験用カード{number}号" for number in range(40)]
    monkeypatch.setattr(corpus, "names", lambda _rng: few)
    database.fill(300)
    call_command("check_content")
    kinds = {kind: Entry.objects.filter(kind=kind).count() for kind in (Kind.SECTION, Kind.FAQ)}
    assert kinds == {Kind.SECTION: 6, Kind.FAQ: 294}
    assert CrossReference.objects.filter(card__isnull=False).exists()
    assert Change.objects.count() == ChangeCounter.objects.state().last == 300 + len(few)
    assert not indexing.is_behind()
    question = Entry.objects.filter(kind=Kind.FAQ).first()
    found = search(SearchRequest(q=question.wording.title))
    assert question.pk in [hit.entry.pk for hit in found.hits if hit.entry]
    database.fill(300)  # again: nothing to do
    assert Change.objects.count() == 300 + len(few)

"""The typed client against a live server."""

from typing import Any

import pytest
from django.db import transaction

from rulings.client import Rulings, RulingsError
from rulings.models import Change, Entry
from tests.makers import make_section

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def rulings(live_server: Any, settings: Any, tmp_path: Any) -> Rulings:
    settings.INDEX_DIR = tmp_path / "index"
    for number in range(5):
        make_section(f"1.{number}", body=f"竜は{number}体まで出せます。")
    return Rulings(live_server.url)


def test_reads(rulings: Rulings) -> None:
    assert "竜は3体まで出せます。" in rulings.answer("1.3")["text"]
    assert [row["number"] for row in rulings.search("1.3")] == ["1.3"]
    entries = list(rulings.entries(page_size=2))
    assert [entry["number"] for entry in entries] == [f"1.{number}" for number in range(5)]
    assert rulings.entry(entries[0]["id"])["body"] == "竜は0体まで出せます。"
    assert [row["id"] for row in rulings.batch([entries[1]["id"]])["entries"]] == [entries[1]["id"]]
    assert rulings.changes(0)["latest"] == rulings.change_number


def test_which_of_these_changed(rulings: Rulings) -> None:
    first, second = Entry.objects.order_by("pk")[:2]
    with transaction.atomic():
        Change.objects.record([Change(kind="updated", entry=first)])
    seen = rulings.changes(0)
    with transaction.atomic():
        Change.objects.record([Change(kind="updated", entry=second)])
    found = rulings.changed([first.pk, second.pk, 999_999], seen["latest"], mark=seen["mark"])
    assert [row["id"] for row in found["entries"]] == [second.pk]
    assert (found["unchanged"]["entries"], found["missing"]["entries"]) == ([first.pk], [999_999])
    with pytest.raises(RulingsError) as caught:
        rulings.changed([first.pk], seen["latest"], mark="another")
    assert caught.value.code == "resync_required"


def test_checks_itself(rulings: Rulings) -> None:
    answer = rulings.verify("1.1「竜は1体まで出せます」と 9.9 と 101.9", "dm-cr")
    assert answer["ok"] is False


def test_what_has_not_changed_is_not_sent_again(rulings: Rulings) -> None:
    first = rulings.answer("1.3")
    assert rulings.answer("1.3") is first


def test_problems(rulings: Rulings) -> None:
    with pytest.raises(RulingsError) as caught:
        rulings.entry(999)
    assert (caught.value.status, caught.value.code) == (404, "not_found")
    with pytest.raises(RulingsError) as caught:
        rulings.changes(99)
    assert caught.value.code == "resync_required"

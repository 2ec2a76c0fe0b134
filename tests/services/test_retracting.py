"""What was announced and taken back holds on no day, and stays readable with the day and the reason."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rulings.models import Entry, Revision, Ruleset, Status
from rulings.services import due
from rulings.services.checks import check_content
from rulings.services.due import settle
from rulings.services.editing import edit_entry, retract_announcement, withdraw_entry
from rulings.services.wordings import Wording
from tests.makers import make_ruleset
from tests.services.documents import amendment, at, document, load, section

pytestmark = pytest.mark.django_db
TODAY, AHEAD = date(2026, 3, 1), date(2026, 4, 1)
NOW, THEN = "手札に戻ります。", "墓地に置かれます。"


@pytest.fixture
def travel(monkeypatch: pytest.MonkeyPatch) -> Callable[[date], None]:
    def go(day: date) -> None:
        monkeypatch.setattr(timezone, "localdate", lambda *args, **kwargs: day)
        monkeypatch.setattr(due, "_tried", None)

    go(TODAY)
    return go


@pytest.fixture
def rules(travel: Callable[[date], None]) -> Ruleset:
    ruleset = make_ruleset("dm-cr")
    load(ruleset, document(section("117", title="超次元"), section("117.1", NOW)), date(2025, 12, 1))
    load(ruleset, amendment(section("117.1", THEN), section("117.4", "新しい決まり。"), title="四月の改定"), AHEAD)
    return ruleset


def announced(rules: Ruleset, number: str) -> Revision:
    return Revision.objects.get(entry__number=number, due_on__isnull=False)


def never_held(revision: Revision) -> bool:
    entry = revision.entry
    days = [AHEAD + timedelta(days=days) for days in (-40, -1, 0, 1, 400)]
    return not any(revision in Revision.objects.in_force(day).filter(entry=entry) for day in days)


def test_what_held_goes_on_and_the_announcement_stays(
    rules: Ruleset, travel: Callable[[date], None], client: Client
) -> None:
    coming = announced(rules, "117.1")
    retract_announcement(coming, reason="発売が延びたため。")
    coming.refresh_from_db()
    assert (coming.body, coming.retracted_on, coming.retraction) == (THEN, TODAY, "発売が延びたため。")
    assert never_held(coming)
    assert at(rules, "117.1").announced_wordings() == []
    travel(AHEAD)
    assert settle() == 1  # 117.4
    wording = Entry.objects.get(number="117.1").wording
    assert wording is not None
    assert (wording.body, wording.ended_on) == (NOW, None)
    page = client.get("/dm-cr/117.1/history/").content.decode()
    assert "取りやめられた予告" in page
    assert "発売が延びたため。" in page
    rows = client.get("/api/v1/rulesets/dm-cr/sections/117.1/history/").json()["results"]
    assert [row["retracted_on"] for row in rows] == [str(TODAY), None]
    assert not any(finding.is_broken for finding in check_content())


def test_a_new_rule_that_is_taken_back_ends_at_once(rules: Ruleset, client: Client) -> None:
    entry = at(rules, "117.4")
    withdraw_entry(entry, on=AHEAD, reason="なかったことになりました。")
    entry.refresh_from_db()
    assert (entry.status, entry.status_on) == (Status.WITHDRAWN, TODAY)
    assert never_held(Revision.objects.get(entry=entry))
    for on in (None, str(AHEAD)):
        page = client.get("/dm-cr/117.4/", {"as_of": on} if on else {}).content.decode()
        assert "新しい決まり。" in page
        assert "なかったことになりました。" in page
    answer = client.get("/api/v1/entries/", {"status": "withdrawn", "as_of": str(AHEAD)}).json()
    assert [row["number"] for row in answer["results"]] == ["117.4"]
    assert client.get("/api/v1/entries/", {"status": "announced", "as_of": str(AHEAD)}).json()["count"] == 0


def test_an_announcement_that_another_replaces(rules: Ruleset) -> None:
    first = announced(rules, "117.1")
    load(rules, amendment(section("117.1", "山札に加えます。"), title="四月の改定（訂正）"), AHEAD)
    first.refresh_from_db()
    assert (first.retracted_on, first.retraction) == (TODAY, "「四月の改定（訂正）」により替わりました。")
    assert announced(rules, "117.1").body == "山札に加えます。"


def test_an_announced_end_that_is_taken_back(rules: Ruleset) -> None:
    entry = at(rules, "117")
    withdraw_entry(entry, on=AHEAD, reason="章をなくします。")
    retract_announcement(announced(rules, "117"), reason="残すことになりました。")
    assert entry.is_in_force_on(AHEAD)
    assert Revision.objects.get(entry=entry, event="deleted").retraction == "残すことになりました。"


def test_what_has_begun_is_not_taken_back(rules: Ruleset) -> None:
    begun = Revision.objects.get(entry__number="117.1", body=NOW)
    with pytest.raises(ValueError, match="announced"):
        retract_announcement(begun, reason="誤り")


def test_a_taken_back_rule_can_come_after_all(rules: Ruleset) -> None:
    entry = at(rules, "117.4")
    retract_announcement(announced(rules, "117.4"), reason="延期")
    edit_entry(entry, Wording(body="新しい決まり。", number="117.4"), on=TODAY)
    entry.refresh_from_db()
    assert entry.status == Status.CURRENT


def test_the_admin_asks_for_a_reason_and_a_right(rules: Ruleset, admin_client: Client) -> None:
    address = reverse("admin:rulings_revision_changelist")
    data = {"action": "retract_all", "_selected_action": [announced(rules, "117.1").pk], "note": ""}
    assert "理由を書いてください" in admin_client.post(address, data, follow=True).content.decode()
    reader = User.objects.create_user("読者", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_revision"))
    other = Client()
    other.force_login(reader)
    assert "権限がありません" in other.post(address, data | {"note": "延期"}, follow=True).content.decode()
    assert not Revision.objects.filter(retracted_on__isnull=False).exists()
    admin_client.post(address, data | {"note": "延期"})
    assert Revision.objects.get(retracted_on__isnull=False).retraction == "延期"

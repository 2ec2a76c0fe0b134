"""Splits and merges: found in full texts of any order, told by an editor, shown wherever the rules are."""

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from rulings.models import Amendment, Change, Entry, Lineage, LineageKind, Ruleset, Status
from rulings.services.checks import check_content
from rulings.services.lineages import LineageError, tell_lineage
from tests.makers import make_ruleset, make_section
from tests.services.documents import DAY, LATER, at, document, load, section

pytestmark = pytest.mark.django_db
FIGHT = "クリーチャー同士がバルトをする時、パワーの小さい方を破壊します。"
EQUAL = "パワーが等しい場合は、バトルをしたクリーチャーを両方とも破壊します。"
ZERO = "パワーが0以下になったクリーチャーは、状況起因処理によって墓地に置かれます。"
OTHER = "山札の一番上のカードを自分のマナゾーンに置く効果は、強制的に解決されます。"
WHOLE = document(section("501.1", FIGHT + EQUAL), section("502.1", OTHER))
SPLIT = (section("501.1", FIGHT), section("501.2", EQUAL), section("502.1", OTHER))


@pytest.fixture
def rules() -> Ruleset:
    return make_ruleset("dm-cr")


def told() -> list[tuple[str, str, str, date]]:
    rows = Lineage.objects.select_related("before", "after").order_by("before__number", "after__number")
    return [(one.kind, one.before.number, one.after.number, one.effective_on) for one in rows]


def test_a_split_is_a_step_of_both_histories(rules: Ruleset, client: Client) -> None:
    load(rules, WHOLE, DAY)
    report = load(rules, document(*SPLIT), LATER)
    assert report.regrouped == [{"kind": "split", "before": ["501.1"], "after": ["501.1", "501.2"]}]
    assert "分割: 501.1 → 501.1、501.2" in report.summary()
    assert told() == [("split", "501.1", "501.2", LATER)]
    assert "501.2</a> に分かれました" in client.get("/dm-cr/501.1/history/").content.decode()
    assert "501.1</a> から分かれました" in client.get("/dm-cr/501.2/history/").content.decode()
    assert "501.1</a> から分かれました" in client.get("/dm-cr/501.2/").content.decode()
    assert "から分かれました" not in client.get("/dm-cr/501.1/", {"as_of": "2025-05-31"}).content.decode()
    amendment = Amendment.objects.get(effective_on=LATER)
    assert "501.1</a> から分かれました" in client.get(f"/amendments/{amendment.pk}/").content.decode()
    rows = client.get("/api/v1/rulesets/dm-cr/sections/501.1/history/").json()["results"]
    assert [[(one["kind"], one["after"]["number"]) for one in row["lineages"]] for row in rows] == [
        [("split", "501.2")],
        [],
    ]
    answer = client.get(f"/api/v1/entries/{at(rules, '501.2').pk}/").json()
    assert [one["before"]["number"] for one in answer["lineages"]] == ["501.1"]
    group = client.get(f"/api/v1/amendments/{amendment.pk}/").json()["groups"][0]
    assert {one["number"]: len(one["lineages"]) for one in group["changes"]} == {"501.1": 1, "501.2": 1}


def test_a_rule_that_became_three_leads_to_its_parts(rules: Ruleset) -> None:
    load(rules, document(section("501.1", FIGHT + EQUAL + ZERO), section("600.1", OTHER)), DAY)
    old = at(rules, "501.1")
    parts = (section("600.1", OTHER), section("701.1", FIGHT), section("702.1", EQUAL), section("703.1", ZERO))
    load(rules, document(*parts), LATER)
    old.refresh_from_db()
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, at(rules, "701.1"))
    assert "701.1、702.1、703.1 に分かれました。" in old.status_reason
    assert [(before, after) for _kind, before, after, _on in told()] == [
        ("501.1", "701.1"),
        ("501.1", "702.1"),
        ("501.1", "703.1"),
    ]


def test_a_merge_leads_to_the_rule_that_took_it_in(rules: Ruleset, client: Client) -> None:
    load(rules, document(*SPLIT), DAY)
    old = at(rules, "501.2")
    load(rules, WHOLE, LATER)
    old.refresh_from_db()
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, at(rules, "501.1"))
    assert told() == [("merge", "501.2", "501.1", LATER)]
    assert "501.2</a> がここにまとめられました" in client.get("/dm-cr/501.1/history/").content.decode()
    assert not any(finding.is_broken for finding in check_content())


def test_an_older_book_shows_the_split_the_other_way(rules: Ruleset) -> None:
    load(rules, document(*SPLIT), LATER)
    load(rules, WHOLE, DAY)
    assert told() == [("split", "501.1", "501.2", LATER)]


def test_an_older_book_shows_a_merge_the_other_way(rules: Ruleset) -> None:
    load(rules, WHOLE, LATER)
    load(rules, document(*SPLIT), DAY)
    assert told() == [("merge", "501.2", "501.1", LATER)]
    gone = at(rules, "501.2")
    assert (gone.status, gone.superseded_by) == (Status.SUPERSEDED, at(rules, "501.1"))


def test_both_sides_are_told_in_the_change_log_and_once(rules: Ruleset) -> None:
    load(rules, WHOLE, DAY)
    number = Change.objects.latest_number()
    load(rules, document(*SPLIT), LATER)
    touched = set(Change.objects.filter(number__gt=number).values_list("entry__number", flat=True))
    assert touched == {"501.1", "501.2"}
    load(rules, document(*SPLIT), LATER)
    assert len(told()) == 1


def two() -> tuple[Entry, Entry]:
    return make_section("101.1", effective_on=DAY), make_section("101.2", effective_on=LATER)


def test_an_editor_tells_a_split(client: Client) -> None:
    before, after = two()
    tell_lineage(LineageKind.SPLIT, before, after, on=LATER, note="後半が分かれた。")
    assert set(Change.objects.values_list("entry", flat=True)) == {before.pk, after.pk}
    assert "後半が分かれた。" in client.get("/dm-cr/101.1/history/").content.decode()


def test_what_cannot_have_been_is_refused() -> None:
    before, after = two()
    other = make_section("1.1", ruleset=make_ruleset("dm-party", name="パーティー"), effective_on=DAY)
    for pair, on, message in (
        ((before, before), LATER, "別の条項"),
        ((before, other), LATER, "同じ規則集"),
        ((before, after), DAY, "前の条項は"),
        ((before, after), date(2025, 3, 1), "後の条項は"),
    ):
        with pytest.raises(LineageError, match=message):
            tell_lineage(LineageKind.SPLIT, *pair, on=on)


def test_the_admin_tells_and_takes_back(admin_client: Client) -> None:
    before, after = two()
    add = reverse("admin:rulings_lineage_add")
    data = {"kind": "split", "before": before.pk, "after": after.pk, "effective_on": str(DAY), "note": ""}
    assert "その前の日に効力がありません" in admin_client.post(add, data).content.decode()
    assert admin_client.post(add, data | {"effective_on": str(LATER)}).status_code == 302
    lineage = Lineage.objects.get()
    assert lineage.editor == User.objects.get()
    assert "101.1" in admin_client.get(reverse("admin:rulings_lineage_changelist")).content.decode()
    number = Change.objects.latest_number()
    admin_client.post(reverse("admin:rulings_lineage_delete", args=[lineage.pk]), {"post": "yes"})
    assert not Lineage.objects.exists()
    assert Change.objects.latest_number() == number + 2

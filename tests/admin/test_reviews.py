"""The review queue in the admin."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from rulings.models import Entry, Review, Status
from tests.makers import make_faq

pytestmark = pytest.mark.django_db
QUEUE = "admin:rulings_doubt_changelist"


@pytest.fixture
def doubtful() -> Entry:
    return make_faq(status=Status.NEEDS_REVIEW, status_reason="引用している規則が変わりました。")


def decide(client: Client, entry: Entry, **data: object) -> object:
    form = {"title": "使えますか？", "body": "はい、使えます。", "note": "確かめました。"}
    return client.post(reverse("admin:rulings_doubt_change", args=[entry.pk]), form | data)


def test_the_queue_shows_the_reason(admin_client: Client, doubtful: Entry) -> None:
    make_faq("疑いのない質問", "はい。")
    page = admin_client.get(reverse(QUEUE)).content.decode()
    assert "引用している規則が変わりました。" in page
    assert "疑いのない質問" not in page
    form = admin_client.get(reverse("admin:rulings_doubt_change", args=[doubtful.pk])).content.decode()
    assert "はい、使えます。" in form


def test_confirm_many_with_one_reason(admin_client: Client, doubtful: Entry) -> None:
    data = {"action": "confirm_all", "_selected_action": [doubtful.pk], "note": ""}
    refused = admin_client.post(reverse(QUEUE), data, follow=True).content.decode()
    assert "理由を書いてください" in refused
    assert not Review.objects.exists()
    admin_client.post(reverse(QUEUE), data | {"note": "結果は同じです。"})
    review = Review.objects.get()
    assert (review.note, review.reviewer) == ("結果は同じです。", User.objects.get())
    doubtful.refresh_from_db()
    assert doubtful.status == Status.CURRENT


def test_correct(admin_client: Client, doubtful: Entry) -> None:
    assert decide(admin_client, doubtful, decision="corrected", body="いいえ。").status_code == 302  # type: ignore[attr-defined]
    fresh = Entry.objects.get(pk=doubtful.pk)
    assert fresh.wording is not None
    assert (fresh.wording.body, fresh.wording.verdict, fresh.status) == ("いいえ。", "no", Status.CURRENT)


def test_supersede_needs_a_successor(admin_client: Client, doubtful: Entry) -> None:
    answer = decide(admin_client, doubtful, decision="superseded")
    assert "差し替え先の項目を選んでください" in answer.content.decode()  # type: ignore[attr-defined]
    decide(admin_client, doubtful, decision="superseded", successor=make_faq("新しい質問").pk)
    assert Entry.objects.get(pk=doubtful.pk).status == Status.SUPERSEDED


def test_withdraw(admin_client: Client, doubtful: Entry) -> None:
    decide(admin_client, doubtful, decision="withdrawn", note="公式から消えました。")
    assert Entry.objects.get(pk=doubtful.pk).status_reason == "公式から消えました。"

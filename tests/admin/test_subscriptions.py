"""The admin of subscriptions: what owners set up is looked at and stopped, not edited."""

import pytest
from django.test import Client
from django.urls import reverse

from rulings.models import Attempt, Subscription
from rulings.search import indexing
from rulings.services.subscriptions import subscribe
from tests.makers import make_ruleset, make_section
from tests.services.hooks import BASE, make_key, sections

pytestmark = pytest.mark.django_db
LIST = "/admin/rulings/subscription/"


@pytest.fixture
def subscription() -> Subscription:
    made, _secret = subscribe(make_key(), "https://93.184.215.14/hook", BASE, ruleset=make_ruleset("dm-cr"))
    Attempt.objects.create(subscription=made, message_id="msg_1", kind="ping", status=500, error="だめでした")
    return made


def act(client: Client, action: str, subscription: Subscription, **more: str) -> str:
    data = {"action": action, "_selected_action": [subscription.pk], **more}
    page = client.post(LIST, data, follow=True).content.decode()
    subscription.refresh_from_db()
    return page


def test_looked_at(admin_client: Client, subscription: Subscription) -> None:
    assert "https://93.184.215.14/hook" in admin_client.get(LIST).content.decode()
    assert admin_client.get(LIST, {"q": "ボット"}).status_code == 200
    page = admin_client.get(reverse("admin:rulings_subscription_change", args=[subscription.pk])).content.decode()
    assert "だめでした" in page
    assert subscription.salt not in page
    assert admin_client.get(f"{LIST}add/").status_code == 403


def test_stopped_and_continued(admin_client: Client, subscription: Subscription) -> None:
    act(admin_client, "disable", subscription)
    assert (subscription.state, subscription.reason) == ("disabled", "サイトの管理者が止めました。")
    act(admin_client, "enable", subscription)
    assert (subscription.state, subscription.reason) == ("pending", "")
    Subscription.objects.update(state="active", verified_at="2026-01-01T00:00:00Z")
    subscription.refresh_from_db()
    act(admin_client, "disable", subscription)
    act(admin_client, "enable", subscription)
    assert subscription.state == "active"


def test_replayed(admin_client: Client, subscription: Subscription) -> None:
    sections("1.1", "1.2")
    act(admin_client, "replay", subscription, since="1")
    assert subscription.position == 1
    assert "99 番は" in act(admin_client, "replay", subscription, since="99")
    for wrong in ("", "-1", "x", "1" * 30):
        assert "どの番号の後から" in act(admin_client, "replay", subscription, since=wrong)
    assert subscription.position == 1


def test_a_search_is_shown_as_it_is_read(admin_client: Client) -> None:
    make_section("1.1")
    indexing.rebuild()
    made, _secret = subscribe(make_key(), "https://93.184.215.14/hook", BASE, search="q=追加ターン")
    for address in (LIST, f"{LIST}{made.pk}/change/"):
        assert "q=追加ターン" in admin_client.get(address).content.decode()

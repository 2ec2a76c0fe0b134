"""Which changes concern a card or a saved search, and what leaves it."""

from datetime import date

import pytest

from rulings.models import ChangeKind, Entry, Subscription
from rulings.search import indexing
from rulings.services import subscriptions
from rulings.services.chains import Wording
from rulings.services.delivering import deliver_due
from rulings.services.editing import edit_entry
from tests.makers import make_card, make_faq, make_section
from tests.services.hooks import change, deliver_later, subscribed
from tests.services.receivers import Receiver

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("to_this_machine")]


def told(receiver: Receiver) -> list[tuple[str, int, str, bool]]:
    deliver_due(1)
    rows = [row for one in receiver.deliveries for row in one.message["data"]["changes"]]
    receiver.got.clear()
    return [("card" if row["kind"] == "card" else "entry", row["id"], row["change"], row["matches"]) for row in rows]


def rewrite(entry: Entry, body: str) -> None:
    edit_entry(entry, Wording(entry.wording.title, body, (), entry.wording.verdict), on=date(2025, 2, 1))
    entry.refresh_from_db()


def test_a_card_and_what_concerns_it(receiver: Receiver) -> None:
    card, other = make_card("青き竜"), make_card("赤き竜")
    named, not_named = make_faq(cards=[card]), make_faq(cards=[other])
    subscribed(receiver, card=card)
    change(named, not_named)
    assert told(receiver) == [("entry", named.pk, "updated", True)]
    change(card, other)
    rows = told(receiver)
    assert ("card", card.pk, "updated", True) in rows
    assert ("card", other.pk, "updated", True) not in rows
    named.cards.set([other])
    not_named.cards.add(card)
    change(named, not_named)
    assert set(told(receiver)) == {("entry", named.pk, "updated", False), ("entry", not_named.pk, "updated", True)}
    change(named)
    assert told(receiver) == []


def test_what_a_search_finds_and_what_it_finds_no_more(receiver: Receiver) -> None:
    found = make_faq("墓地から出せますか？", "はい、出せます。")
    other = make_faq("山札は切りますか？", "はい、切ります。")
    indexing.rebuild()
    subscription = subscribed(receiver, search="q=墓地&kind=faq")
    assert [known.entry_id for known in subscription.known.all()] == [found.pk]
    rewrite(other, "はい、よく切ります。")
    assert told(receiver) == []
    rewrite(other, "はい、墓地に置いてから切ります。")
    assert told(receiver) == [("entry", other.pk, "updated", True)]
    edit_entry(found, Wording("手札から出せますか？", "はい、出せます。", (), "yes"), on=date(2025, 2, 1))
    assert told(receiver) == [("entry", found.pk, "updated", False)]
    change(found)
    assert told(receiver) == []
    made = make_faq("墓地は見られますか？", "はい。")
    change(made, kind=ChangeKind.CREATED)
    assert told(receiver) == [("entry", made.pk, "created", True)]
    Entry.objects.filter(pk=made.pk).update(status="withdrawn", status_reason="廃止")
    change(made, kind=ChangeKind.ENDED)
    assert told(receiver) == [("entry", made.pk, "ended", False)]
    # All of it again, as it stands now.
    subscriptions.replay(subscription, 0)
    assert told(receiver) == [
        ("entry", other.pk, "updated", True),
        ("entry", other.pk, "updated", True),
        ("entry", found.pk, "updated", False),
        ("entry", made.pk, "created", False),
        ("entry", made.pk, "ended", False),
    ]


def test_a_search_waits_for_the_index(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    make_section("1.1")
    indexing.rebuild()
    subscription = subscribed(receiver, search="q=墓地")
    with monkeypatch.context() as broken:
        broken.setattr(indexing, "catch_up", lambda *_args: 0)
        broken.setattr("rulings.services.changes.catch_up", lambda: 0)
        made = make_faq("墓地は見られますか？", "はい。")
        change(made, kind=ChangeKind.CREATED)
        assert told(receiver) == []
        subscription.refresh_from_db()
        assert subscription.position == 0
    deliver_later()
    assert [row["id"] for one in receiver.deliveries for row in one.message["data"]["changes"]] == [made.pk]


def test_a_search_that_cannot_be_asked_any_more_stops(receiver: Receiver) -> None:
    make_section("1.1")
    indexing.rebuild()
    subscription = subscribed(receiver, search="q=墓地")
    Subscription.objects.update(search="q=墓地&ruleset=gone")
    change(make_section("1.2"))
    deliver_due(1)
    subscription.refresh_from_db()
    assert subscription.state == "disabled"
    assert "gone" in subscription.reason

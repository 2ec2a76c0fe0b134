"""Export and changes together are the live state, after any edits, ends included."""

import random
import threading
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rulings.models import Amendment, Authority, Card, CardAlias, Change, ChangeCounter, Entry, Ruleset, Status
from rulings.services.editing import edit_card, edit_entry, withdraw_entry
from rulings.services.wordings import Wording
from rulings.text.fold import fold_key
from tests.api.mirror import Mirror, ResyncRequiredError
from tests.makers import make_amendment, make_card, make_faq, make_section

pytestmark = pytest.mark.django_db
ASKED = "《青き竜》と《赤き竜》は？"


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Any) -> None:
    settings.EXPORTS_DIR = tmp_path


def live(client: Client) -> dict[tuple[str, int], dict[str, Any]]:
    """The live state, row by row through the lists."""
    found = {}
    for address in ("entries/?status=all&page_size=100", "cards/?page_size=100"):
        page: str | None = f"/api/v1/{address}"
        while page:
            answer = client.get(page).json()
            for row in answer["results"]:
                if address.startswith("cards"):
                    row["kind"] = "card"
                found["card" if row["kind"] == "card" else "entry", row["id"]] = row
            page = answer["next"]
    return found


class Editor:
    """Edits at random, the way editors and imports do."""

    def __init__(self, seed: int, first: int = 0) -> None:
        self.random = random.Random(seed)
        self.day = date(2025, 2, 1)
        self.serial = first
        self.admin = Client()
        self.admin.force_login(
            User.objects.get_or_create(username=f"編集者{seed}", is_staff=True, is_superuser=True)[0]
        )

    def step(self) -> None:
        self.day += timedelta(days=self.random.randint(0, 2))
        self.serial += 1
        texts = [self.edit, self.edit, self.end, self.add_section, self.add_faq, self.add_card]
        names = [self.rename_card, self.nickname, self.rename_ruleset, self.retitle_amendment]
        self.random.choice([*texts, *names])()

    def entry(self) -> Entry:
        entries = Entry.objects.exclude(kind="interaction").exclude(status__in=["withdrawn", "superseded"])
        return self.random.choice(list(entries))

    def card(self) -> Card:
        return self.random.choice(list(Card.objects.all()))

    def text(self) -> str:
        cards = "と".join(f"《{self.card().name}》" for _ in range(self.random.randint(0, 2)))
        return f"{cards}は{self.serial}回目の文面。101.1 を参照。"

    def edit(self) -> None:
        entry = self.entry()
        title = "質問？" if entry.kind == "faq" else ""
        edit_entry(entry, Wording(title, self.text(), (), "none"), on=self.day)

    def end(self) -> None:
        entry, successor = self.entry(), self.entry()
        alive = Entry.objects.exclude(status__in=["withdrawn", "superseded"]).exclude(kind="interaction").count()
        if alive > 4 and successor.kind == entry.kind and successor.pk != entry.pk:
            withdraw_entry(entry, on=self.day, reason="廃止", successor=self.random.choice([successor, None]))

    def add_section(self) -> None:
        section = Entry.objects.create(
            kind="section", ruleset=self.book(), number=f"9.{self.serial}", level="rule", sort_key=f"9.{self.serial}"
        )
        edit_entry(section, Wording("", self.text(), (), "none"), on=self.day)

    def add_faq(self) -> None:
        faq = Entry.objects.create(kind="faq", ruleset=self.book())
        edit_entry(faq, Wording("質問？", self.text(), (), "yes"), on=self.day)

    def add_card(self) -> None:
        edit_card(make_card(f"竜{self.serial}号"), is_new=True)

    def rename_card(self) -> None:
        card = self.card()
        former, card.name = card.name, f"改名竜{self.serial}"
        card.save()
        edit_card(card, is_new=False, former=self.random.choice([former, ""]))

    def nickname(self) -> None:
        card = self.card()
        old = card.aliases.first()
        if old is not None and self.random.random() < 0.5:
            old.delete()
        else:
            name = f"竜ちゃん{self.serial}"
            CardAlias.objects.create(card=card, text=name, key=fold_key(name))
        edit_card(card, is_new=False)

    def book(self) -> Ruleset:
        return Ruleset.objects.get()

    def rename_ruleset(self) -> None:
        book = self.book()
        data = {"name": f"規則{self.serial}", "slug": f"rules-{self.serial}", "position": 0}
        data["authority"] = self.random.choice(Authority.values)
        self.post("ruleset", book.pk, data)

    def retitle_amendment(self) -> None:
        amendment = Amendment.objects.get()
        self.post("amendment", amendment.pk, {"title": f"改定{self.serial}", "announced_on": self.day})

    def post(self, name: str, pk: int, data: dict[str, Any]) -> None:
        frame = {"groups-TOTAL_FORMS": 0, "groups-INITIAL_FORMS": 0}
        answer = self.admin.post(reverse(f"admin:rulings_{name}_change", args=[pk]), data | frame)
        assert answer.status_code == 302, answer.content.decode()


def start() -> None:
    first, second = make_card("青き竜"), make_card("赤き竜")
    for card in (first, second):
        edit_card(card, is_new=True)
    make_section("101.1", amendment=make_amendment())
    faq = make_faq(ASKED, "《青き竜》が《赤き竜》を破壊します。", cards=[first, second])
    edit_entry(
        faq, Wording("《青き竜》と《赤き竜》は？", "《青き竜》が《赤き竜》を破壊する。", (), "yes"), on=date(2025, 1, 2)
    )


@pytest.mark.parametrize("seed", range(6))
def test_a_mirror_is_the_live_state(client: Client, seed: int) -> None:
    start()
    mirror, editor = Mirror(client), Editor(seed)
    mirror.begin()
    assert mirror.rows == live(client)
    for _round in range(4):
        for _step in range(5):
            editor.step()
        mirror.follow()
        assert mirror.rows == live(client)
        assert mirror.follow() == 0
    fresh = Mirror(client)
    fresh.begin()
    assert fresh.rows == mirror.rows


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="threads share the test database file")
def test_a_mirror_follows_two_writers(client: Client) -> None:
    start()
    mirror = Mirror(client)
    mirror.begin()
    failures: list[BaseException] = []

    def write(editor: Editor) -> None:
        try:
            for _step in range(6):
                editor.step()
        except BaseException as error:  # noqa: BLE001 - told by the test itself
            failures.append(error)
        finally:
            connection.close()

    writers = [threading.Thread(target=write, args=[Editor(seed, first=seed * 1000)]) for seed in (1, 2)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        mirror.follow()
    for writer in writers:
        writer.join()
    assert failures == []
    mirror.follow()
    assert mirror.rows == live(client)


def test_a_mirror_learns_that_a_rule_has_gone(client: Client) -> None:
    start()
    section = make_section("102.1", body="なくなる規則。")
    mirror = Mirror(client)
    mirror.begin()
    withdraw_entry(section, on=timezone.localdate(), reason="廃止")
    told = client.get(f"/api/v1/changes/?since={mirror.since}").json()["results"]
    assert ("ended", section.pk) in [(row["change"], row["id"]) for row in told]
    mirror.follow()
    assert mirror.rows["entry", section.pk]["status"] == Status.WITHDRAWN


def test_an_interaction_follows_its_ruling(client: Client) -> None:
    start()
    faq = Entry.objects.get(kind="faq")
    mirror = Mirror(client)
    mirror.begin()
    edit_entry(
        faq,
        Wording("《青き竜》と《赤き竜》は？", "《青き竜》が《赤き竜》を手札に戻す。", (), "no"),
        on=date(2025, 3, 1),
    )
    mirror.follow()
    assert mirror.rows == live(client)


def test_a_number_of_another_database_is_refused(client: Client) -> None:
    start()
    mirror = Mirror(client)
    mirror.begin()
    ChangeCounter.objects.update(database="another")
    with pytest.raises(ResyncRequiredError):
        mirror.follow()
    answer = client.get(f"/api/v1/changes/?since={mirror.since}&mark=nonsense")
    assert (answer.status_code, answer.json()["code"]) == (410, "resync_required")


def test_a_number_that_is_too_old_is_refused(client: Client) -> None:
    start()
    Change.objects.filter(number__lte=2).delete()
    assert client.get("/api/v1/changes/?since=0").status_code == 410
    assert client.get("/api/v1/changes/?since=2").status_code == 200
    Change.objects.all().delete()
    assert client.get("/api/v1/changes/?since=2").status_code == 410

"""exports/, batch/ and waiting for changes: for those who keep a copy."""

import gzip
import json
import threading
import time
from hashlib import sha256
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from rulings.api import changes as module
from rulings.models import Change
from tests.api.conftest import check, described
from tests.makers import make_card, make_game, make_ruleset, make_section


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Any) -> None:
    settings.EXPORTS_DIR = tmp_path


def record(**subject: Any) -> None:
    with transaction.atomic():
        Change.objects.record([Change(kind="updated", **subject)])


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def test_exports_hold_every_entry_and_card(client: Client, get: Any) -> None:
    for number in range(20):
        make_section(f"1.{number}")
    make_section("2.1", status="withdrawn", status_reason="廃止")
    zexal = make_ruleset("ygo-zexal", game=make_game("ygo", "遊戯王"), name="遊戯王ゼアル")
    make_section("draw", ruleset=zexal)
    make_card("青き竜")
    rows = get("exports/")["results"]
    assert [(row["scope"], row["ruleset"], row["game"], row["entry_count"]) for row in rows] == [
        ("ruleset", "dm-cr", "dm", 21), ("ruleset", "ygo-zexal", "ygo", 1),
        ("game", None, "dm", 22), ("game", None, "ygo", 1), ("all", None, None, 23),
    ]  # fmt: skip
    for row in rows:
        response = client.get(row["url"])
        lines = body(response)
        assert response["Content-Type"] == "application/x-ndjson"
        assert (len(lines), sha256(lines).hexdigest()) == (row["size"], row["sha256"])
        assert int(response["Content-Length"]) == len(lines)
        assert len(lines.splitlines()) == row["entry_count"]
        assert row["licence"]
        packed = client.get(row["url"], headers={"accept": "application/gzip"})
        data = body(packed)
        assert (len(data), sha256(data).hexdigest()) == (row["gzip_size"], row["gzip_sha256"])
        assert gzip.decompress(data) == lines
        coded = client.get(row["url"], headers={"accept-encoding": "gzip"})
        assert (coded["Content-Encoding"], gzip.decompress(body(coded))) == ("gzip", lines)
        assert response["X-Change-Number"] == str(row["change_number"]) == "0"
        assert response["X-Change-Mark"] == row["change_mark"]
    first = json.loads(body(client.get(rows[0]["url"])).splitlines()[0])
    assert set(first) == set(described()["components"]["schemas"]["Entry"]["properties"])
    get("exports/nope/", 404)
    get("exports/games/nope/", 404)


def test_a_part_is_built_when_it_has_changed_and_not_again(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = make_section("1.1", body="はじめ。")
    other = make_section("p.1", ruleset=make_ruleset("dm-party"))
    body(client.get("/api/v1/exports/all/"))
    built = []
    monkeypatch.setattr(
        "rulings.api.exports.ExportView.entries", lambda view, ruleset: built.append(ruleset.slug) or []
    )
    body(client.get("/api/v1/exports/all/"))
    assert built == []
    record(entry=other)
    body(client.get("/api/v1/exports/all/"))
    assert built == ["dm-party"]
    monkeypatch.undo()
    section.revisions.update(body="つぎ。")
    record(entry=section)
    assert "つぎ。" in body(client.get("/api/v1/exports/dm-cr/")).decode()


def test_another_host_gets_its_own_addresses(client: Client, db: None, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    make_section("1.1")
    for host in ("one.example", "two.example"):
        assert (
            f"http://{host}/dm-cr/1.1/" in body(client.get("/api/v1/exports/dm-cr/", headers={"host": host})).decode()
        )


def test_rows_are_read_in_chunks(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulings.api.exports.CHUNK", 5)
    for number in range(23):
        make_section(f"1.{number:02}")
    numbers = [json.loads(line)["number"] for line in body(client.get("/api/v1/exports/dm-cr/")).splitlines()]
    assert numbers == [f"1.{number:02}" for number in range(23)]


# -- batch ---------------------------------------------------------------------------------------------------------


def batch(client: Client, status: int = 200, **given: Any) -> Any:
    response = client.post("/api/v1/batch/", json.dumps(given), content_type="application/json")
    assert response.status_code == status, response.content
    check(response)
    return response.json()


def test_many_at_once_in_the_order_asked_for(client: Client, db: None, django_assert_max_num_queries: Any) -> None:
    sections = [make_section(f"1.{number}") for number in range(10)]
    ended = make_section("2.1", status="withdrawn", status_reason="廃止")
    card = make_card()
    ids = [ended.pk, *(section.pk for section in reversed(sections)), 999]
    with django_assert_max_num_queries(12):
        answer = batch(client, entries=ids, cards=[card.pk, 998])
    assert [row["id"] for row in answer["entries"]] == ids[:-1]
    assert [(row["id"], row["kind"]) for row in answer["cards"]] == [(card.pk, "card")]
    assert answer["missing"] == {"entries": [999], "cards": [998]}


def test_which_of_these_have_changed(client: Client, db: None) -> None:
    sections = [make_section(f"1.{number}") for number in range(3)]
    for section in sections:
        record(entry=section)
    record(entry=sections[1])
    ids = [section.pk for section in sections]
    answer = batch(client, entries=ids, since=3)
    assert [row["id"] for row in answer["entries"]] == [ids[1]]
    assert answer["unchanged"] == {"entries": [ids[0], ids[2]], "cards": []}
    assert batch(client, 410, entries=ids, since=5)["code"] == "resync_required"
    assert batch(client, 410, entries=ids, since=3, mark="x")["code"] == "resync_required"


def test_what_a_batch_cannot_be(client: Client, db: None) -> None:
    assert batch(client)["entries"] == []
    assert batch(client, 400, entries=list(range(1, 102)))["parameter"] == "entries"
    assert batch(client, 400, entries=list(range(1, 60)), cards=list(range(1, 60)))["parameter"] == "entries"
    for bad in ([0], [-1], ["x"], [10**30], "1", {"a": 1}, [None], [1.5]):
        assert batch(client, 400, entries=bad)["parameter"] == "entries"


# -- waiting -------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_change_ends_the_waiting(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE", 0.05)
    section = make_section("1.1")
    record(entry=section)

    def write() -> None:
        time.sleep(0.4)
        record(entry=section)
        connection.close()

    writer = threading.Thread(target=write)
    began = time.monotonic()
    writer.start()
    response = client.get("/api/v1/changes/?since=1&wait=20")
    writer.join()
    assert [row["number"] for row in response.json()["results"]] == [2]
    assert 0.3 < time.monotonic() - began < 15
    assert (response["X-Change-Number"], response["Cache-Control"]) == ("2", "no-store")


def test_the_waiting_ends_and_is_bounded(get: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE", 0.05)
    record(entry=make_section("1.1"))
    began = time.monotonic()
    answer = get("changes/", since=1, wait=1)
    assert (answer["results"], answer["warnings"]) == ([], [])
    assert time.monotonic() - began >= 1
    monkeypatch.setattr(module, "_waiting", threading.BoundedSemaphore(1))
    module._waiting.acquire()
    began = time.monotonic()
    answer = get("changes/", since=1, wait=30)
    assert [warning["code"] for warning in answer["warnings"]] == ["wait_refused"]
    assert time.monotonic() - began < 5
    assert get("changes/", 400, since=1, wait=31)["parameter"] == "wait"
    assert get("changes/", since=0, wait=30)["count"] == 1  # nothing to wait for

"""Limits: counted over processes, told in headers, raised by keys."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from rulings.api.limits import address_of
from rulings.models import ApiKey
from rulings.services.counters import SLOTS, hit
from tests.api.conftest import check
from tests.makers import make_section

BURST = """
import sys
from pathlib import Path
from rulings.services.counters import hit
print(sum(hit("client", 60.0, Path(sys.argv[1])).count <= 100 for _ in range(150)))
"""


@pytest.fixture
def limited(settings: Any, tmp_path: Path) -> Any:
    settings.COUNTERS_FILE, settings.LIMIT_LOOPBACK = tmp_path / "counters", True
    settings.LIMITS = {"read": 5, "search": 2, "heavy": 1, "check": 1}
    return settings


def test_two_processes_count_together(tmp_path: Path) -> None:
    file = str(tmp_path / "counters")
    runs = [
        subprocess.Popen([sys.executable, "-c", BURST, file], stdout=subprocess.PIPE, text=True) for _run in range(2)
    ]
    passed = [int(run.communicate(timeout=60)[0]) for run in runs]
    assert sum(passed) == 100
    assert all(run.returncode == 0 for run in runs)


def test_windows_end_and_keys_are_apart(tmp_path: Path) -> None:
    file = tmp_path / "counters"
    assert [hit("a", 60, file).count for _ in range(3)] == [1, 2, 3]
    assert hit("b", 60, file).count == 1
    assert hit("c", 0.0, file).count == hit("c", 0.0, file).count == 1
    for number in range(500):
        hit(f"flood {number}", 60, file)
    assert hit("a", 60, file).count == 4
    assert file.stat().st_size == SLOTS * 24
    file.write_bytes(b"damaged")
    assert hit("a", 60, file).count == 1


def test_a_burst_is_refused_and_told_when_to_come_back(client: Client, db: None, limited: Any) -> None:
    make_section("1.1")
    for left in (4, 3, 2, 1, 0):
        response = client.get("/api/v1/entries/")
        assert response.status_code == 200
        assert response["RateLimit-Policy"] == '"read";q=5;w=60'
        assert response["RateLimit"].startswith(f'"read";r={left};t=')
    refused = client.get("/api/v1/entries/")
    check(refused)
    assert (refused.status_code, refused.json()["code"]) == (429, "throttled")
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert refused["RateLimit"].startswith('"read";r=0;')
    assert client.get("/api/v1/suggest/?q=1").status_code == 200  # another class
    assert client.get("/api/v1/entries/", REMOTE_ADDR="192.0.2.7").status_code == 200  # another client


def test_what_has_not_changed_costs_nothing(client: Client, db: None, limited: Any) -> None:
    etag = client.get("/api/v1/entries/")["ETag"]
    for _time in range(10):
        assert client.get("/api/v1/entries/", headers={"if-none-match": etag}).status_code == 304


def test_a_key_raises_the_limits_until_it_is_revoked(client: Client, db: None, limited: Any) -> None:
    key, secret = ApiKey.objects.issue("試験", factor=3)
    assert secret not in (key.digest, key.hint)
    assert not ApiKey.objects.filter(digest=secret).exists()
    headers = {"authorization": f"Bearer {secret}"}
    statuses = [client.get("/api/v1/entries/", headers=headers).status_code for _time in range(16)]
    assert statuses == [200] * 15 + [429]
    ApiKey.objects.update(revoked_at="2026-01-01T00:00:00Z")
    for value in (f"Bearer {secret}", "Bearer nonsense", "Basic eDp5", "Bearer"):
        response = client.get("/api/v1/entries/", headers={"authorization": value})
        assert (response.status_code, response.json()["code"]) == (401, "invalid_key")


def test_this_machine_itself_is_not_limited(client: Client, db: None, limited: Any) -> None:
    limited.LIMIT_LOOPBACK = False
    assert {client.get("/api/v1/exports/").status_code for _time in range(4)} == {200}
    answers = [client.get("/api/v1/exports/", REMOTE_ADDR="192.0.2.7").status_code for _time in range(2)]
    assert answers == [200, 429]


def test_the_address_behind_a_proxy_cannot_be_forged(rf: Any, settings: Any) -> None:
    request = rf.get("/", headers={"x-forwarded-for": "1.1.1.1, 192.0.2.9"}, REMOTE_ADDR="10.0.0.1")
    settings.BEHIND_PROXY = False
    assert address_of(request) == "10.0.0.1"
    settings.BEHIND_PROXY = True
    assert address_of(request) == "192.0.2.9"


def test_a_counter_that_fails_stops_nobody(client: Client, db: None, limited: Any) -> None:
    limited.COUNTERS_FILE = "/dev/null/counters"
    assert {client.get("/api/v1/entries/").status_code for _time in range(7)} == {200}


def test_issued_in_the_admin_shown_once(admin_client: Client) -> None:
    response = admin_client.post("/admin/rulings/apikey/add/", {"name": "ボット", "factor": 5}, follow=True)
    key = ApiKey.objects.get()
    page = response.content.decode()
    (secret,) = set(re.findall(r"rk_[\w-]{40,}", page))
    assert ApiKey.objects.valid(secret) == key
    assert secret not in admin_client.get(f"/admin/rulings/apikey/{key.pk}/change/").content.decode()
    admin_client.post("/admin/rulings/apikey/", {"action": "revoke", "_selected_action": [key.pk]})
    assert ApiKey.objects.valid(secret) is None

"""A burst over real sockets, on two servers that share a machine: the limits hold across all their processes."""

import re
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.live import Reply, fetch, own_copy, shipped, site  # noqa: F401 - fixtures

LIMIT, ASKED = 40, 100
WINDOW = 60  # seconds
KEY = re.compile(r'"read";r=(\d+);t=(\d+)')


@pytest.fixture
def addresses(own_copy: Path) -> Iterator[list[str]]:  # noqa: F811
    """Three processes: a server of two workers, and another server of one."""
    told = {"RULINGS_LIMITS": f"read={LIMIT},search=5", "RULINGS_BEHIND_PROXY": "1"}
    with site(own_copy, workers=2, **told) as first, site(own_copy, workers=1, **told) as second:
        for address in (first, second) * 4:  # every process has read its code before the time counts
            assert fetch(f"{address}/api/v1/rulesets/", X_Forwarded_For="192.0.2.1").status == 200
        yield [first, second]


def burst(addresses: list[str], client: str) -> tuple[list[Reply], float]:
    urls = [f"{addresses[number % 2]}/api/v1/rulesets/?page_size=1" for number in range(ASKED)]
    begun = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda url: fetch(url, X_Forwarded_For=client), urls))
    return replies, time.monotonic() - begun


def test_limits_hold_across_processes(addresses: list[str]) -> None:
    for attempt in range(5):  # on a machine so busy that a window ends within the burst, another client tries again
        replies, took = burst(addresses, f"198.51.100.{attempt + 1}")
        if took < WINDOW - 5:
            break
    assert Counter(reply.status for reply in replies) == {200: LIMIT, 429: ASKED - LIMIT}
    left = sorted(int(KEY.match(reply.headers["RateLimit"])[1]) for reply in replies if reply.status == 200)  # type: ignore[index]
    assert left == list(range(LIMIT))  # every request was counted once, by whichever process it met
    for reply in replies:
        assert reply.headers["RateLimit-Policy"] == f'"read";q={LIMIT};w={WINDOW}'
        if reply.status == 429:
            problem = reply.json()
            assert reply.headers["Content-Type"] == "application/problem+json"
            assert (problem["code"], problem["status"]) == ("throttled", 429)
            assert 1 <= int(reply.headers["Retry-After"]) <= WINDOW
            assert reply.headers["Cache-Control"] == "no-store"


def test_others_and_other_classes_are_not_held_up(addresses: list[str]) -> None:
    replies, _took = burst(addresses, "198.51.100.7")
    assert 429 in {reply.status for reply in replies}
    for address in addresses:
        assert fetch(f"{address}/api/v1/rulesets/", X_Forwarded_For="198.51.100.8").status == 200
        assert fetch(f"{address}/api/v1/suggest/?q=1", X_Forwarded_For="198.51.100.7").status == 200
        page = fetch(f"{address}/", X_Forwarded_For="198.51.100.7")
        assert page.status == 200  # readers of pages share no limit with programs

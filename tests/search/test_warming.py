"""What is read before the first query comes is set aside from what the collector of cycles goes through."""

import gc
from collections.abc import Iterator

import pytest

from rulings.search.warming import COLLECTED_FROM, warm

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    threshold = gc.get_threshold()
    yield
    gc.set_threshold(*threshold)
    gc.unfreeze()


def test_what_stays_is_set_aside() -> None:
    gc.unfreeze()
    followed = len(gc.get_objects())
    warm()
    assert gc.get_freeze_count() > followed / 2
    assert len(gc.get_objects()) < followed / 10
    assert gc.get_threshold() == COLLECTED_FROM


def test_cycles_made_afterwards_are_still_collected() -> None:
    warm()

    class Node:
        gone: list[int] = []

        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            self.gone.append(1)

    kept = [Node() and [] for _ in range(2 * COLLECTED_FROM[0])]
    assert len(kept) > len(Node.gone) > 0

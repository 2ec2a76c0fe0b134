"""The differences of two days, and what an amendment lists."""

from collections.abc import Sequence

import pytest

from rulings.models import Amendment, Ruleset
from rulings.models.amended import amended, by_group, load
from rulings.models.diffs import Difference, counted, ruleset_differences
from tests.makers import make_ruleset
from tests.services.documents import DAY, LAST, LATER, amendment, at, document, section
from tests.services.documents import load as store

pytestmark = pytest.mark.django_db


@pytest.fixture
def book() -> Ruleset:
    """A chapter whose rules move up by one, an edited rule, a deleted one, one that only follows the move."""
    ruleset = make_ruleset("dm-cr")
    text = "この能力を持つカードは、指定された仲間と合体して初めて場に出ます。"
    before = (
        section("100.1", "勝敗の決め方です。"),
        section("814", title="ハイパーモード"),
        section("814.1", text),
        section("900.1", "814.1を参照。"),
        section("900.2", "引き分けの決め方の条項です。"),
    )
    after = (
        section("100.1", "勝敗の新しい決め方です。"),
        section("814", title="キング・セル"),
        section("814.1", "まったく別の決まりで、城の上に置かれたカードを数えることだけを定めています。"),
        section("816", title="ハイパーモード"),
        section("816.1", text),
        section("900.1", "816.1を参照。"),
    )
    store(ruleset, document(*before), DAY)
    store(ruleset, document(*after), LATER)
    return ruleset


def said(differences: Sequence[Difference]) -> dict[str, str]:
    return {(one.new or one.old).number: one.kind for one in differences}  # type: ignore[union-attr]


def test_the_kinds_are_kept_apart(book: Ruleset) -> None:
    found = ruleset_differences(book, DAY, LATER)
    assert said(found) == {
        "100.1": "edited",
        "814": "added",
        "814.1": "added",
        "816": "moved",
        "816.1": "moved",
        "900.1": "renumbered",
        "900.2": "deleted",
    }
    assert counted(found) == {"added": 2, "deleted": 1, "edited": 1, "moved": 2, "renumbered": 1}


def test_below_a_section(book: Ruleset) -> None:
    assert said(ruleset_differences(book, DAY, LATER, at(book, "816"))) == {"816": "moved", "816.1": "moved"}


def test_the_same_day_and_nothing(book: Ruleset) -> None:
    assert ruleset_differences(book, LATER, LATER) == []
    assert ruleset_differences(book, LATER, LAST) == []


def test_a_number_that_the_announcement_lists_without_a_change(book: Ruleset) -> None:
    announced = amendment(
        section("100.1", "勝敗のさらに新しい決め方です。"),
        section("816.1", at(book, "816.1").wording.body),
        title="告知",
    )
    store(book, announced, LAST)
    changes = amended(Amendment.objects.get(title="告知"))
    load(changes)
    assert [(change.number, change.event) for change in changes] == [("100.1", "edited"), ("816.1", "unchanged")]
    assert changes[0].before is not None
    assert changes[0].before.body == "勝敗の新しい決め方です。"
    assert len(by_group(changes)) == 1
    assert set(said(ruleset_differences(book, LATER, LAST))) == {"100.1"}


def test_the_last_wording_of_a_deleted_rule_is_no_addition() -> None:
    ruleset = make_ruleset("dm-cr")
    store(ruleset, amendment(section("117.2", "ウエポンは戻ります。", deleted=True)), LAST)
    changes = amended(Amendment.objects.get())
    load(changes)
    assert [(change.number, change.event, change.title) for change in changes] == [("117.2", "deleted", "")]
    assert changes[0].before is not None

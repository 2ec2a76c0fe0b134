"""One rule became several, several became one."""

import pytest

from rulings.text.books import BookDiff, SectionText, compare_books

FIGHT = "クリーチャー同士がバトルをする時、パワーの小さい方を破壊します。"
EQUAL = "パワーが等しい場合は、バトルをしたクリーチャーを両方とも破壊します。"
ZERO = "パワーが0以下になったクリーチャーは、状況起因処理によって墓地に置かれます。"
OTHER = "山札の一番上のカードを自分のマナゾーンに置く効果は、強制的に解決されます。"


def book(**sections: str) -> list[SectionText]:
    return [SectionText(key.replace("_", "."), body=body) for key, body in sections.items()]


def regrouped(diff: BookDiff) -> list[tuple[list[str], list[str]]]:
    return [([one.key for one in found.before], [one.key for one in found.after]) for found in diff.regrouped]


def test_a_rule_that_gave_a_part_of_its_text_to_a_new_one() -> None:
    diff = compare_books(book(r501_1=FIGHT + EQUAL, r501_2=OTHER), book(r501_1=FIGHT, r501_2=OTHER, r501_3=EQUAL))
    assert regrouped(diff) == [(["r501.1"], ["r501.1", "r501.3"])]
    assert [pair.old.key for pair in diff.edited] == ["r501.1"]
    assert [one.key for one in diff.added] == ["r501.3"]
    assert not diff.doubtful


def test_a_rule_that_became_others_goes_on_as_the_most_alike() -> None:
    diff = compare_books(book(r501_1=FIGHT + EQUAL, r600_1=OTHER), book(r502_1=FIGHT, r503_1=EQUAL, r600_1=OTHER))
    assert regrouped(diff) == [(["r501.1"], ["r502.1", "r503.1"])]
    assert [pair.new.key for pair in diff.moved] == ["r503.1"]
    assert [one.key for one in diff.added] == ["r502.1"]
    assert not diff.doubtful


def test_a_rule_that_became_three_ends() -> None:
    diff = compare_books(
        book(r501_1=FIGHT + EQUAL + ZERO, r600_1=OTHER), book(r502_1=FIGHT, r503_1=EQUAL, r504_1=ZERO, r600_1=OTHER)
    )
    assert regrouped(diff) == [(["r501.1"], ["r502.1", "r503.1", "r504.1"])]
    assert not diff.doubtful


def test_parts_beside_each_other_under_the_old_number_and_the_next() -> None:
    diff = compare_books(book(r501_1=FIGHT + EQUAL, r501_2=OTHER), book(r501_1=FIGHT, r501_2=EQUAL, r501_3=OTHER))
    assert regrouped(diff) == [(["r501.1"], ["r501.1", "r501.2"])]
    assert [(pair.old.key, pair.new.key) for pair in diff.moved] == [("r501.2", "r501.3")]
    assert not diff.doubtful


def test_rules_that_became_one() -> None:
    diff = compare_books(book(r501_1=FIGHT, r501_2=EQUAL, r501_3=OTHER), book(r501_1=FIGHT + EQUAL, r501_3=OTHER))
    assert regrouped(diff) == [(["r501.1", "r501.2"], ["r501.1"])]
    assert [one.key for one in diff.deleted] == ["r501.2"]
    assert not diff.doubtful


def test_rules_that_became_one_under_a_new_number() -> None:
    diff = compare_books(book(r501_1=FIGHT, r501_2=EQUAL, r600_1=OTHER), book(r510_1=FIGHT + EQUAL, r600_1=OTHER))
    assert regrouped(diff) == [(["r501.1", "r501.2"], ["r510.1"])]
    assert [one.key for one in diff.deleted] == ["r501.1"]
    assert [pair.old.key for pair in diff.moved] == ["r501.2"]
    assert not diff.doubtful


@pytest.mark.parametrize(
    "new",
    [
        book(r501_1=FIGHT + EQUAL, r501_2=EQUAL + ZERO),  # repeated elsewhere, and still in its place
        book(r501_1=FIGHT + EQUAL, r501_2=ZERO),  # something new
        book(r501_1=FIGHT + ZERO),  # edited
        book(r502_1=FIGHT + EQUAL),  # moved
        book(r501_1=FIGHT),  # a part was deleted
    ],
)
def test_what_is_no_split(new: list[SectionText]) -> None:
    assert regrouped(compare_books(book(r501_1=FIGHT + EQUAL), new)) == []

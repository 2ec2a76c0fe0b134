"""The writings of names in few large objects: what comes out is what went in."""

import pytest

from rulings.search.writings import Writing, Writings

LISTED = [
    Writing("デモンハンド", 7, 0, "デーモン・ハンド"),
    Writing("零竜", 3, 0, "零龍"),
    Writing("零竜", 9, 3, "≪零龍≫ 𠮷"),
    Writing("レイリュ", 3, 3, ""),
]


@pytest.mark.parametrize("listed", [[], LISTED[:1], LISTED])
def test_a_list_comes_out_as_it_went_in_also_from_what_is_kept(listed: list[Writing]) -> None:
    for writings in (Writings.of(listed), Writings(Writings.of(listed).plain())):
        assert list(writings) == listed
        assert len(writings) == len(listed)
        assert writings.keys() == [one.key for one in listed]


def test_of_one_card() -> None:
    writings = Writings.of(LISTED)
    assert writings.of_card(3) == [LISTED[1], LISTED[3]]
    assert writings.of_card(8) == []


def test_places_are_told_by_number() -> None:
    writings = Writings.of(LISTED)
    assert (writings[-1], writings[1:3]) == (LISTED[-1], LISTED[1:3])
    with pytest.raises(IndexError):
        writings[4]


def test_where_a_key_stands_among_all() -> None:
    writings = Writings.of(LISTED)
    at = writings.blob.find("リュ")
    number, start = writings.place(at)
    assert (number, at - start) == (3, 2)

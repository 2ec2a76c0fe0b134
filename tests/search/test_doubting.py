"""What is a word in a query, and what is found of strings that hold none."""

import pytest

from rulings.search import SearchRequest, search
from rulings.search.doubting import stretches_of
from rulings.search.reading import Query, Reading
from tests.makers import make_section


def doubted(text: str, *vocabulary: str) -> bool:
    query = Query(text, Reading("words", "ことば"), is_vocabulary=lambda key: key in vocabulary)
    return stretches_of(query) is not None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "is_doubted"),
    [
        ("せずごぼよずじつ", True),
        ("パデパデミボミボ", True),
        ("qwxzjvkq", True),
        ("りりりりりり", True),
        ("マジボンバーとは", True),  # no word of the dictionary: texts hold it as it stands
        ("山札を引く", False),
        ("いつたたかうの", False),  # 戦う
        ("闇 火 水 光", False),
        ("闇", False),
        ("7000いじょうのやつ", False),
        ("ターン", False),
    ],
)
def test_what_says_a_word(text: str, is_doubted: bool) -> None:
    assert doubted(text) == is_doubted


@pytest.mark.django_db
def test_what_the_rules_say_is_a_word() -> None:
    assert doubted("ホゲラ ムニャ")
    assert not doubted("ホゲラ ムニャ", "ムニャ")


@pytest.mark.django_db
def test_of_a_string_without_a_word_only_what_stands_in_a_text_is_found() -> None:
    make_section("101.1", body="マジボンバーは能力です。")
    make_section("101.2", body="ぽで、みぼ、ぱで")
    assert [hit.entry.number for hit in search(SearchRequest("マジボンバーって")).hits if hit.entry] == ["101.1"]
    page = search(SearchRequest("ぱでぱでみぼみぼでぽでぽ", facets=True))
    assert (page.count, page.hits, page.warnings) == (0, [], [])

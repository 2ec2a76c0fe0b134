"""What is written differently and means the same finds the same; what stands in a text is found."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulings.models import Entry
from rulings.search import SearchPage, SearchRequest, indexing, search
from rulings.search.engine import EngineQuery, IndexUnusable
from rulings.text.fold import squeeze
from tests.makers import make_faq, make_section

BODIES = [
    "デモンズ・ライトのＳ・トリガーは、シールドゾーンから手札に加える時に使う。",
    "ヴェルデの能力で、闇のクリーチャーを墓地から出す。コストは７以下。",
    "《轟く侵略 レッドゾーン》は、火の「侵略」を持つ。ターンの終わりまで＋３０００。",
    "龍は、龍解して裏返る。青眼の白龍とは違う。",
    "ガチンコ・ジャッジでは、山札の上から１枚目を見せる。Ⅱ型と３型がある。",
]
# Pairs of a query and another writing of it.
CLASSES = {
    "half width": ("デモンズ・ライト", "ﾃﾞﾓﾝｽﾞ･ﾗｲﾄ"),
    "full width": ("Sトリガー", "Ｓトリガー"),
    "decomposed voicing": ("デモンズ", "テ\u3099モンス\u3099"),
    "hiragana": ("デモンズライト", "でもんずらいと"),
    "long vowel": ("レッドゾーン", "レッドゾ−ン"),
    "dash": ("レッドゾーン", "レッドゾ―ン"),
    "small kana": ("ヴェルデ", "ベルデ"),
    "middle dot": ("デモンズ・ライト", "デモンズライト"),
    "space": ("デモンズ・ライト", "デモンズ ライト"),
    "wide space": ("ガチンコ・ジャッジ", "ガチンコ　ジャッジ"),
    "quotes": ("「侵略」", "“侵略”".replace("“", "『").replace("”", "』")),
    "brackets": ("《轟く侵略 レッドゾーン》", "≪轟く侵略 レッドゾーン≫"),
    "no brackets": ("《轟く侵略 レッドゾーン》", "轟く侵略レッドゾーン"),
    "old kanji": ("龍解", "竜解"),
    "roman numeral": ("Ⅱ型", "II型"),
    "superscript": ("3型", "³型"),
    "case": ("S・トリガー", "s・トリガー"),
    "digits": ("コストは7以下", "コストは７以下"),
}


def ask(q: str, **options: object) -> SearchPage:
    return search(SearchRequest(q=q, page_size=100, **options))  # type: ignore[arg-type]


def found(q: str) -> list[int]:
    return [hit.entry.pk for hit in ask(q).hits if hit.entry]


@pytest.fixture
def texts(transactional_db: None) -> dict[int, str]:
    """The folded text of each entry: its title, a line, its body; what spans both stands nowhere."""
    entries = [make_section(f"101.{at}", body=body) for at, body in enumerate(BODIES, 1)]
    entries.append(make_faq("「侵略」は何回使えますか？", "はい、好きな数だけ使えます。"))
    found("準備")  # builds the index
    wordings = {entry.pk: entry.wording for entry in entries}
    return {pk: f"{squeeze(one.title).text}|{squeeze(one.body).text}" for pk, one in wordings.items()}


@pytest.mark.parametrize(("one", "other"), CLASSES.values(), ids=CLASSES)
def test_another_writing_finds_the_same(texts: dict[int, str], one: str, other: str) -> None:
    assert found(one)
    assert found(one) == found(other)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_stands_in_a_text_is_found(texts: dict[int, str], data: st.DataObject) -> None:
    """Any two characters or more, cut from anywhere: every entry that holds them is among the results."""
    text = data.draw(st.sampled_from(list(texts.values())))
    start = data.draw(st.integers(0, len(text) - 2))
    query = text[start : start + data.draw(st.integers(2, 12))]
    folded = squeeze(query).text
    if len(folded) < 2 or folded != query:
        return
    holding = {pk for pk, whole in texts.items() if folded in whole}
    page = ask(query, read="words")
    assert holding <= {hit.entry.pk for hit in page.hits if hit.entry}, query


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=150) | st.text(alphabet='?*~^[]{}()":-+&|!\\/ 火OR', max_size=150))
def test_nothing_that_is_typed_breaks_or_takes_long(texts: dict[int, str], query: str) -> None:
    started = time.process_time()
    page = ask(query, facets=True, explain=True)
    assert page.count >= len(page.hits)
    assert time.process_time() - started < 1.0


class TestWithoutTheIndex:
    @pytest.fixture(autouse=True)
    def broken(self, texts: dict[int, str], monkeypatch: pytest.MonkeyPatch) -> None:
        def unusable(query: EngineQuery) -> None:
            raise IndexUnusable("broken")

        monkeypatch.setattr(indexing, "ask", unusable)

    @pytest.mark.parametrize("q", ["ﾃﾞﾓﾝｽﾞ･ﾗｲﾄ", "でもんずらいと いつ", "デモンズライトのＳトリガーは使える？"])
    def test_the_database_answers_folded_and_says_so(self, q: str) -> None:
        page = ask(q)
        assert page.hits[0].entry == Entry.objects.get(number="101.1")
        assert "degraded" in [warning.code for warning in page.warnings]

    def test_beside_a_number_it_is_said_too(self) -> None:
        assert "degraded" in [warning.code for warning in ask("101.3 侵略").warnings]

    def test_conditions_hold(self) -> None:
        assert [hit.entry.number for hit in ask("侵略 -好きな").hits if hit.entry] == ["101.3"]
        assert ask("存在しない言葉").hits == []

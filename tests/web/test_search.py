"""The page of search results, over a search that answers as told."""

from collections.abc import Callable
from typing import Any

import pytest

from rulings.models import Entry
from rulings.search import Highlight, Hit, Reading, SearchPage, SearchRequest, SearchWarning, Suggestion
from rulings.web import search as view
from tests.makers import make_card, make_faq, make_interaction, make_ruleset, make_section
from tests.web.conftest import Reader

Answer = Callable[..., list[SearchRequest]]


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Answer:
    """Let the search answer with these hits; hand back what it was asked."""

    def told(*hits: Hit, **fields: Any) -> list[SearchRequest]:
        asked: list[SearchRequest] = []

        def search(request: SearchRequest) -> SearchPage:
            asked.append(request)
            values = {"count": len(hits), "reading": Reading("words", "ことば「竜」"), "warnings": [], **fields}
            return SearchPage(hits=list(hits), page=request.page, page_size=request.page_size, **values)

        monkeypatch.setattr(view, "search", search)
        monkeypatch.setattr(view, "suggest", lambda *args, **kwargs: [Suggestion("card", "青き竜", 1, "/cards/1/")])
        return asked

    return told


def shown(entry: Entry) -> Entry:
    return Entry.objects.for_display().get(pk=entry.pk)


def test_a_section_with_its_highlights(reader: Reader, answer: Answer) -> None:
    entry = make_section("101.1", title="勝つこと", body="カードはルールに勝つ。")
    highlight = Highlight("body", "…ルールに勝つ。", [(1, 4)])
    answer(Hit("section", 1.0, shown(entry), highlights=[highlight]))
    page = reader.page("/search/", q="ルール")
    hit = page.select_one(".hit")
    assert hit.select_one(".hit-title").get_text(" ", strip=True) == "101.1 勝つこと"
    assert hit.select_one(".hit-title a")["href"] == "/dm-cr/101.1/"
    assert [mark.text for mark in hit.select("mark")] == ["ルール"]
    assert hit.select_one(".hit-text").text == "カードはルールに勝つ。", "a short text is shown whole"
    assert "ことば「竜」" in page.main.text


def test_an_answer_is_readable_without_opening_it(reader: Reader, answer: Answer) -> None:
    answer(Hit("faq", 1.0, shown(make_faq("使えますか？", "いいえ、使えません。", verdict="no"))))
    hit = reader.page("/search/", q="使う").select_one(".hit")
    assert hit.select_one(".verdict-no").text == "いいえ"
    assert "いいえ、使えません。" in hit.text


def test_a_house_rule_is_unmistakable(reader: Reader, answer: Answer) -> None:
    house = make_ruleset("dm-house", name="我が家", authority="house")
    answer(Hit("section", 1.0, shown(make_section("101.1", ruleset=house))))
    hit = reader.page("/search/", q="x").select_one(".hit-house")
    assert "ハウスルール・非公式" in hit.text


def test_a_card(reader: Reader, answer: Answer) -> None:
    card = make_card("青き竜")
    card.faces.update(facts={"cost": 7})
    answer(Hit("card", 1.0, card=card))
    hit = reader.page("/search/", q="竜").select_one(".hit-card")
    assert "《青き竜》" in hit.text
    assert "コスト 7" in hit.text


def test_a_query_is_never_markup(reader: Reader, answer: Answer) -> None:
    answer()
    page = reader.page("/search/", q='"><script>alert(1)</script>')
    assert not page.select("main script, title script")
    assert page.select_one("input[name=q]")["value"] == '"><script>alert(1)</script>'


def test_nothing_found_helps_on(reader: Reader, answer: Answer) -> None:
    answer(left_out=2, warnings=[SearchWarning("x", "番号を読み替えました。")])
    text = reader.main("/search/", q="青き童", kind="faq")
    assert "見つかりませんでした" in text
    assert "近いもの： 青き竜" in text
    assert "絞り込みを外して調べる" in text
    assert "番号を読み替えました。" in text
    assert "いまは有効でない項目が、ほかに2件あります。 それも表示する" in text


def test_filters_reach_the_search_and_stay_in_the_links(reader: Reader, answer: Answer) -> None:
    make_ruleset()
    asked = answer(count=60)
    parameters = {"kind": "faq", "game": "dm", "ruleset": "dm-cr", "status": "all", "as_of": "2026-02-13", "page": "2"}
    page = reader.page("/search/", q="竜", **parameters)
    request = asked[0]
    assert (request.q, request.kind, request.game, request.ruleset) == ("竜", "faq", "dm", "dm-cr")
    assert (request.status, str(request.as_of), request.page) == ("all", "2026-02-13", 2)
    assert "kind=faq" in page.select_one("a[rel=next]")["href"]
    assert "page=3" in page.select_one("a[rel=next]")["href"]
    assert all("page=" not in tab["href"] for tab in page.select(".tabs a"))


@pytest.mark.parametrize(
    ("parameters", "status"),
    [
        ({"page": "abc"}, 400),
        ({"page": "0"}, 400),
        ({"page": "-1"}, 400),
        ({"page": "2"}, 404),
        ({"page": "99999999999"}, 404),
        ({"kind": "dragon"}, 400),
        ({"game": "chess"}, 400),
        ({"ruleset": "nope"}, 400),
        ({"status": "dead"}, 400),
        ({"card": "x"}, 400),
        ({"card": "9" * 40}, 400),
        ({"as_of": "2026-02-30"}, 400),
        ({"q": "a\x00b"}, 400),
        ({"q": "あ" * 5000}, 400),
    ],
)
def test_bad_parameters_are_answered_clearly(
    reader: Reader, answer: Answer, parameters: dict[str, str], status: int
) -> None:
    answer()
    text = reader.main("/search/", status, **({"q": "竜"} | parameters))
    assert str(status) in text
    assert "Traceback" not in text


def test_a_page_of_results_costs_two_queries_beside_the_search(
    reader: Reader, answer: Answer, django_assert_num_queries: object
) -> None:
    for number in range(20):
        make_faq(f"質問{number}", cards=[make_card(f"カード{number}")])
    answer(*(Hit("faq", 1.0, entry) for entry in Entry.objects.for_display()))
    with django_assert_num_queries(2):  # type: ignore[operator] # the rulesets, the rules that the results rest on
        reader.get("/search/", q="質問")


def test_a_section_without_a_title_is_shown_once(reader: Reader, answer: Answer) -> None:
    numbered = shown(make_section("101.1", body="カードはルールに勝つ。"))
    item = shown(make_section("はじめに-1", level="item", body="マリガンは使用不可。"))
    highlight = Highlight("body", "マリガンは使用不可。", [(0, 4)])
    answer(Hit("section", 1.0, numbered), Hit("section", 1.0, item, highlights=[highlight]))
    first, second = reader.page("/search/", q="x").select(".hit")
    assert first.select_one("h2").text.strip() == "101.1"
    assert first.text.count("カードはルールに勝つ。") == 1
    assert second.select_one("h2").text.strip() == "マリガンは使用不可。"
    assert second.text.count("マリガンは使用不可。") == 1
    assert second.select_one("h2 mark").text == "マリガン"


def test_an_interaction_is_named_by_its_cards_and_answered_by_its_ruling(reader: Reader, answer: Answer) -> None:
    cards = [make_card("青き竜"), make_card("赤き竜")]
    ruling = make_faq("どうなりますか？", "いいえ、残りません。", verdict="no", cards=cards)
    interaction = make_interaction(cards, ruled_by=ruling)
    interaction.revisions.all().delete()
    answer(Hit("interaction", 1.0, shown(interaction)))
    hit = reader.page("/search/", q="青き竜 赤き竜").select_one(".hit")
    assert sorted(hit.select_one("h2").text.strip().split(" × ")) == ["《赤き竜》", "《青き竜》"]
    assert "いいえ、残りません。" in hit.text


def test_an_ended_section_names_its_successor(reader: Reader, answer: Answer) -> None:
    ended = make_section("117.2", status="superseded", superseded_by=make_section("703.4m"))
    answer(Hit("section", 1.0, shown(ended)))
    hit = reader.page("/search/", q="117.2").select_one(".hit")
    assert hit.select_one(".status").text == "差し替え済み"
    assert hit.select_one(".hit-successor a")["href"] == "/dm-cr/703.4m/"


def test_years_are_a_facet_in_their_own_order(reader: Reader, answer: Answer) -> None:
    asked = answer(Hit("faq", 1.0, shown(make_faq())), facets={"year": {"2023": 9, "2026": 1, "2024": 3}})
    facet = reader.page("/search/", q="竜").select_one("[aria-labelledby=facet-year]")
    assert [link.get_text(" ", strip=True) for link in facet.select("a")] == ["2026年 1", "2024年 3", "2023年 9"]
    assert facet.a["href"].endswith("&year=2026")
    page = reader.page("/search/", q="竜", year="2026")
    assert asked[-1].year == 2026
    chosen = page.select_one("[aria-labelledby=facet-year] a[aria-current]")
    assert "year" not in chosen["href"]
    assert page.select_one("input[name=year][form=search]")["value"] == "2026", "typing on keeps it"
    for wrong in ("abc", "0", "12345", "-1", "２０２６"):
        assert "読み取れません" in reader.main("/search/", 400, q="竜", year=wrong)


def test_a_section_is_shown_with_the_nearest_heading_above_it(
    reader: Reader, answer: Answer, django_assert_num_queries: object
) -> None:
    chapter = make_section("703", title="カードの状態", body="")
    rule = make_section("703.4", body="状態は次のとおり。", parent=chapter)
    subrule = make_section("703.4m", body="裏向きのカード。", parent=rule)
    answer(
        *(Hit("section", 1.0, shown(entry)) for entry in (subrule, rule, chapter)), Hit("faq", 1.0, shown(make_faq()))
    )
    with django_assert_num_queries(4):  # type: ignore[operator] # two as always, what stands above, its headings
        page = reader.page("/search/", q="裏向き")
    lines = [hit.select_one(".hit-meta").text for hit in page.select(".hit")]
    assert ["カードの状態" in line for line in lines] == [True, True, False, False]

"""The first page, and what every page carries."""

from datetime import date

from django.test import Client

from tests.makers import make_amendment, make_faq, make_game, make_ruleset, make_section
from tests.web.conftest import Reader


def test_rulesets_stand_under_their_game_with_their_authority(reader: Reader) -> None:
    make_section(ruleset=make_ruleset())
    make_faq(ruleset=make_ruleset())
    make_ruleset("ygo-fan", name="ファンの書", authority="community", game=make_game("ygo", "遊戯王"))
    make_ruleset("dm-house", name="我が家", authority="house")
    text = reader.main("/")
    assert "デュエル・マスターズ 総合ルール 公式" in text
    assert "条項 1 よくある質問 1" in text
    assert "遊戯王 ファンの書 コミュニティ ・非公式" in text
    assert "我が家 ハウスルール ・非公式" in text


def test_latest_amendments(reader: Reader) -> None:
    make_amendment(title="二月の改定", effective_on=date(2026, 2, 13))
    assert "2026年2月13日 二月の改定" in reader.main("/")


def test_an_empty_site_is_a_page(reader: Reader) -> None:
    assert "まだ登録されていません" in reader.main("/")


def test_the_search_box_has_the_focus_on_the_first_page_only(reader: Reader) -> None:
    make_ruleset()
    assert reader.page("/").select("input[name=q][autofocus]")
    page = reader.page("/dm-cr/")
    assert page.select("header input[name=q]")
    assert not page.select("[autofocus]")


def test_every_page_says_what_it_is(reader: Reader) -> None:
    make_section("101.1", title="見出し")
    page = reader.page("/dm-cr/101.1/")
    assert page.html is not None
    assert page.html["lang"] == "ja"
    assert page.title is not None
    assert page.title.text.startswith("101.1 見出し（総合ルール）")
    assert page.select_one("meta[name=description]")["content"].strip()
    assert page.select_one("link[rel=canonical]")["href"] == "http://testserver/dm-cr/101.1/"
    assert page.select_one("a.skip")["href"] == "#main"
    assert "非公式の資料集" in page.footer.text
    assert len(page.select("h1")) == 1


def test_nothing_is_inline_and_nothing_comes_from_elsewhere(reader: Reader) -> None:
    make_section("101.1")
    for address in ("/", "/dm-cr/", "/dm-cr/101.1/", "/search/", "/cards/", "/interactions/", "/amendments/"):
        page = reader.page(address)
        assert not page.select("style, [style], script:not([src]), [onclick], iframe"), address
        loaded = [tag.get("src") or tag.get("href") for tag in page.select("script, img, link[rel~=stylesheet]")]
        assert all(str(each).startswith(("/static/", "/e/", "/c/")) for each in loaded), loaded


def test_a_page_is_kept_by_the_browser_but_asked_for_again(reader: Reader) -> None:
    response = reader.get("/")
    assert "no-cache" in response["Cache-Control"]
    assert reader.client.get("/", headers={"If-None-Match": response["ETag"]}).status_code == 304


def test_pages_are_read_only(client: Client, db: None) -> None:
    assert client.post("/").status_code == 405
    assert client.head("/").status_code == 200

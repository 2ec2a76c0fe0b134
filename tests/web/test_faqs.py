"""Questions and answers."""

from datetime import date

from rulings.models import CrossReference, Revision
from tests.makers import make_card, make_faq, make_section, make_source
from tests.web.conftest import Reader


def test_question_verdict_answer_rules_cards_and_source(reader: Reader) -> None:
    card = make_card("青き竜")
    faq = make_faq(
        "《青き竜》で攻撃できますか？",
        "いいえ、できません。",
        verdict="no",
        cards=[card],
        source=make_source(text="Q\nA", title="質問集"),
        lines=[[1, 2]],
        url="https://example.com/qa/1/",
        official_id="1",
        effective_on=date(2022, 9, 20),
    )
    target = make_section("305.2")
    CrossReference.objects.create(
        revision=Revision.objects.get(entry=faq),
        place="listed",
        kind="rule",
        text="総合ルール 305.2",
        key="x",
        entry=target,
    )
    page = reader.page(f"/faq/{faq.pk}/")
    assert page.select_one("h1").text == "《青き竜》で攻撃できますか？"
    assert page.select_one(".answer .verdict-no").text == "いいえ"
    assert page.select_one(".answer .prose").text == "いいえ、できません。"
    assert [chip["href"] for chip in page.select(".links a")] == ["/dm-cr/305.2/", f"/cards/{card.pk}/"]
    assert "質問集" in page.select_one(".source").text
    assert page.select_one(".side a[rel~=external]")["href"] == "https://example.com/qa/1/"
    assert "2022年9月20日" in page.main.text


def test_an_answer_without_a_verdict_has_no_badge(reader: Reader) -> None:
    faq = make_faq("どうなりますか？", "破壊されます。", verdict="none")
    assert not reader.page(f"/faq/{faq.pk}/").select(".verdict")


def test_unknown_questions(reader: Reader) -> None:
    section = make_section()
    reader.get("/faq/999999/", 404)
    reader.get(f"/faq/{section.pk}/", 404)
    reader.get("/faq/999999999999999999/", 404)
    reader.get("/faq/99999999999999999999999/", 404)


def test_a_list_costs_the_same_queries_however_long(reader: Reader, django_assert_num_queries: object) -> None:
    for number in range(30):
        make_faq(f"質問{number}", cards=[make_card(f"カード{number}")])
    with django_assert_num_queries(6):  # type: ignore[operator]
        reader.get("/dm-cr/faq/")

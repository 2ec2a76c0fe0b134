"""cards/: by part of a name, with facts, with what is ruled about them."""

from typing import Any

from rulings.models import CardAlias
from rulings.text.fold import fold_key
from tests.makers import make_card, make_faq, make_game, make_interaction, make_section


def names(answer: dict[str, Any]) -> list[str]:
    return [row["name"] for row in answer["results"]]


def test_by_part_of_a_name_the_whole_name_first(get: Any) -> None:
    make_card("超竜")
    make_card("竜")
    make_card("竜王")
    twin = make_card("赤き門/竜の門", faces=["赤き門", "竜の門"])
    CardAlias.objects.create(card=make_card("ジウォッチ"), text="時計の竜", key=fold_key("時計の竜"))
    assert names(get("cards/", q="竜")) == ["竜", "竜王", "ジウォッチ", twin.name, "超竜"]
    assert names(get("cards/", q="《竜》"))[0] == "竜"
    assert get("cards/", q="！？")["count"] == 0
    assert get("cards/")["count"] == 5


def test_by_game(get: Any) -> None:
    make_card("竜")
    make_card("龍", game=make_game("ygo", "遊戯王"))
    assert names(get("cards/", game="ygo")) == ["龍"]
    assert get("cards/", game="x")["warnings"][0]["code"] == "unknown_game"


def test_facts_of_the_faces(get: Any) -> None:
    card = make_card("青き竜")
    card.faces.update(facts={"civilizations": ["水", "闇"], "cost": 5, "power": None})
    CardAlias.objects.create(card=card, text="アオ", key=fold_key("アオ"))
    make_faq(cards=[card])
    answer = get(f"cards/{card.pk}/")
    assert answer["faces"][0]["facts"] == [
        {"key": "civilizations", "label": "文明", "value": "水／闇"},
        {"key": "cost", "label": "コスト", "value": "5"},
    ]
    assert (answer["aliases"], answer["entry_count"]) == (["アオ"], 1)
    assert answer["url"] == f"http://testserver/cards/{card.pk}/"
    assert answer["entries_url"] == f"http://testserver/api/v1/cards/{card.pk}/entries/"


def test_what_is_ruled_about_a_card(get: Any) -> None:
    blue, red = make_card("青き竜"), make_card("赤き竜")
    faq = make_faq(cards=[blue])
    interaction = make_interaction([blue, red], ruled_by=faq)
    make_section()
    rows = get(f"cards/{blue.pk}/entries/")["results"]
    assert {row["id"] for row in rows} == {faq.pk, interaction.pk}
    assert get(f"cards/{blue.pk}/entries/", kind="interaction")["count"] == 1


def test_queries_do_not_grow_with_the_rows(get: Any, django_assert_max_num_queries: Any) -> None:
    for number in range(20):
        make_card(f"竜{number}", faces=[f"竜{number}", f"門{number}"])
    with django_assert_max_num_queries(4):
        assert get("cards/", q="竜")["count"] == 20

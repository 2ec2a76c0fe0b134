"""entries/, faqs/, interactions/: what lists and single entries show."""

from datetime import date
from typing import Any

import pytest
from rest_framework.request import Request

from rulings.api.entries import EntrySerializer
from rulings.models import Contradiction, CrossReference, Entry, Revision
from tests.makers import (
    make_amendment,
    make_card,
    make_faq,
    make_game,
    make_interaction,
    make_ruleset,
    make_section,
    make_source,
)


def cite(citing: Any, **target: Any) -> None:
    revision = Revision.objects.get(entry=citing)
    CrossReference.objects.create(
        revision=revision, place="body", start=0, end=5, kind="rule", text="ルール 1", key="101.1", **target
    )


def test_an_entry_shows_all_that_is_known_of_it(get: Any) -> None:
    source = make_source(text="題名\n101.1. 一つ目\n続き\n101.2. 二つ目")
    amendment = make_amendment(title="初版")
    chapter = make_section("101", level="chapter", title="はじめに")
    cited = make_section("101.2", body="引用される条項")
    section = make_section("101.1", parent=chapter, source=source, lines=[[2, 3]], amendment=amendment)
    cite(section, entry=cited)
    asking = make_faq("なぜ？", parent=section)
    cite(asking, entry=section)

    entry = get(f"entries/{section.pk}/")

    assert entry["parent"]["title"] == "はじめに"
    assert [line["text"] for line in entry["source"]["lines"]] == ["101.1. 一つ目", "続き"]
    reference = entry["references"][0]
    assert (reference["text"], reference["start"], reference["end"]) == ("ルール 1", 0, 5)
    assert reference["entry"]["url"] == "http://testserver/dm-cr/101.2/"
    assert (entry["cited_by_count"], entry["cited_by"][0]["title"]) == (1, "なぜ？")
    assert entry["revisions"][0]["amendment"]["title"] == "初版"
    assert entry["in_force"] is True


def test_a_reference_to_nothing_says_so(get: Any) -> None:
    section = make_section()
    cite(section)
    reference = get(f"entries/{section.pk}/")["references"][0]
    assert (reference["entry"], reference["card"], reference["text"]) == (None, None, "ルール 1")


def test_a_superseded_entry_names_its_successor(get: Any) -> None:
    successor = make_section("703.4m")
    old = make_section("117.2", status="superseded", superseded_by=successor, status_reason="703.4m へ")
    assert get(f"entries/{old.pk}/")["superseded_by"]["number"] == "703.4m"
    assert old.pk not in ids(get("entries/"))
    assert ids(get("entries/", status="all")) == {old.pk, successor.pk}
    assert ids(get("entries/", status="superseded")) == {old.pk}


def test_what_held_on_a_date(get: Any) -> None:
    ended = make_section("1.1", status="withdrawn", status_reason="廃止", ended_on=date(2025, 6, 1))
    ended.revisions.create(event="deleted", effective_on=date(2025, 6, 1))
    later = make_section("1.2", effective_on=date(2025, 7, 1))
    assert ids(get("entries/", as_of="2025-02-01")) == {ended.pk}
    assert ids(get("entries/", as_of="2025-08-01")) == {later.pk}
    tombstone = get(f"entries/{ended.pk}/")
    assert (tombstone["in_force"], tombstone["body"]) == (False, "これは試験用の条項です。")


def test_filters(get: Any) -> None:
    card = make_card()
    other = make_ruleset("ygo-zexal", game=make_game("ygo", "遊戯王"))
    section, faq = make_section("1.1"), make_faq(cards=[card])
    elsewhere = make_section("1.1", ruleset=other)
    cite(faq, entry=section)
    assert ids(get("entries/", kind="faq")) == {faq.pk}
    assert ids(get("entries/", game="ygo")) == {elsewhere.pk}
    assert ids(get("entries/", ruleset="dm-cr")) == {section.pk, faq.pk}
    assert ids(get("entries/", card=card.pk)) == {faq.pk}
    assert ids(get("entries/", cites=section.pk)) == {faq.pk}
    unknown = get("entries/", ruleset="dm-x")
    assert (unknown["count"], unknown["warnings"][0]["code"]) == (0, "unknown_ruleset")


def test_questions(get: Any) -> None:
    yes = make_faq(official_id="123")
    no = make_faq("できますか？", "いいえ。", verdict="no")
    make_section()
    assert ids(get("faqs/", ruleset="dm-cr")) == {yes.pk, no.pk}
    assert ids(get("faqs/", verdict="no")) == {no.pk}
    assert ids(get("faqs/", official_id="123")) == {yes.pk}
    assert get(f"faqs/{no.pk}/")["verdict"] == "no"
    get(f"faqs/{make_section('9.9').pk}/", 404)


def test_interactions_by_cards_in_any_order(get: Any) -> None:
    blue, red, green = make_card("青き竜"), make_card("赤き竜"), make_card("緑の竜")
    faq = make_faq("どうなりますか？", "はい、両方です。", cards=[blue, red])
    both = make_interaction([blue, red], ruled_by=faq)
    make_interaction([blue, green])
    for cards in (f"{blue.pk},{red.pk}", f"{red.pk},{blue.pk}", "赤き竜, 青き竜", f"《青き竜》,{red.pk}"):
        assert ids(get("interactions/", cards=cards)) == {both.pk}, cards
    row = get("interactions/", cards="赤き竜")["results"][0]
    assert (row["body"], row["verdict"]) == ("はい、両方です。", "yes")
    assert get(f"interactions/{both.pk}/")["ruled_by"]["id"] == faq.pk
    unknown = get("interactions/", cards="黒き竜,赤き竜")
    assert (unknown["count"], unknown["warnings"][0]["code"]) == (0, "unknown_card")


def test_a_card_that_shares_the_name_of_a_face_finds_both(get: Any) -> None:
    twin, single, red = make_card("超竜/設計図", faces=["超竜", "設計図"]), make_card("設計図面"), make_card("赤き竜")
    single.faces.update(key=twin.faces.get(name="設計図").key)
    first, second = make_interaction([twin, red]), make_interaction([single, red])
    assert ids(get("interactions/", cards="設計図,赤き竜")) == {first.pk, second.pk}


@pytest.mark.parametrize("address", ["entries/", "faqs/", "interactions/"])
@pytest.mark.parametrize("many", [1, 9])
def test_queries_do_not_grow_with_the_rows(
    address: str, many: int, get: Any, django_assert_max_num_queries: Any
) -> None:
    for number in range(many):
        cards = [make_card(f"青{number}"), make_card(f"赤{number}")]
        faq = make_faq(cards=cards, source=make_source())
        make_interaction(cards, ruled_by=faq)
        successor = make_section(f"1.{number}")
        make_section(f"2.{number}", status="superseded", superseded_by=successor)
    with django_assert_max_num_queries(8):
        assert get(address, status="all")["count"] >= many


def test_pages_and_their_links(get: Any) -> None:
    for number in range(5):
        make_section(f"1.{number}")
    first = get("entries/", page_size=2)
    assert (first["count"], len(first["results"]), first["previous"]) == (5, 2, None)
    second = get(first["next"].partition("/api/v1/")[2])
    assert ids(first).isdisjoint(ids(second))
    capped = get("entries/", page_size=500)
    assert (capped["warnings"][0]["code"], len(capped["results"])) == ("page_size_capped", 5)


def test_validators_and_the_change_number(client: Any, get: Any) -> None:
    make_section()
    response = client.get("/api/v1/entries/")
    assert response["X-Change-Number"] == "0"
    again = client.get("/api/v1/entries/", headers={"if-none-match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = client.head("/api/v1/entries/")
    assert (head.status_code, head.content) == (200, b"")
    assert client.options("/api/v1/entries/")["Allow"] == "GET, HEAD, OPTIONS"


def ids(answer: dict[str, Any]) -> set[int]:
    return {row["id"] for row in answer["results"]}


def test_rows_are_what_the_serializer_describes(rf: Any, db: None) -> None:
    request = Request(rf.get("/api/v1/entries/"))
    cards = [make_card("青き竜"), make_card("赤き竜")]
    ruling, other = make_faq("よいか", cards=cards), make_faq("だめか", body="いいえ。", verdict="no")
    Contradiction.objects.create(older=ruling, newer=other)
    new = make_section("102.1", title="見出し", body="本文", examples=[{"label": "例", "text": "例文"}])
    make_section("101.1", body="", title="前の見出し", status="superseded", superseded_by=new)
    make_interaction(cards, ruled_by=ruling)
    make_section("103.1", effective_on=None)
    make_section("104.1", effective_on=date(2030, 1, 1), status="announced")
    for day in (None, date(2025, 6, 1), date(2020, 1, 1)):
        described = EntrySerializer(context={"request": request, "as_of": day})
        for entry in Entry.objects.for_display(day):
            told = described.by_fields(entry)
            assert described.to_representation(entry) == told, (day, entry)
            assert list(described.to_representation(entry)) == list(told)

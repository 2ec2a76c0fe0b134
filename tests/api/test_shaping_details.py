"""`fields` and `expand` on the search and on single things, as on lists."""

from typing import Any

import pytest
from django.test import Client

from rulings.models import CrossReference
from tests.makers import make_amendment, make_card, make_faq, make_interaction, make_section

pytestmark = pytest.mark.django_db
SINGLES = ["entries/{rule}/", "faqs/{faq}/", "interactions/{interaction}/", "cards/{card}/", "rulesets/dm-cr/",
           "rulesets/dm-cr/sections/1.1/", "amendments/{amendment}/"]  # fmt: skip
OF_ENTRIES = ["faqs/{faq}/", "entries/{faq}/", "search/?q=青き竜は飛べますか"]


@pytest.fixture
def ids() -> dict[str, int]:
    card, rule = make_card("青き竜"), make_section("1.1", body="竜は飛べる。")
    faq = make_faq("《青き竜》は飛べますか？", "はい。", cards=[card])
    CrossReference.objects.create(
        revision=faq.revisions.get(), place="body", start=0, end=1, kind="rule", text="1.1", key="1.1", entry=rule
    )
    return {
        "rule": rule.pk,
        "card": card.pk,
        "faq": faq.pk,
        "interaction": make_interaction([card, make_card("赤き竜")]).pk,
        "amendment": make_amendment().pk,
    }


@pytest.mark.parametrize("address", SINGLES)
def test_only_the_members_asked_for(get: Any, ids: dict[str, int], address: str) -> None:
    address = address.format(**ids)
    whole = get(address)
    wanted = sorted(set(whole) - {"id", "warnings"})[:2]
    sparse = get(address, fields=",".join(wanted))
    assert sparse == {name: value for name, value in whole.items() if name in {"id", "warnings", *wanted}}
    answer = get(address, fields=f"{wanted[0]},colour")
    assert [(one["code"], one["parameter"]) for one in answer["warnings"]] == [("unknown_name", "fields")]
    assert get(address, 400, fields="colour", strict=1)["parameter"] == "fields"


def test_what_is_left_out_is_not_read(get: Any, ids: dict[str, int], django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(8):
        assert get(f"faqs/{ids['faq']}/", fields="title")["title"] == "《青き竜》は飛べますか？"


@pytest.mark.parametrize("address", OF_ENTRIES)
def test_what_is_cited_and_named_comes_along(get: Any, ids: dict[str, int], address: str) -> None:
    address, _mark, query = address.format(**ids).partition("?q=")
    q = {"q": query} if query else {}
    assert "included" not in get(address, **q)
    more = get(address, expand="references,cards", **q)["included"]
    assert [entry["number"] for entry in more["entries"]] == ["1.1"]
    assert "青き竜" in [card["name"] for card in more["cards"]]
    assert get(address, expand="cards", fields="title", **q)["included"]["entries"] == []
    assert get(address, 400, expand="moon", strict=1, **q)["parameter"] == "expand"


def test_sparse_results(get: Any, ids: dict[str, int]) -> None:
    whole = get("search/", q="青き竜")
    sparse = get("search/", q="青き竜", fields="title,score")
    assert [set(row) for row in sparse["results"]] == [{"id", "title", "score"}] * len(whole["results"])
    assert [row["id"] for row in sparse["results"]] == [row["id"] for row in whole["results"]]
    cards = get("search/", q="青き竜", kind="card", expand="cards")
    assert [card["id"] for card in cards["included"]["cards"]] == [row["id"] for row in cards["results"]]


@pytest.mark.parametrize("address", ["cards/{card}/", "rulesets/dm-cr/", "suggest/", "changes/"])
def test_only_entries_can_be_expanded(client: Client, ids: dict[str, int], address: str) -> None:
    problem = client.get(f"/api/v1/{address.format(**ids)}?expand=cards&strict=1").json()
    assert (problem["code"], problem["parameter"]) == ("unknown_parameter", "expand")

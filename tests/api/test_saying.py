"""What problems say: in both languages, with the values at fault."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from rulings.api.saying import SAYINGS, in_both, is_japanese, say, shown
from tests.api.conftest import check
from tests.makers import make_card, make_section

pytestmark = pytest.mark.django_db
PLACE = re.compile(r"{(\w+)}")


@pytest.fixture(autouse=True)
def content() -> None:
    make_section("101.1")
    make_card("青き竜")


@pytest.mark.parametrize(
    ("address", "japanese", "english"),
    [
        (
            "search/?page=abc",
            "page には 1 以上の整数を指定してください。",
            'page must be a whole number of at least 1, not "abc".',
        ),
        ("search/?card=blue", "有効な整数を入力してください。", 'card: A valid integer is required. Given: "blue".'),
        ("search/?kind=rule", None, 'kind: "rule" is not a valid choice. Given: "rule".'),
        (
            "search/?as_of=2025-13-01",
            None,
            'as_of: Date has wrong format. Use one of these formats instead: YYYY-MM-DD. Given: "2025-13-01".',
        ),
        (
            "entries/?kind=card",
            None,
            'kind: Select a valid choice. card is not one of the available choices. Given: "card".',
        ),
        ("entries/?cites=x", None, 'cites: Enter a whole number. Given: "x".'),
        (
            "search/?colour=blue&strict=1",
            "知らないパラメーターです：colour",
            "There is no parameter colour; strict=1 refuses it.",
        ),
        (
            "entries/?page=2",
            "2 ページ目はありません（最後は 1 ページ目、全 1 件）。",
            "There is no page 2: the last one is 1, with 1 rows in all.",
        ),
        ("entries/?ordering=colour", None, 'ordering must be one of id, -id, number, -number, -changed, not "colour".'),
        (
            "entries/?cursor=x",
            "この cursor は読めません。next のアドレスをそのまま使ってください。",
            'The cursor "x" cannot be read. Use the address in next as it is.',
        ),
        (
            "entries/?cursor=&page=2",
            "cursor と page は併用できません。",
            'cursor and page (here "2") cannot be used together.',
        ),
        ("entries/99/", "お探しのものは見つかりませんでした。", 'There is nothing at "/api/v1/entries/99/".'),
        ("nothing/", None, 'There is nothing at "/api/v1/nothing/". The addresses are listed at /api/v1/docs/.'),
        (
            "changes/?since=5",
            "最後の変更は 0 番です。5 番は別のデータのものです。exports/ からはじめ直してください。",
            "The last change is 0: 5 is of another database. Begin anew with exports/.",
        ),
        (
            "rulesets/dm-cr/diff/?from=2025-02-01&to=2025-01-01",
            "from は to より前の日にしてください。",
            "from (2025-02-01) must be a day before to (2025-01-01).",
        ),
    ],
)
def test_what_went_wrong_with_which_value(client: Client, address: str, japanese: str | None, english: str) -> None:
    problem = client.get(f"/api/v1/{address}").json()
    assert problem["detail_en"] == english
    assert is_japanese(problem["detail"])
    assert japanese is None or problem["detail"] == japanese


def test_what_the_headers_say(client: Client) -> None:
    address = "/api/v1/search/"
    assert client.post(address).json()["detail_en"].startswith('POST is not allowed at "/api/v1/search/"')
    assert '"text/html"' in client.get(address, headers={"accept": "text/html"}).json()["detail_en"]
    refused = client.post("/api/v1/batch/", "x=1", content_type="application/x-www-form-urlencoded")
    assert '"application/x-www-form-urlencoded"' in refused.json()["detail_en"]
    stale = client.get("/api/v1/rulesets/", headers={"if-match": '"old"'}).json()["detail_en"]
    assert '"old"' in stale


@pytest.mark.parametrize(
    ("body", "japanese", "english"),
    [
        ("{", "リクエストの形が正しくありません。", "JSON parse error"),
        ("[]", None, "Expected a dictionary, but got list"),
        ('{"entries": [1], "since": "x"}', None, 'since: A valid integer is required. Given: "x".'),
        (json.dumps({"entries": list(range(1, 102))}), None, "no more than 100"),
        (json.dumps({"entries": list(range(1, 60)), "cards": list(range(1, 60))}),
         "一度に取れるのは合わせて 100 件までです。", "At most 100 ids can be asked for at once, not 118."),
        ('{"mark": []}', "値の形が正しくありません。", "mark: Not a valid string."),
    ],
)  # fmt: skip
def test_bodies(client: Client, body: str, japanese: str | None, english: str) -> None:
    response = client.post("/api/v1/batch/", body, content_type="application/json")
    check(response)
    problem = response.json()
    assert english in problem["detail_en"]
    assert is_japanese(problem["detail"])
    assert japanese is None or problem["detail"] == japanese


def test_a_long_value_is_cut(client: Client) -> None:
    problem = client.get("/api/v1/search/", {"card": "竜" * 5_000}).json()
    assert len(problem["detail_en"]) < 200
    assert problem["detail_en"].endswith('竜…".')


@pytest.mark.parametrize("key", SAYINGS)
def test_every_saying_is_whole(key: str) -> None:
    japanese, english = SAYINGS[key]
    assert is_japanese(japanese)
    assert not is_japanese(english)
    assert set(PLACE.findall(japanese)) <= {*PLACE.findall(english), "listed"}
    values: dict[str, Any] = dict.fromkeys([*PLACE.findall(japanese), *PLACE.findall(english)], shown("x"))
    assert all(text and "{" not in text for text in in_both(say(key, **values)))

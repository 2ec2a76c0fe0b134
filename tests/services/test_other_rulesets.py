"""A document that belongs to another ruleset is told, one that belongs where it goes is not."""

import pytest

from rulings.importers.records import Fate, Form, LineAccount, ParsedDocument
from rulings.models import Ruleset
from rulings.services.importing import import_parsed
from tests.makers import make_game, make_ruleset
from tests.services.documents import DAY, LATER, amendment, document, load, section

pytestmark = pytest.mark.django_db


@pytest.fixture
def rulesets() -> dict[str, Ruleset]:
    names = {"dm-cr": "総合ルール", "dm-party": "デュエパーティー", "dm-own": "町の大会"}
    found = {slug: make_ruleset(slug, name=name) for slug, name in names.items()}
    return found | {"ygo-zexal": make_ruleset("ygo-zexal", name="ゼアル", game=make_game("ygo", "遊戯王OCG"))}


def _told(ruleset: Ruleset, parsed: ParsedDocument, dry_run: bool = True) -> list[str]:
    report = load(ruleset, parsed, LATER, dry_run=dry_run)
    return [warning["message"] for warning in report.warnings if warning["code"] == "other_ruleset"]


@pytest.mark.parametrize(
    ("title", "into", "named"),
    [
        ("デュエパーティーとは", "dm-cr", "デュエパーティー"),
        ("デュエパの遊び方", "dm-cr", "デュエパーティー"),
        ("総合ゲームルール Ver.2", "dm-party", "総合ルール"),
        ("町の大会のきまり", "dm-cr", "町の大会"),
        ("デュエパーティーとは", "dm-party", ""),
        ("デュエパーティーと総合ルール", "dm-cr", ""),
        ("総合ルールとデュエパーティーの違い", "dm-own", ""),
        ("はじめての方へ", "dm-cr", ""),
        ("総合ルール", "ygo-zexal", ""),
    ],
)
def test_the_title_names_a_ruleset(rulesets: dict[str, Ruleset], title: str, into: str, named: str) -> None:
    parsed = document(section("はじめに", "遊び方の説明です。"), form=Form.PAGE, title=title)
    told = _told(rulesets[into], parsed)
    assert [named in message for message in told] == [True] * bool(named)
    assert len(_told(rulesets[into], parsed, dry_run=False)) == len(told)


def test_a_line_about_the_document_names_a_ruleset(rulesets: dict[str, Ruleset]) -> None:
    parsed = document(section("はじめに", "総合ルールも読んでください。"), form=Form.OUTLINE, title="はじめに")
    parsed.account = [LineAccount(1, Fate.SOURCE_NOTE, (), "題名"), LineAccount(2, Fate.ENTRY, ("はじめに",))]
    text = "デュエパーティーのページ\n総合ルールも読んでください。"
    report = import_parsed(rulesets["dm-cr"], parsed, text, published=DAY, dry_run=True)
    assert "other_ruleset" in {warning["code"] for warning in report.warnings}


def _changes(*texts: str) -> ParsedDocument:
    return amendment(*(section(f"101.{at}", text) for at, text in enumerate(texts, 1)), title="改定のお知らせ")


def test_changed_numbers_are_those_of_another_ruleset(rulesets: dict[str, Ruleset]) -> None:
    old = [section("101.1", "山札が0枚になったら負けます。"), section("101.2", "盾がない時に攻撃が通ると負けます。")]
    load(rulesets["dm-cr"], document(*old, title="規則"))
    changed = _changes(
        "山札が1枚になったら負けます。", "盾がない時に攻撃が通れば負けます。", "三番目の新しい規則です。"
    )
    assert "総合ルール" in _told(rulesets["dm-party"], changed)[0]
    assert _told(rulesets["dm-cr"], changed) == []


def test_the_same_numbers_with_other_rules_are_no_sign(rulesets: dict[str, Ruleset]) -> None:
    load(rulesets["dm-cr"], document(section("101.1", "山札が0枚になったら負けます。"), title="規則"))
    assert _told(rulesets["dm-party"], _changes("三人以上で遊ぶ時は席順を決めます。")) == []

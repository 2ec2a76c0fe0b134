"""Importing a document in the admin: nothing is written before the editor agrees to what the preview shows."""

import re
from datetime import date
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from rulings.admin.importing import LARGEST
from rulings.models import Change, Entry, Revision, Ruleset, Source, Status
from rulings.services.editing import edit_entry
from rulings.services.wordings import Wording
from tests.makers import make_faq, make_ruleset
from tests.services.documents import at

pytestmark = pytest.mark.django_db
BOOK = """総合ルール Ver.1.0
目次
1. ゲームの基本
100. 総則
101. 勝敗
1. ゲームの基本
100. 総則
100.1. このルールは対戦に使うものです。
100.2. カードの文と食い違う時は、カードの文を優先します。
101. 勝敗
101.1. 相手の山札が無くなった時、そのプレイヤーはゲームに敗北します。
101.2. 両方の山札が同時に無くなった時は、引き分けです。
"""
LATER = BOOK.replace("Ver.1.0", "Ver.1.1").replace("引き分けです", "ゲームを最初からやり直します")


@pytest.fixture
def rules() -> Ruleset:
    return make_ruleset("dm-cr")


@pytest.fixture
def editor(admin_client: Client, rules: Ruleset) -> Client:
    return admin_client


def address() -> str:
    return reverse("admin:rulings_source_import")


def asked(rules: Ruleset, text: str = BOOK, **data: Any) -> dict[str, Any]:
    return {
        "step": "preview",
        "ruleset": rules.pk,
        "form": "numbered",
        "text": text,
        "published": "2025-01-01",
    } | data


def preview(client: Client, data: dict[str, Any]) -> BeautifulSoup:
    return BeautifulSoup(client.post(address(), data).content, "html.parser")


def agree(client: Client, page: BeautifulSoup, **choices: Any) -> Any:
    """Send the form of a preview back, as a browser would."""
    form = page.select_one("#content-main form")
    assert form is not None
    data = {field["name"]: field.get("value", "") for field in form.select("input[type=hidden]")}
    for select in form.select("select"):
        chosen = select.select_one("option[selected]") or select.option
        data[select["name"]] = chosen["value"]
    return client.post(address(), data | {"step": "confirm"} | choices, follow=True)


def words(page: BeautifulSoup) -> str:
    return re.sub(r"\s+", " ", page.select_one("#content-main").get_text(" "))  # type: ignore[union-attr]


def counted() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Source, Entry, Revision, Change))


def test_a_preview_writes_nothing_and_the_confirmation_everything(editor: Client, rules: Ruleset) -> None:
    page = preview(editor, asked(rules))
    assert "まだ何も保存していません" in words(page)
    assert "山札が同時に無くなった時" in words(page)
    assert counted() == (0, 0, 0, 0)
    done = agree(editor, page)
    assert "読み込みました" in done.content.decode()
    assert at(rules, "101.2").wording is not None
    revision = Revision.objects.get(number="101.2")
    assert revision.editor == User.objects.get()


def test_an_upload_is_read_like_the_command_reads_it(editor: Client, rules: Ruleset) -> None:
    data = asked(rules, text="") | {"file": SimpleUploadedFile("規則.txt", BOOK.encode("cp932"))}
    agree(editor, preview(editor, data))
    assert at(rules, "101.1").wording is not None


def test_a_preview_shows_what_changes_and_what_it_makes_doubtful(editor: Client, rules: Ruleset) -> None:
    agree(editor, preview(editor, asked(rules)))
    faq = make_faq("どうなりますか？", "引き分けです。", ruleset=rules, effective_on=None)
    edit_entry(faq, Wording("どうなりますか？", "引き分けです。（ルール 101.2.）"), on=None)
    before = counted()
    page = preview(editor, asked(rules, LATER, published="2025-06-01"))
    assert page.select_one("del") is not None
    assert "要確認になる項目" in words(page)
    assert "どうなりますか？" in words(page)
    assert counted() == before
    agree(editor, page)
    assert Entry.objects.get(pk=faq.pk).status == Status.NEEDS_REVIEW
    again = preview(editor, asked(rules, LATER, published="2025-06-01"))
    assert "同じ文書は取り込み済みです" in words(again)
    assert again.select_one("button[value=confirm]") is None


CELL = "キング・セルは単独では使えず、指定された仲間と合体して初めて場に出ます。"
DOUBTFUL = "ハイパーモードのカードは、味方のクリーチャーをタップして、その力を一時的に解放できるカードです。"
MODE = "ハイパーモードのカードは、味方をタップして力を解放できます。"


def test_a_doubt_is_a_choice_with_its_candidates(editor: Client, rules: Ruleset) -> None:
    agree(editor, preview(editor, asked(rules, BOOK + f"814.1. {MODE}\n")))
    old = at(rules, "814.1")
    newer = asked(rules, BOOK.replace("1.0", "1.1") + f"810.1. {CELL}\n815.1. {DOUBTFUL}\n", published="2025-06-01")
    page = preview(editor, newer)
    select = page.select_one('select[name="same:815.1"]')
    assert select is not None
    assert [option["value"] for option in select.select("option")] == ["814.1", ""]
    data = {field["name"]: field.get("value", "") for field in page.select("#content-main form input[type=hidden]")}
    chosen = preview(editor, data | {"step": "preview", "same:815.1": "814.1"})
    assert "814.1 → 815.1" in words(chosen)
    assert chosen.select_one('option[value="814.1"][selected]') is not None
    agree(editor, chosen)
    assert at(rules, "815.1") == old


def test_lists_are_imported_the_same_way(editor: Client, rules: Ruleset) -> None:
    agree(editor, preview(editor, asked(rules, published="2025-01-01")))
    earlier = "番号,日付,本文\n101.2,2020-04-01,両方の山札が同時に無くなった時は、親の勝ちです。\n"
    page = preview(editor, asked(rules, earlier, form="wordings"))
    assert "親の勝ち" in words(page)
    assert Source.objects.count() == 1
    agree(editor, page)
    assert at(rules, "101.2").wording_on(date(2021, 1, 1)).body.endswith("親の勝ちです。")  # type: ignore[union-attr]
    questions = "質問,回答\n引き分けですか?,はい。（101.2.）\n"
    agree(editor, preview(editor, asked(rules, questions, form="all_faqs")))
    assert Entry.objects.get(kind="faq").wording is not None


def test_a_mass_ending_wants_consent(editor: Client, rules: Ruleset) -> None:
    many = "".join(f"101.{number}. {number}番目の決まりは{'長い' * number}文です。\n" for number in range(3, 20))
    agree(editor, preview(editor, asked(rules, BOOK + many)))
    page = preview(editor, asked(rules, BOOK.replace("1.0", "1.1"), published="2025-06-01"))
    assert page.select_one("input[name=allow_ending]") is not None
    refused = agree(editor, page)
    assert "取り込んでいません" in refused.content.decode()
    assert at(rules, "101.19").is_live
    agree(editor, page, allow_ending="1")
    assert not at(rules, "101.19").is_live


def test_what_changed_meanwhile_is_previewed_again(editor: Client, rules: Ruleset) -> None:
    agree(editor, preview(editor, asked(rules)))
    page = preview(editor, asked(rules, LATER, published="2025-06-01"))
    edit_entry(at(rules, "100.1"), Wording(body="ほかの人の編集。", number="100.1"), on=None)
    answer = agree(editor, page)
    assert "ほかの変更がありました" in answer.content.decode()
    assert Source.objects.count() == 1
    agree(editor, BeautifulSoup(answer.content, "html.parser"))
    assert Source.objects.count() == 2


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"text": ""}, "ファイルを選ぶか、文書を貼り付けてください"),
        ({"text": "", "file": SimpleUploadedFile("a.pdf", b"%PDF-1.7 ...")}, "PDF"),
        ({"text": "This is an English text, with nothing to read in it at all."}, "日本語"),
        ({"published": "きのう"}, "日付"),
        ({"url": "javascript:alert(1)"}, "URLではありません"),
        ({"ruleset": "0"}, "正しく選択"),
        ({"form": "novel"}, "正しく選択"),
        ({"text": "", "file": SimpleUploadedFile("a.txt", b" " * (LARGEST + 1))}, "大きすぎます"),
        ({"text": "", "document": "???"}, "壊れています"),
        ({"text": "", "document": "日本語"}, "壊れています"),
        ({"url": "https://[::1"}, "URLではありません"),
    ],
)
def test_bad_input_is_told_in_japanese(editor: Client, rules: Ruleset, data: dict[str, Any], message: str) -> None:
    answer = editor.post(address(), asked(rules) | data)
    assert answer.status_code == 200
    assert message in answer.content.decode()
    assert counted() == (0, 0, 0, 0)


def test_only_who_may_write_imports(client: Client, rules: Ruleset) -> None:
    assert client.get(address()).status_code == 302  # to the login
    reader = User.objects.create_user("読者", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_source"))
    client.force_login(reader)
    assert client.get(address()).status_code == 403
    assert client.post(address(), asked(rules)).status_code == 403
    assert address() not in client.get(reverse("admin:rulings_source_changelist")).content.decode()


def test_the_list_of_sources_leads_here(editor: Client) -> None:
    assert address() in editor.get(reverse("admin:rulings_source_changelist")).content.decode()
    assert editor.get(address()).status_code == 200

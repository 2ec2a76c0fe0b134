"""The editors' side: every page opens, an edit writes a revision, history is read only."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rulings.models import CardInteraction, Change, Entry, FaqEntry, RuleSection, Ruleset, Status
from tests.makers import make_amendment, make_card, make_faq, make_interaction, make_ruleset, make_section, make_source

MODELS = [model for model in admin.site._registry if model._meta.app_label == "rulings"]


@pytest.fixture
def editor(admin_client: Client) -> Client:
    return admin_client


def rows(form: str = "revisions") -> dict[str, str]:
    return {f"{form}-TOTAL_FORMS": "0", f"{form}-INITIAL_FORMS": "0"}


@pytest.mark.django_db
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_list_opens_and_searches(editor: Client, model: type) -> None:
    make_interaction(ruled_by=make_faq(source=make_source()))
    make_section(amendment=make_amendment())
    address = reverse(f"admin:rulings_{model._meta.model_name}_changelist")
    assert editor.get(address).status_code == 200
    assert editor.get(address, {"q": "竜"}).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("make", [make_section, make_faq, make_interaction, make_card], ids=lambda make: make.__name__)
def test_every_form_opens(editor: Client, make) -> None:
    thing = make()
    name = thing._meta.model_name
    assert editor.get(reverse(f"admin:rulings_{name}_add")).status_code == 200
    assert editor.get(reverse(f"admin:rulings_{name}_change", args=[thing.pk])).status_code == 200


@pytest.mark.django_db
def test_an_edit_writes_a_revision_and_makes_citing_entries_doubtful(editor: Client) -> None:
    section = make_section("101.1", body="山札を見ます。")
    faq_data = {
        "ruleset": section.ruleset_id,
        "title": "見られますか？",
        "body": "はい、見られます。（ルール 101.1.）",
        "examples": "[]",
        "verdict": "yes",
        "effective_on": "2025-01-01",
    }
    assert editor.post(reverse("admin:rulings_faqentry_add"), faq_data | rows()).status_code == 302
    faq = FaqEntry.objects.get()
    assert faq.wording.references.get().entry_id == section.pk

    data = {
        "ruleset": section.ruleset_id,
        "number": "101.1",
        "level": "rule",
        "sort_key": section.sort_key,
        "body": "山札を見られません。",
        "examples": "[]",
        "verdict": "none",
        "effective_on": timezone.localdate().isoformat(),
        "reason": "誤記の訂正",
    }
    answer = editor.post(reverse("admin:rulings_rulesection_change", args=[section.pk]), data | rows())
    assert answer.status_code == 302
    section = RuleSection.objects.get(pk=section.pk)
    assert [revision.body for revision in section.revisions.all()] == ["山札を見ます。", "山札を見られません。"]
    assert section.wording.editor is not None
    assert Entry.objects.get(pk=faq.pk).status == Status.NEEDS_REVIEW
    assert Change.objects.count() >= 3


@pytest.mark.django_db
def test_a_section_typed_in_any_writing_gets_its_canonical_number(editor: Client) -> None:
    data = {
        "ruleset": make_ruleset().pk,
        "number": "８０５－４ａ",
        "level": "subrule",
        "body": "召喚できません。",
        "examples": "",
        "verdict": "none",
        "effective_on": "2025-01-01",
    }
    assert editor.post(reverse("admin:rulings_rulesection_add"), data | rows()).status_code == 302
    section = RuleSection.objects.get()
    assert (section.number, section.sort_key) == ("805.4a", "0805.0004.a.")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"body": "", "title": ""}, "見出しか本文"),
        ({"examples": '{"a": 1}'}, "例は label と text"),
        ({"effective_on": "きのう"}, "日付"),
    ],
)
def test_bad_input_is_told_and_nothing_is_stored(editor: Client, change: dict[str, str], message: str) -> None:
    data = {
        "ruleset": make_ruleset().pk,
        "title": "問い",
        "body": "答え",
        "examples": "[]",
        "verdict": "none",
        "effective_on": "2025-01-01",
    }
    answer = editor.post(reverse("admin:rulings_faqentry_add"), data | change | rows())
    assert answer.status_code == 200
    assert message in answer.content.decode()
    assert not Entry.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("number", ["a/b", "history", "..", "処理の 順?"])
def test_a_section_needs_a_number_that_an_address_can_hold(editor: Client, number: str) -> None:
    data = {
        "ruleset": make_ruleset().pk,
        "number": number,
        "level": "heading",
        "body": "召喚できません。",
        "examples": "",
        "verdict": "none",
        "effective_on": "2025-01-01",
    }
    answer = editor.post(reverse("admin:rulings_rulesection_add"), data | rows())
    assert "スラッグを書いてください" in answer.content.decode()
    assert not Entry.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["faq", "api", "interactions"])
def test_a_ruleset_may_not_take_the_address_of_another_page(editor: Client, slug: str) -> None:
    data = {"game": make_ruleset().game_id, "slug": slug, "name": "別の規則", "authority": "house", "position": "0"}
    answer = editor.post(reverse("admin:rulings_ruleset_add"), data)
    assert "ほかのページに使われています" in answer.content.decode()
    assert not Ruleset.objects.filter(slug=slug).exists()


@pytest.mark.django_db
def test_an_interaction_needs_two_cards(editor: Client) -> None:
    one, other = make_card("青き竜"), make_card("赤き竜")
    data = {
        "ruleset": make_ruleset().pk,
        "title": "二体が出会うとき",
        "body": "",
        "examples": "[]",
        "verdict": "none",
        "effective_on": "2025-01-01",
        "cards": [one.pk],
    }
    answer = editor.post(reverse("admin:rulings_cardinteraction_add"), data | rows())
    assert "2枚以上" in answer.content.decode()
    answer = editor.post(reverse("admin:rulings_cardinteraction_add"), data | rows() | {"cards": [other.pk, one.pk]})
    assert answer.status_code == 302
    assert CardInteraction.objects.get().cards_key == f"{one.pk}-{other.pk}"


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["revision", "change", "source", "crossreference"])
def test_history_is_read_only(editor: Client, name: str) -> None:
    assert editor.get(reverse(f"admin:rulings_{name}_add")).status_code == 403


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["rulesection", "faqentry", "card", "ruleset", "game", "amendment"])
def test_nothing_published_can_be_deleted(editor: Client, name: str) -> None:
    thing = make_section()
    assert editor.get(reverse(f"admin:rulings_{name}_delete", args=[thing.pk])).status_code in (403, 302, 404)
    assert Entry.objects.filter(pk=thing.pk).exists()


@pytest.mark.django_db
def test_a_new_card_is_found_by_texts_that_named_it(editor: Client) -> None:
    faq = make_faq("使えますか？", "《青き竜》は使えます。", effective_on=timezone.localdate())
    editor.post(
        reverse("admin:rulings_faqentry_change", args=[faq.pk]),
        {
            "ruleset": faq.ruleset_id,
            "title": "使えますか？",
            "body": "《青き竜》なら使えます。",
            "examples": "[]",
            "verdict": "yes",
            "effective_on": timezone.localdate().isoformat(),
        }
        | rows(),
    )
    assert not Entry.objects.get(pk=faq.pk).cards.exists()
    data = {"game": faq.ruleset.game_id, "name": "青き竜"} | rows("faces") | rows("aliases")
    assert editor.post(reverse("admin:rulings_card_add"), data).status_code == 302
    assert [card.name for card in Entry.objects.get(pk=faq.pk).cards.all()] == ["青き竜"]

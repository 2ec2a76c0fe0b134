"""Card interactions follow the rulings that they come from."""

import pytest

from rulings.importers.records import Form
from rulings.models import CardInteraction, Change, Ruleset, Status
from tests.makers import make_card, make_ruleset
from tests.services.documents import DAY, LAST, LATER, amendment, document, faq, load, section

pytestmark = pytest.mark.django_db


@pytest.fixture
def rules() -> Ruleset:
    for name in ("火竜", "水竜", "風竜"):
        make_card(name)
    return make_ruleset("dm-cr")


def _page(question: str, answer: str) -> object:
    return document(faq(question, answer), section("頁", "説明"), form=Form.PAGE)


def _interactions() -> list[tuple[str, str]]:
    found = CardInteraction.objects.order_by("pk")
    return [(entry.wording.title, entry.status) for entry in found if entry.wording]


def test_a_question_about_two_cards(rules: Ruleset) -> None:
    report = load(rules, _page("《水竜》がいる時に《火竜》を出せますか？", "いいえ、出せません。"))
    assert report.interactions.created == 1
    found = CardInteraction.objects.get()
    assert found.wording is not None
    assert (found.wording.title, found.wording.body, found.wording.verdict) == ("《火竜》と《水竜》", "", "no")
    assert (found.wording.effective_on, found.ruled_by.kind) == (DAY, "faq")
    assert found.cards_key == "-".join(str(card.pk) for card in found.cards.order_by("pk"))
    assert not found.revisions.filter(references__isnull=False).exists()


def test_each_example_by_itself(rules: Ruleset) -> None:
    examples = (
        "《火竜》で攻撃する時に《水竜》の能力を使えます。",
        "《風竜》は攻撃できます。",
        "《水竜》、《風竜》",
    )
    load(rules, document(section("101.1", "攻撃の説明です。", examples=examples)))
    assert _interactions() == [("《火竜》と《水竜》", Status.CURRENT)]


def test_a_changed_answer_changes_the_verdict(rules: Ruleset) -> None:
    load(rules, _page("《水竜》がいる時に《火竜》を出せますか？", "いいえ、出せません。"))
    before = Change.objects.filter(entry=CardInteraction.objects.get()).count()
    report = load(rules, _page("《水竜》がいる時に《火竜》を出せますか？", "はい、出せます。"), LATER)
    assert (report.interactions.created, report.interactions.edited) == (0, 1)
    found = CardInteraction.objects.get()
    assert [found.wording_on(on).verdict for on in (DAY, LATER)] == ["no", "yes"]  # type: ignore[union-attr]
    assert Change.objects.filter(entry=found).count() == before + 1


def test_other_cards_end_it_and_the_first_ones_revive_it(rules: Ruleset) -> None:
    load(rules, document(section("101.1", "説明です。", examples=("《火竜》で《水竜》を攻撃できます。",))))
    load(rules, amendment(section("101.1", "説明です。", examples=("《火竜》で《風竜》を攻撃できます。",))), LATER)
    assert _interactions() == [
        ("《火竜》と《水竜》", Status.WITHDRAWN),
        ("《火竜》と《風竜》", Status.CURRENT),
    ]
    load(rules, amendment(section("101.1", "説明です。", examples=("《火竜》で《水竜》を攻撃できます。",))), LAST)
    assert _interactions() == [
        ("《火竜》と《水竜》", Status.CURRENT),
        ("《火竜》と《風竜》", Status.WITHDRAWN),
    ]


def test_it_ends_with_its_ruling(rules: Ruleset) -> None:
    load(rules, document(section("101.1", "説明です。", examples=("《火竜》で《水竜》を攻撃できます。",))))
    report = load(rules, amendment(section("101.1", deleted=True)), LATER)
    assert report.interactions.ended == 1
    found = CardInteraction.objects.get()
    assert (found.status, found.status_on) == (Status.WITHDRAWN, LATER)
    assert found.wording is not None
    assert not found.is_in_force_on(LATER)

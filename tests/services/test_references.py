"""What wordings cite, inside the right ruleset, kept up to date."""

import pytest

from rulings.importers.records import Form
from rulings.models import CardAlias, Change, CrossReference, Entry, Place, Ruleset
from rulings.services.changes import ChangeLog
from rulings.services.references import refresh_cards, relink_revisions, resolve_pending
from rulings.text.fold import fold_key
from tests.makers import make_card, make_game, make_ruleset, make_section
from tests.services.documents import DAY, LAST, LATER, amendment, at, document, faq, load, section

pytestmark = pytest.mark.django_db


@pytest.fixture
def rules() -> Ruleset:
    return make_ruleset("dm-cr")


@pytest.fixture
def party(rules: Ruleset) -> Ruleset:
    return make_ruleset("dm-party", name="デュエパーティー", base=rules)


def _cited(key: str) -> CrossReference:
    return CrossReference.objects.get(key=key)


def test_an_explicit_ruleset_wins_else_the_own_one(rules: Ruleset, party: Ruleset) -> None:
    load(rules, document(section("305", title="武器"), section("305.2", "武器は場に残ります。")))
    load(party, document(faq("どうなりますか？", "総合ルール 305.2 のとおりです。")))
    load(party, document(faq("では、これは？", "順に処理します。（ルール　305.2.）")))
    explicit, own = CrossReference.objects.order_by("pk")
    assert (explicit.ruleset, explicit.entry) == (rules, at(rules, "305.2"))
    assert (own.ruleset, own.entry) == (party, None)


def test_pending_references_resolve_by_themselves(rules: Ruleset, party: Ruleset) -> None:
    load(rules, document(section("305", title="武器"), section("305.2", "武器は場に残ります。")))
    load(party, document(faq("では、これは？", "順に処理します。（ルール　305.2.）"), form=Form.PAGE))
    asked = Entry.objects.get(kind="faq")
    before = Change.objects.filter(entry=asked).count()
    report = load(party, document(section("305", title="処理"), section("305.2", "手番の順に処理します。")))
    assert _cited("305.2").entry == at(party, "305.2")
    assert report.references.resolved_later == 1
    assert Change.objects.filter(entry=asked).count() == before + 1


def test_a_number_that_changed_hands(rules: Ruleset) -> None:
    book = document(
        section("814", title="形態"),
        section("814.1", "形態の説明です。814.2を参照します。"),
        section("814.2", "形態の細かい説明です。"),
    )
    load(rules, book)
    old = at(rules, "814.2")
    assert _cited("814.2").entry == old
    load(rules, amendment(section("814.2", deleted=True)), LATER)
    assert _cited("814.2").entry == old
    load(rules, amendment(section("814.2", "王の断片の説明です。")), LAST)
    assert _cited("814.2").entry == at(rules, "814.2") != old


def test_headings_and_listed_rules(rules: Ruleset) -> None:
    load(
        rules,
        document(
            section("効果の処理", "順に行います。", title="効果の処理"),
            section("追加", "詳しい処理については、下記「効果の処理」をご覧ください。"),
            form=Form.OUTLINE,
        ),
    )
    reference = CrossReference.objects.get()
    assert (reference.kind, reference.entry) == ("heading", at(rules, "効果の処理"))
    assert (reference.place, reference.text) == (Place.BODY, "「効果の処理」")


def test_a_card_name_wins_over_a_face_and_an_alias(rules: Ruleset) -> None:
    plan = make_card("巨大設計図")
    twin = make_card("超七極 Gio/巨大設計図", faces=["超七極 Gio", "巨大設計図"])
    other = make_card("赤き竜")
    CardAlias.objects.create(card=other, text="赤竜", key=fold_key("赤竜"))
    text = "《巨大設計図》と《超七極 Gio / 巨大設計図》と≪超七極Gio≫と《赤竜》と《知らない竜》が並ぶ。"
    entry = make_section(body=text)
    relink_revisions(entry.revisions.all())
    found = CrossReference.objects.order_by("start").values_list("card", flat=True)
    assert list(found) == [plan.pk, twin.pk, twin.pk, other.pk, None]
    assert refresh_cards([entry.pk]) == {entry.pk}
    assert set(entry.cards.all()) == {plan, twin, other}
    assert refresh_cards([entry.pk]) == set()


def test_an_alias_means_the_card_and_not_the_twin_that_has_it_as_a_half(rules: Ruleset) -> None:
    twin = make_card("青竜（せいりゅう）/光の矢", faces=["青竜（せいりゅう）", "光の矢"])
    plain = make_card("青竜（せいりゅう）")
    for card in (twin, plain):
        CardAlias.objects.create(card=card, text="青竜", key=fold_key("青竜"))
    load(rules, document(section("305.1", "《青竜》は武器を使えます。")))
    assert _cited(fold_key("青竜")).card == plain


def test_two_cards_under_one_name_stay_unresolved() -> None:
    make_card("火の竜/水の技", faces=["火の竜", "水の技"])
    make_card("火の竜/風の技", faces=["火の竜", "風の技"])
    entry = make_section(body="《火の竜》は攻撃できます。")
    relink_revisions(entry.revisions.all())
    assert CrossReference.objects.get().card is None


def test_a_possible_name_counts_only_when_known() -> None:
    game = make_game("ygo", "遊戯王OCG")
    ruleset = make_ruleset("ygo-zexal", game=game)
    entry = make_section("攻撃", ruleset=ruleset, body="「青眼の白龍」は「攻撃」できます。", level="item")
    relink_revisions(entry.revisions.all())
    assert not CrossReference.objects.exists()
    card = make_card("青眼の白龍", game=game)
    relink_revisions(entry.revisions.all())
    assert CrossReference.objects.get().card == card


def test_relinking_twice_finds_the_same() -> None:
    entry = make_section(
        body="《火の竜》は101.1のとおり攻撃できます。", examples=[{"label": "例", "text": "《水の竜》"}]
    )
    relink_revisions(entry.revisions.all())
    first = set(CrossReference.objects.values_list("place", "example", "start", "end", "key"))
    relink_revisions(entry.revisions.all())
    assert set(CrossReference.objects.values_list("place", "example", "start", "end", "key")) == first
    assert len(first) == 3


def test_resolving_again_touches_nothing(rules: Ruleset) -> None:
    load(rules, document(section("305", title="武器"), section("305.2", "305を参照。")), DAY)
    changes = ChangeLog()
    assert resolve_pending(ruleset=rules, changes=changes) == set()
    assert not len(changes)

from datetime import date

import pytest

from rulings.models import CrossReference, Revision
from rulings.search import SearchPage, SearchRequest, ranking, search
from tests.makers import make_card, make_faq, make_game, make_interaction, make_ruleset, make_section


def ask(q: str, **filters: object) -> SearchPage:
    return search(SearchRequest(q=q, **filters))  # type: ignore[arg-type]


def found(q: str, **filters: object) -> list[int]:
    return [hit.entry.pk if hit.entry else -hit.card.pk for hit in ask(q, **filters).hits]  # type: ignore[union-attr]


@pytest.mark.django_db
class TestNumbers:
    def test_the_section_then_what_cites_it_then_what_stands_under_it(self) -> None:
        rule = make_section("305.2", body="城は離れる。")
        child = make_section("305.2a", body="その細則。", parent=rule)
        faq = make_faq("どうなる？", "こうなる。")
        CrossReference.objects.create(
            revision=faq.revisions.get(), place="body", kind="rule", text="ルール 305.2.", key="305.2"
        )
        assert found("３０５．２") == [rule.pk, faq.pk, child.pk]

    def test_official_rules_stand_first_and_a_named_ruleset_alone(self) -> None:
        house = make_ruleset("dm-tag", name="タッグデュエル", authority="house", position=3)
        other = make_section("101.1", ruleset=house)
        own = make_section("101.1")
        assert found("101.1") == [own.pk, other.pk]
        assert found("タッグデュエル101.1") == [other.pk]

    def test_a_rule_that_is_gone_is_shown_to_who_asks_for_it(self) -> None:
        gone = make_section("117.2", status="withdrawn", status_reason="削除", body="ウエポンの話")
        assert found("117.2") == [gone.pk]
        page = ask("ウエポン")
        assert (page.count, page.left_out) == (0, 1)

    def test_a_number_that_only_citations_know(self) -> None:
        faq = make_faq("どうなる？", "こうなる。", ruleset=make_ruleset("dm-party", name="デュエパーティー"))
        CrossReference.objects.create(
            revision=faq.revisions.get(), place="body", kind="rule", text="400.3", key="400.3", ruleset=faq.ruleset
        )
        assert found("デュエパ400.3") == [faq.pk]
        assert found("総合ルール400.3") == []


@pytest.mark.django_db
class TestWords:
    def test_the_entry_that_covers_most_stands_first(self) -> None:
        make_section("101.1", body="攻撃の話。攻撃、攻撃、攻撃。")
        both = make_section("101.2", body="攻撃している時にブロックできる。")
        assert found("攻撃 ブロック")[0] == both.pk

    def test_players_words_find_rules_words(self) -> None:
        rule = make_section("104.2b", body="対戦相手の山札が0枚の状態になったとき、即座にゲームに勝利します。")
        make_section("104.3", body="手札の話。")
        assert found("デッキ切れ") == [rule.pk]

    def test_words_of_another_game_find_nothing(self) -> None:
        make_section("100.2", body="デッキは40枚です。")
        make_section("100.3", body="エクストラターンを得る。")
        assert found("エクストラデッキ デュエマ") == []

    def test_headings_above_count(self) -> None:
        heading = make_section("301", level="chapter", title="召喚酔い", body="")
        rule = make_section("301.5", body="ターンのはじめから続けていない限り攻撃できない。", parent=heading)
        assert rule.pk in found("召喚酔い 攻撃")

    @pytest.mark.parametrize("q", ["闇", "火", "Ⅱ"])
    def test_one_character(self, q: str) -> None:
        entry = make_section("101.1", body="闇と火の話、その2（II）")
        assert found(q) == ([entry.pk] if q != "Ⅱ" else [entry.pk])

    @pytest.mark.parametrize("q", ["ｼﾞ･ｳｫｯﾁ", "じうぉっち", "ジ ウォッチ", "シ\u3099ウォッチ", "「ジ・ウォッチ」"])
    def test_every_writing_finds_the_same(self, q: str) -> None:
        entry = make_section("101.1", body="《終末の監視者 ジ・ウォッチ》を出す")
        assert found(q) == [entry.pk]

    def test_filters(self) -> None:
        make_section("101.1", body="破壊する")
        faq = make_faq("破壊する？", "破壊する")
        other = make_ruleset("ygo-zexal", name="ゼアル", game=make_game("ygo", "遊戯王"))
        foreign = make_section("1", ruleset=other, body="破壊する")
        assert found("破壊", kind="faq") == [faq.pk]
        assert found("破壊", game="ygo") == [foreign.pk]
        assert found("破壊", ruleset="ygo-zexal") == [foreign.pk]
        assert found("遊戯王 破壊") == [foreign.pk]

    def test_the_wording_of_a_day(self) -> None:
        rule = make_section("101.1", body="墓地に置く。", effective_on=date(2020, 1, 1), ended_on=date(2024, 1, 1))
        Revision.objects.create(entry=rule, number="101.1", body="山札に戻す。", effective_on=date(2024, 1, 1))
        assert found("墓地") == []
        assert found("墓地", as_of=date(2022, 1, 1)) == [rule.pk]
        assert found("山札", as_of=date(2022, 1, 1)) == []
        assert found("山札", as_of=date(2019, 1, 1)) == []

    def test_pages_have_no_gap_and_no_overlap(self) -> None:
        for number in range(1, 31):
            make_section(f"101.{number}", body=f"攻撃の話その{number}")
        pages = [found("攻撃", page=page, page_size=7) for page in range(1, 6)]
        flat = [pk for page in pages for pk in page]
        assert len(flat) == len(set(flat)) == ask("攻撃").count == 30

    def test_highlights_are_exact(self) -> None:
        make_section("101.1", body="その時、《ｻﾞｰﾃﾞｨｸﾘｶ》が破壊された。")
        (highlight,) = ask("ザーディクリカ").hits[0].highlights
        assert [highlight.snippet[start:end] for start, end in highlight.spans] == ["ｻﾞｰﾃﾞｨｸﾘｶ"]

    def test_an_answer_with_a_verdict_is_shown_from_its_beginning(self) -> None:
        tail = "ほかの話が続きます。" * 20 + "墓地の話もします。"
        answered = make_faq("これは？", "いいえ、違います。" + tail, verdict="no")
        other = make_faq("あれは？", "場合によります。" + tail, verdict="none")
        snippets = {hit.entry.pk: hit.highlights[-1].snippet for hit in ask("墓地").hits if hit.entry}
        assert snippets[answered.pk].startswith("いいえ、違います。")
        assert "墓地" in snippets[other.pk]


@pytest.mark.django_db
class TestCards:
    def test_a_ruling_on_the_card_then_the_card(self) -> None:
        card = make_card("異端流し オニカマス")
        faq = make_faq("《異端流し オニカマス》は？", cards=[card])
        assert found("オニカマス") == [faq.pk, -card.pk]

    def test_a_name_that_is_a_word_of_another_game_stands_behind_the_ruling(self) -> None:
        card = make_card("ブロッカー", game=make_game("ygo", "遊戯王OCG"))
        ruling = make_faq("ほかの人が攻撃された時にブロッカーを使えますか？", "いいえ、使えません。")
        assert found("ブロッカー ほかの人")[:2] == [ruling.pk, -card.pk]

    @pytest.mark.parametrize("name", ["覚醒", "闇", "零龍", "STARSCREAM -BOT MODE-", "アジサイ-2", "デュエマ革命"])
    def test_an_exact_name_stands_first_whatever_else_holds_it(self, name: str) -> None:
        card, other = make_card(name), make_card(f"夢幻なる{name}")
        make_section("701.20", title=name, body=f"{name}とは、{name}することです。")
        make_faq(f"《夢幻なる{name}》は{name}か？", cards=[other])
        assert found(name)[0] == -card.pk

    def test_the_rule_that_says_the_word_stands_behind_its_name_alone(self) -> None:
        card = make_card("覚醒", game=make_game("ygo", "遊戯王OCG"))
        make_card("覚醒の勇士")
        rule = make_section("701.20", title="覚醒", body="覚醒とは、裏返すことです。")
        assert found("覚醒")[:2] == [-card.pk, rule.pk]

    def test_a_number_that_is_a_name_too(self) -> None:
        card, chapter = make_card("７"), make_section("7", title="補足")
        assert found("7") == [chapter.pk, -card.pk]

    def test_a_card_without_rulings(self) -> None:
        card = make_card("光牙忍ハヤブサマル")
        make_section("101.1", body="光の文明。")
        page = ask("ハヤブサマル")
        assert page.reading.kind == "card"
        assert page.hits[0].card == card

    def test_only_cards(self) -> None:
        card = make_card("デーモン・ハンド")
        make_faq("《デーモン・ハンド》は？", cards=[card])
        assert found("デーモンハンド", kind="card") == [-card.pk]

    def test_an_interaction_shows_the_entry_that_rules_it_once(self) -> None:
        one, two = make_card("青き竜"), make_card("赤き竜")
        faq = make_faq("《青き竜》と《赤き竜》は？", cards=[one, two])
        interaction = make_interaction([one, two], ruled_by=faq)
        page = ask("青き竜 赤き竜")
        assert page.reading.kind == "cards"
        entries = [hit.entry.pk for hit in page.hits if hit.entry]
        assert entries == [faq.pk]
        assert found("青き竜 赤き竜", kind="interaction") == [interaction.pk]


@pytest.mark.django_db
def test_an_empty_query_answers_nothing() -> None:
    page = ask("")
    assert (page.count, page.hits, page.reading.kind) == (0, [], "empty")


@pytest.mark.parametrize(
    ("scores", "count"),
    [
        ([], 0),
        ([3.0, 2.0], 2),
        ([10.0] * 100, 80),
        ([10.0] + [1.0] * 99, 40),
        ([10.0] * 50 + [6.0] * 10 + [5.9] * 40, 60),
    ],
)
def test_results_that_score_nearly_as_much_as_the_best_are_looked_at_twice(scores: list[float], count: int) -> None:
    assert ranking.looked_at(scores) == count

"""Words as editors keep them."""

import pytest
from django.core.exceptions import ValidationError

from rulings.models import Origin, Synonym
from rulings.search import SearchRequest, search, vocabulary
from rulings.search.concepts import concepts_of
from rulings.search.reading import Query
from rulings.search.results import Reading
from rulings.text.fold import squeeze
from tests.makers import make_card, make_game, make_section


def found(q: str, game: str | None = None) -> list[int]:
    return [hit.entry.pk for hit in search(SearchRequest(q=q, game=game)).hits if hit.entry]


@pytest.mark.django_db
class TestEditedWords:
    def test_a_new_word_is_understood_at_once(self) -> None:
        rule = make_section("101.1", body="山札の一番上を表向きにする。").pk
        assert found("ぽむりドン") == []
        Synonym.objects.create(text="ぽむりドン", words="表向き、公開")
        assert found("ポムリドン") == [rule]

    def test_a_word_of_a_game_is_that_games(self) -> None:
        rule = make_section("101.1", body="山札の一番上を表向きにする。").pk
        Synonym.objects.create(text="ぽむりドン", words="表向き", game=make_game("ygo", "遊戯王OCG"))
        assert found("ぽむりドン", game="dm") == []
        Synonym.objects.create(text="ぽむりドン", words="表向き", game=make_game())
        assert found("ぽむりドン", game="dm") == [rule]

    def test_it_takes_the_place_of_the_shipped_one_and_gives_it_back(self) -> None:
        rule = make_section("101.1", body="墓地の話。").pk
        assert found("トラッシュ") == [rule]
        edited = Synonym.objects.create(text="トラッシュ", words="")
        assert found("トラッシュ") == []
        edited.words = "墓地"
        edited.save()
        assert found("トラッシュ") == [rule]
        edited.delete()
        assert found("トラッシュ") == [rule]

    def test_the_words_of_several_games_stand_beside_each_other(self) -> None:
        for slug, said in (("dm", "山札"), ("ygo", "積み札")):
            Synonym.objects.create(text="ぽむりドン", words=said, game=make_game(slug, slug))
        vocabulary.refresh()
        assert vocabulary.words_of(None).synonyms[squeeze("ぽむりドン").text] == ("山札", "積み札")

    @pytest.mark.parametrize(("edited", "expected"), [(False, ("積み札",)), (True, ("山札",))])
    def test_all_games_go_before_what_ships_with_one_and_behind_what_was_edited_for_one(
        self, edited: bool, expected: tuple[str, ...]
    ) -> None:
        origin = Origin.EDITOR if edited else Origin.SHIPPED
        Synonym.objects.create(text="ぽむりドン", words="山札", game=make_game(), origin=origin)
        Synonym.objects.create(text="ぽむりドン", words="積み札")
        vocabulary.refresh()
        assert vocabulary.words_of("dm").synonyms[squeeze("ぽむりドン").text] == expected

    def test_a_stem_holds_whatever_follows(self) -> None:
        rule = make_section("101.1", body="山札の一番上を表向きにする。").pk
        Synonym.objects.create(text="めくっちゃ〜", words="表向き")
        assert found("めくっちゃったら") == [rule]

    def test_a_stem_counts_only_in_its_own_script(self) -> None:
        make_section("101.1", body="山札の一番上を表向きにする。")
        Synonym.objects.create(text="かぶ〜", words="表向き")
        assert found("かぶった") != []
        assert found("アンブロッカブル") == []

    @pytest.mark.parametrize("typed", ["遣る", "やる", "やってた"])
    def test_a_word_is_known_however_it_is_written(self, typed: str) -> None:
        rule = make_section("101.1", body="処理を行う。").pk
        Synonym.objects.create(text="やる", words="行う")
        assert found(typed) == [rule]

    def test_a_compound_that_nobody_knows_is_the_words_in_it(self) -> None:
        rule = make_section("101.1", body="サイキックを手札に戻す。").pk
        assert found("サイキックバウンス") == [rule]
        assert found("サイキックコイン") == []  # コイン is nobody's word: it stays one word

    @pytest.mark.parametrize(
        ("typed", "parts"),
        [("相手墓地", ["相手", "墓地"]), ("相手時計", ["相手時計"]), ("バウンス相手", ["バウンス", "相手"])],
    )
    def test_a_compound_of_words_that_the_rules_use_is_these_words(self, typed: str, parts: list[str]) -> None:
        make_game()  # バウンス ships with it
        vocabulary.refresh()
        query = Query(typed, Reading("words", ""), words=vocabulary.words_of(None))
        query.is_vocabulary = ("相手", "墓地").__contains__
        assert [one.alternatives[0].text for one in concepts_of(query)] == parts

    def test_a_count_joins_nothing_before_it(self) -> None:
        query = Query("手札7枚", Reading("words", ""), words=vocabulary.words_of(None))
        assert [one.alternatives[0].text for one in concepts_of(query)] == ["手札", "7枚"]

    @pytest.mark.parametrize(
        ("typed", "parts"),
        [
            ("g・ストライク", ["gストライク"]),
            ("b・a・d", ["bad"]),
            ("闇・火", ["闇", "火"]),
            ("破壊・墓地", ["破壊", "墓地"]),
            ("g ストライク", ["g", "ストライク"]),
        ],
    )
    def test_a_letter_before_a_middle_dot_is_a_part_of_a_word(self, typed: str, parts: list[str]) -> None:
        query = Query(typed, Reading("words", ""), words=vocabulary.words_of(None))
        assert [one.alternatives[0].text for one in concepts_of(query)] == parts

    def test_a_compound_of_the_rules_stays_whole(self) -> None:
        rule = make_section("101.1", body="サイキックバウンスの話。").pk
        make_section("101.2", body="サイキックを手札に戻す。")
        assert found("サイキックバウンス") == [rule]

    @pytest.mark.parametrize("asking", ["一応", "ダメ？", "どうやって", "どこ", "やっぱり"])
    def test_words_that_only_ask_say_nothing(self, asking: str) -> None:
        Synonym.objects.create(text="トラッシュ", words="墓地")
        vocabulary.refresh()
        asked = [
            concepts_of(Query(q, Reading("words", ""), words=vocabulary.words_of(None)))
            for q in (f"墓地 {asking}", "墓地")
        ]
        assert asked[0] == asked[1]

    def test_what_is_no_word_is_refused(self) -> None:
        with pytest.raises(ValidationError):
            Synonym(text="〜").full_clean()
        Synonym.objects.create(text="トラッシュ", words="墓地")
        with pytest.raises(ValidationError):
            Synonym(text="ﾄﾗｯｼｭ", words="墓地").full_clean()


@pytest.mark.django_db
class TestNicknames:
    """A word that stands for a card's name names the card."""

    def cards(self, q: str) -> list[str]:
        return [hit.card.name for hit in search(SearchRequest(q=q)).hits if hit.card]

    def test_the_card_it_means_stands_before_names_that_hold_it(self) -> None:
        for name in ("ヘブンズ・ゲート", "天門の精霊ヘブンズ"):
            make_card(name)
        Synonym.objects.filter(key="天門").delete()
        assert self.cards("天門") == ["天門の精霊ヘブンズ"]
        Synonym.objects.create(text="天門", words="ヘブンズ・ゲート")
        assert self.cards("天門") == ["ヘブンズ・ゲート", "天門の精霊ヘブンズ"]
        assert self.cards("天門で2体出せる？")[0] == "ヘブンズ・ゲート"

    def test_an_exact_name_goes_first(self) -> None:
        for name in ("ヘブンズ・ゲート", "天門"):
            make_card(name)
        Synonym.objects.create(text="天門", words="ヘブンズ・ゲート")
        assert self.cards("天門")[0] == "天門"

    def test_a_word_of_the_rules_stays_a_word(self) -> None:
        make_card("融合")
        rule = make_section("101.1", body="融合の話。")
        Synonym.objects.create(text="合わせる", words="融合")
        assert found("合わせる") == [rule.pk]
        assert self.cards("合わせる") == []

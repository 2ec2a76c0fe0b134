"""The words that ship, loaded; what an editor wrote or took away stays."""

import pytest
from django.core.management import call_command

from rulings.models import ChangeCounter, Origin, Synonym
from rulings.search import SearchRequest, search, vocabulary
from rulings.services.synonyms import load_words
from tests.makers import make_game, make_section

LIST = "殴る → 攻撃\n盾 → シールド\n".encode()


def words() -> dict[str, str]:
    return dict(Synonym.objects.values_list("text", "words"))


@pytest.mark.django_db
class TestLoading:
    @pytest.fixture(autouse=True)
    def only_the_list(self) -> None:
        game = make_game()
        Synonym.objects.all().delete()
        load_words(game, LIST)

    def test_it_makes_rows_once(self) -> None:
        assert words() == {"殴る": "攻撃", "盾": "シールド"}
        counted = ChangeCounter.objects.get().touched
        report = load_words(make_game(), LIST)
        assert report.nothing_changed
        assert ChangeCounter.objects.get().touched == counted

    def test_a_new_list_takes_the_place_of_the_old_one(self) -> None:
        report = load_words(make_game(), "殴る → 攻撃する\n顔 → プレイヤー".encode())
        assert words() == {"殴る": "攻撃する", "顔": "プレイヤー"}
        assert (report.words.created, report.words.edited, report.words.ended) == (1, 1, 1)
        assert not report.nothing_changed

    def test_lines_of_one_word_are_put_together(self) -> None:
        load_words(make_game(), "殴る → 攻撃\n殴る → 攻撃する\n".encode())
        assert words() == {"殴る": "攻撃、攻撃する"}

    def test_what_an_editor_wrote_stays(self) -> None:
        row = Synonym.objects.get(text="殴る")
        row.words, row.origin = "なぐる", Origin.EDITOR
        row.save()
        load_words(make_game(), LIST)
        assert words()["殴る"] == "なぐる"
        load_words(make_game(), "盾 → シールド".encode())
        assert words()["殴る"] == "なぐる"

    def test_what_an_editor_took_away_stays_away(self) -> None:
        Synonym.objects.get(text="殴る").remove()
        load_words(make_game(), LIST)
        assert words()["殴る"] == ""

    def test_what_only_the_editor_wrote_goes_for_good(self) -> None:
        Synonym.objects.create(text="めくりドン", words="表向き", game=make_game())
        Synonym.objects.get(text="めくりドン").remove()
        assert "めくりドン" not in words()

    def test_what_left_the_list_and_was_the_editors_goes_for_good(self) -> None:
        row = Synonym.objects.get(text="殴る")
        row.origin = Origin.EDITOR
        row.save()
        load_words(make_game(), "盾 → シールド".encode())
        Synonym.objects.get(text="殴る").remove()
        assert "殴る" not in words()

    def test_another_game_is_left_alone(self) -> None:
        before = Synonym.objects.filter(game__slug="dm").count()
        other = make_game("ygo", "遊戯王OCG")
        load_words(other, LIST)
        assert Synonym.objects.filter(game__slug="dm").count() == before


@pytest.mark.django_db
def test_a_game_comes_with_its_words() -> None:
    call_command("loaddata", "games", verbosity=0)
    assert Synonym.objects.filter(game__slug="dm", origin=Origin.SHIPPED).count() > 100
    assert Synonym.objects.filter(game__slug="ygo", origin=Origin.SHIPPED).count() > 100
    rule = make_section("101.1", body="墓地の話。")
    assert [hit.entry for hit in search(SearchRequest(q="トラッシュ")).hits] == [rule]


@pytest.mark.django_db
def test_without_words_the_rules_own_words_are_understood() -> None:
    rule = make_section("101.1", body="墓地の話。")
    Synonym.objects.all().delete()
    vocabulary.refresh()
    assert vocabulary.words_of("dm").synonyms == {}
    assert [hit.entry for hit in search(SearchRequest(q="墓地")).hits] == [rule]
    assert search(SearchRequest(q="トラッシュ")).hits == []

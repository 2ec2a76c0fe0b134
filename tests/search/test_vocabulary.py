"""Words as editors keep them."""

import pytest
from django.core.exceptions import ValidationError

from rulings.models import Synonym
from rulings.search import SearchRequest, search
from tests.makers import make_game, make_section


def found(q: str, game: str | None = None) -> list[int]:
    return [hit.entry.pk for hit in search(SearchRequest(q=q, game=game)).hits if hit.entry]


@pytest.mark.django_db
class TestEditedWords:
    def test_a_new_word_is_understood_at_once(self) -> None:
        rule = make_section("101.1", body="山札の一番上を表向きにする。").pk
        assert found("めくりドン") == []
        Synonym.objects.create(text="めくりドン", words="表向き、公開")
        assert found("メクリドン") == [rule]

    def test_a_word_of_a_game_is_that_games(self) -> None:
        rule = make_section("101.1", body="山札の一番上を表向きにする。").pk
        Synonym.objects.create(text="めくりドン", words="表向き", game=make_game("ygo", "遊戯王OCG"))
        assert found("めくりドン", game="dm") == []
        Synonym.objects.create(text="めくりドン", words="表向き", game=make_game())
        assert found("めくりドン", game="dm") == [rule]

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

    def test_a_stem_holds_whatever_follows(self) -> None:
        rule = make_section("101.1", body="山札の一番上を表向きにする。").pk
        Synonym.objects.create(text="めくっちゃ〜", words="表向き")
        assert found("めくっちゃったら") == [rule]

    def test_what_is_no_word_is_refused(self) -> None:
        with pytest.raises(ValidationError):
            Synonym(text="〜").full_clean()
        Synonym.objects.create(text="トラッシュ", words="墓地")
        with pytest.raises(ValidationError):
            Synonym(text="ﾄﾗｯｼｭ", words="墓地").full_clean()

"""What a device is given beside the exports: other names of cards, and players' words, folded as the search does."""

import json

from rulings.models import CardAlias, Synonym
from rulings.text.fold import fold_key
from tests.makers import make_card, make_faq, make_game, make_ruleset
from tests.web.conftest import Reader


def names(reader: Reader, slug: str = "dm-cr") -> dict[str, list]:
    return json.loads(reader.get(f"/offline/{slug}.json").content)


def test_cards_that_the_ruleset_names_by_their_other_names(reader: Reader) -> None:
    blue = make_card(
        "青き龍", faces=["青き龍", "蒼の呪文"], reading="アオキリュウ", reading_key=fold_key("アオキリュウ")
    )
    CardAlias.objects.create(card=blue, text="あおりゅう", key=fold_key("あおりゅう"))
    make_faq(cards=[blue, make_card("名前だけの竜")])
    make_faq(cards=[make_card("ほかの規則集の竜", reading_key="ホカ")], ruleset=make_ruleset("dm-x", name="ほか"))
    assert names(reader)["cards"] == [[blue.pk, *sorted(map(fold_key, ("アオキリュウ", "蒼の呪文", "あおりゅう")))]]


def test_players_words_of_the_game(reader: Reader) -> None:
    make_faq()
    Synonym.objects.create(text="ぼこる", key=fold_key("ぼこる"), words="攻撃する、ドラグ ハート", game=make_game())
    Synonym.objects.create(text="ひっぺが〜", key=fold_key("ひっぺが"), words="取り除く")
    Synonym.objects.create(text="よその", key=fold_key("よその"), words="遊戯", game=make_game("ygo", "遊戯王"))
    words = {key: (stem, said) for key, stem, said in names(reader)["words"]}
    assert fold_key("よその") not in words
    assert {key: words[key] for key in map(fold_key, ("ぼこる", "ひっぺが"))} == {
        fold_key("ぼこる"): (0, [fold_key("攻撃する"), f"{fold_key('ドラグ')} {fold_key('ハート')}"]),
        fold_key("ひっぺが"): (1, [fold_key("取り除く")]),
    }


def test_an_unchanged_list_is_not_sent_again(reader: Reader) -> None:
    make_faq(cards=[make_card("青き竜", reading_key="アオ")])
    first = reader.get("/offline/dm-cr.json")
    again = reader.client.get("/offline/dm-cr.json", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    reader.get("/offline/nothing.json", 404)

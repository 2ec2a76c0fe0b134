import time
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.text import diffs
from rulings.text.diffs import Op, Piece, diff_words, fold_context, same_reading
from rulings.text.tokens import split_words

SIGNS = {Op.EQUAL: "{}", Op.DELETE: "[-{}]", Op.INSERT: "[+{}]", Op.GAP: "…"}
wordings = st.lists(
    st.sampled_from([*"、。はをの\n 「」", "カード", "山札", "《零龍》", "305.2", "引く", "する"]), max_size=30
).map("".join)


def shown(pieces: Iterable[Piece]) -> str:
    return "".join(SIGNS[piece.op].format(piece.text) for piece in pieces)


def joined(pieces: Iterable[Piece], *ops: Op) -> str:
    return "".join(piece.text for piece in pieces if piece.op in ops)


DIFFS = [
    ("", "", ""),
    ("", "山札", "[+山札]"),
    ("山札", "", "[-山札]"),
    ("カードを1枚引く。", "カードを2枚引く。", "カードを[-1][+2]枚引く。"),
    ("詳細は305.2を参照。", "詳細は305.2aを参照。", "詳細は[-305.2][+305.2a]を参照。"),
    ("《青眼の白龍》を出す", "《青眼の亜白龍》を出す", "[-《青眼の白龍》][+《青眼の亜白龍》]を出す"),
    # A lone particle does not hold two changes apart, a word does.
    ("犬を散歩", "猫を抱擁", "[-犬を散歩][+猫を抱擁]"),
    ("犬をゾーンに散歩", "猫をゾーンに抱擁", "[-犬][+猫]をゾーンに[-散歩][+抱擁]"),
    ("犬の家", "白い犬の青い家", "[+白い]犬の[+青い]家"),
    # An item of a list is inserted with its own brackets and its comma.
    ("型には「犬」、「猫」がある。", "型には「犬」、「猫」、「鳥」がある。", "型には「犬」、「猫」[+、「鳥」]がある。"),
    ("型には「犬」、「猫」がある。", "型には「鳥」、「犬」、「猫」がある。", "型には[+「鳥」、]「犬」、「猫」がある。"),
    ("引く。捨てる。", "引く。混ぜる。捨てる。", "引く。[+混ぜる。]捨てる。"),
    # What only the fold forgets is still an edit.
    ("コストは0。", "コストは０。", "コストは[-0][+０]。"),
]


@pytest.mark.parametrize(("old", "new", "expected"), DIFFS)
def test_diff(old: str, new: str, expected: str) -> None:
    assert shown(diff_words(old, new)) == expected


@given(wordings, wordings)
def test_diff_is_lossless_and_tidy(old: str, new: str) -> None:
    pieces = diff_words(old, new)
    assert joined(pieces, Op.EQUAL, Op.DELETE) == old
    assert joined(pieces, Op.EQUAL, Op.INSERT) == new
    assert all(piece.text for piece in pieces)
    order = [piece.op for piece in pieces]
    assert not any(pair[0] == pair[1] or pair == (Op.INSERT, Op.DELETE) for pair in zip(order, order[1:], strict=False))


@given(st.text())
def test_a_text_equals_itself(text: str) -> None:
    assert diff_words(text, text) == ([Piece(Op.EQUAL, text)] if text else [])


@given(wordings, wordings, st.integers(0, 30))
def test_folding_hides_only_equal_text(old: str, new: str, keep: int) -> None:
    pieces = diff_words(old, new)
    folded = fold_context(pieces, keep)
    assert joined(folded, *Op) == joined(pieces, *Op)
    assert [piece for piece in folded if piece.op in (Op.DELETE, Op.INSERT)] == [
        piece for piece in pieces if piece.op in (Op.DELETE, Op.INSERT)
    ]
    assert all(len(piece.text) >= keep for piece in folded if piece.op is Op.GAP)


def test_folding_keeps_whole_words_beside_changes() -> None:
    pieces = diff_words("前置き" * 9 + "カードを引く。" + "後書き" * 9, "前置き" * 9 + "カードを見る。" + "後書き" * 9)
    assert shown(fold_context(pieces, 4)) == "…カードを[-引く][+見る]。後書き…"
    assert shown(fold_context(diff_words("山札の上" * 9, "山札の上" * 9), 4)) == "山札の上山札…"


READINGS = [
    ("コストは0として", "コストは ０として", True),
    ("クリーチャー", "クリ－チャ－", True),
    ("カードを1枚", "カードを2枚", False),
    ("引く", "引くこと", False),
]


@pytest.mark.parametrize(("old", "new", "same"), READINGS)
def test_same_reading(old: str, new: str, same: bool) -> None:
    assert same_reading(old, new) is same


def test_texts_too_long_for_the_exact_way_are_cut_first(monkeypatch: pytest.MonkeyPatch) -> None:
    old = "".join(f"カードを{number}枚引く。" for number in range(300))
    new = old.replace("を150枚", "も150枚").replace("カードを30枚引く。", "")
    exact = diff_words(old, new)
    monkeypatch.setattr(diffs, "_MAX_PAIRS", 1000)
    assert diff_words(old, new) == exact
    assert shown(diff_words("犬猫、" * 300, "猫犬。" * 300)).count("[-") == 1


def test_long_texts_take_no_time() -> None:
    old = "クリーチャーを1体選び、山札の下に置く。" * 1500
    new = old.replace("1体選び", "2体まで選び", 700)
    start = time.process_time()
    pieces = diff_words(old, new)
    assert time.process_time() - start < 3
    assert joined(pieces, Op.EQUAL, Op.INSERT) == new
    assert len(split_words(old)) > 15_000

"""What texts cite."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulings.games import PROFILES
from rulings.text.citations import CitationKind, find_citations
from rulings.text.fold import fold_key

DM, YGO = PROFILES["dm"], PROFILES["ygo"]


def _rules(text: str) -> list[tuple[str, str | None]]:
    return [(c.key, c.ruleset) for c in find_citations(text, DM) if c.kind is CitationKind.RULE]


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("（ルール　107.1a）", [("107.1a", None)]),
        ("ルール305.2.", [("305.2", None)]),
        ("ルール 305.2., 305.3 を見る", [("305.2", None), ("305.3", None)]),
        ("ルール ６０９", [("609", None)]),
        ("ルール 609章", [("609", None)]),
        ("ルール 609、610", [("609", None), ("610", None)]),
        ("ルール 305.2と300のマナ", [("305.2", None)]),
        ("総合ルール 805.4a", [("805.4a", "dm-cr")]),
        ("総合ゲームルールの８０５．４ａ", [("805.4a", "dm-cr")]),
        ("総合ルール 805-4a", [("805.4a", "dm-cr")]),
        ("総合ルール 805.4a、805.4b", [("805.4a", "dm-cr"), ("805.4b", "dm-cr")]),
        ("（デュエパーティールール　400.3.）", [("400.3", "dm-party")]),
        ("総合ルール 101.4とルール 101.5", [("101.4", "dm-cr"), ("101.5", None)]),
        ("（参考 603.2e）", [("603.2e", None)]),
        ("（603.2e）", [("603.2e", None)]),
        ("これは200.3a の例外", [("200.3a", None)]),
        ("703.4mの処理", [("703.4m", None)]),
        ("301.1～301.5", [("301.1", None), ("301.5", None)]),
        ("200.3C", [("200.3c", None)]),
        ("500マナ", []),
        ("2000", []),
        ("パワー3000.", []),
        ("2022.9.20", []),
        ("2022年", []),
        ("Ver.1.48", []),
        ("総合ルール1.48", []),
        ("v100.1", []),
        ("120.5%", []),
        ("120.5％", []),
        ("ルール500円", []),
        ("ルールは300種", []),
        ("100.5cm", []),
        ("+100.5", []),
        ("192.168.100.200", []),
        ("5000.000", []),
    ],
)
def test_rules(text: str, cited: list[tuple[str, str | None]]) -> None:
    assert _rules(text) == cited


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("《火の槍》と≪水の盾≫", ["火の槍", "水の盾"]),
        ("《表の名 / 裏の名》", ["表の名 / 裏の名"]),
        ("《「虎」の頂 A・B》", ["「虎」の頂 A・B"]),
        ("《「終わりです。」》", ["「終わりです。」"]),
        ("《外の《内》名》", ["外の《内》名"]),
        ("《ルール 305.2》", ["ルール 305.2"]),
        ("《閉じない", []),
        ("《》《 》", []),
        ("《別の\n\n段落》", []),
        ("《行を\nまたぐ》", ["行を\nまたぐ"]),
    ],
)
def test_cards(text: str, names: list[str]) -> None:
    found = find_citations(text, DM)
    assert [(c.kind, c.key, c.certain) for c in found] == [(CitationKind.CARD, fold_key(name), True) for name in names]


def test_possible_cards_are_not_certain() -> None:
    (card,) = find_citations("「岩の巨人」を出す", YGO)
    assert (card.kind, card.certain, card.text) == (CitationKind.CARD, False, "「岩の巨人」")
    assert find_citations("「岩の巨人」を出す", DM) == []


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("下記「処理の順」をご覧ください", True),
        ("「処理の順」の項を参照", True),
        ("「処理の順」を参照のこと", True),
        ("前述の「処理の順」に従う", False),
        ("上記『処理の順』", False),
        ("「処理の順」を決める", None),
    ],
)
@pytest.mark.parametrize("profile", [DM, YGO])
def test_headings(text: str, certain: bool | None, profile: object) -> None:
    found = [c for c in find_citations(text, profile) if c.kind is CitationKind.HEADING]
    assert [(c.key, c.certain) for c in found] == ([] if certain is None else [(fold_key("処理の順"), certain)])


_PIECES = [
    "《",
    "》",
    "「",
    "」",
    "ルール",
    "総合ルール",
    "305.2",
    "a",
    "、",
    "～",
    " ",
    "\n",
    "を参照",
    "下記",
    "名",
    "６０９",
    ".",
]
_texts = st.one_of(st.text(), st.lists(st.sampled_from(_PIECES), max_size=40).map("".join))


@given(_texts, st.sampled_from([DM, YGO]))
@settings(max_examples=400, deadline=None)
def test_citations_are_ordered_apart_and_true_to_the_text(text: str, profile: object) -> None:
    end = 0
    for citation in find_citations(text, profile):
        assert end <= citation.start < citation.end
        assert citation.text == text[citation.start : citation.end]
        assert citation.key
        end = citation.end


@pytest.mark.parametrize("piece", ["《", "「", "ルール ", "305.", "305.2、", "下記「", "３", "》"])
def test_finding_takes_linear_time(piece: str) -> None:
    begin = time.process_time()
    find_citations(piece * 30_000, YGO)
    assert time.process_time() - begin < 5

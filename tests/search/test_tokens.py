from pathlib import Path

import pytest

from rulings.search import analysis, tokens
from rulings.search.analysis import analyse
from rulings.search.tokens import NAME, TokenStore
from rulings.text.fold import squeeze

TEXTS = {"山札からカードを引く", "ルール 805.4a を参照。", "ＡＢＣ・ボルメテウス", "、。", "𠮷野家\x00"}


def expected() -> dict[str, object]:
    return {text: (analyse(text), squeeze(text).text) for text in TEXTS}


@pytest.fixture
def analysed_again(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    asked: list[str] = []
    words = analysis.words
    monkeypatch.setattr(analysis, "words", lambda text: asked.append(text) or words(text))
    return asked


def test_a_text_is_analysed_once(tmp_path: Path, analysed_again: list[str]) -> None:
    with TokenStore(tmp_path) as store:
        assert store.analyse(TEXTS) == expected()
    analysed_again.clear()
    with TokenStore(tmp_path) as store:
        kept = store.analyse(TEXTS)
    assert analysed_again == []
    assert kept == expected()


def test_another_analysis_begins_anew(
    tmp_path: Path, analysed_again: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with TokenStore(tmp_path) as store:
        store.analyse(TEXTS)
    analysed_again.clear()
    monkeypatch.setattr(analysis, "VERSION", -1)
    with TokenStore(tmp_path) as store:
        store.analyse(TEXTS)
    assert len(analysed_again) == len(TEXTS)


def test_a_damaged_file_costs_a_new_analysis(tmp_path: Path) -> None:
    with TokenStore(tmp_path) as store:
        store.analyse(TEXTS)
    path = tmp_path / NAME
    content = path.read_bytes()
    for damaged in (b"", content[:100], b"?" * 5_000, content.replace("山札".encode(), "墓地".encode())):
        path.write_bytes(damaged)
        with TokenStore(tmp_path) as store:
            assert store.analyse(TEXTS) == expected()


def test_several_processes_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "WORTH_WORKERS", 1)
    monkeypatch.setattr(tokens.os, "cpu_count", lambda: 2)
    with TokenStore(None) as store:
        assert store.analyse(TEXTS) == expected()
        assert len(store._workers) == 2
        assert store.analyse({"墓地"}) == {"墓地": (analyse("墓地"), "墓地")}

"""Japanese parts of a page in another language."""

import pytest

from rulings.text.languages import mark_japanese

JA = '<span lang="ja">'


@pytest.mark.parametrize(
    ("html", "marked"),
    [
        ("<p>Rules</p>", "<p>Rules</p>"),
        ("<p>総合ルール</p>", f"<p>{JA}総合ルール</span></p>"),
        ("<h1>《Wave ウェイブ》</h1>", f"<h1>{JA}《Wave ウェイブ》</span></h1>"),
        ("<p>Rulings on 《甲》 and 《乙》</p>", f"<p>Rulings on {JA}《甲》</span> and {JA}《乙》</span></p>"),
        ("<p>S・トリガーを使う。</p>", f"<p>S{JA}・トリガーを使う。</span></p>"),
        ('<p lang="ja">条項<b>本文</b></p>', '<p lang="ja">条項<b>本文</b></p>'),
        ('<p lang="ja">条項</p><p>本文</p>', f'<p lang="ja">条項</p><p>{JA}本文</span></p>'),
        ("<title>総合ルール | Rulings</title>", '<title lang="ja">総合ルール | Rulings</title>'),
        ("<option value=a>有効</option>", '<option value=a lang="ja">有効</option>'),
        ('<input placeholder="番号"><br>番号', f'<input placeholder="番号"><br>{JA}番号</span>'),
        ("<script>var 変数;</script><!-- 注 --><style>/* 注 */</style>", None),
        ('<ul lang="ja"><li>甲<li>乙</ul><p>丙</p>', f'<ul lang="ja"><li>甲<li>乙</ul><p>{JA}丙</span></p>'),
        ("<p>", None),
        ("", None),
    ],
)
def test_runs_of_japanese_are_marked(html: str, marked: str | None) -> None:
    found = mark_japanese(html, "en")
    assert found == (html if marked is None else marked)
    assert mark_japanese(found, "en") == found, "what is marked stays as it is"

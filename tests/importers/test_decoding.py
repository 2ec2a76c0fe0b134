import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.importers.decoding import Decoded, decode
from rulings.importers.errors import DecodeError

TEXT = "規則書 Ver.2.03\n\n101.1. 駒は①一マスだけ前に進みます。\n例：《赤い竜》、『ＡＢＣ』～「半角ABC」\n"
PLAIN = TEXT.replace("①", "")


@pytest.mark.parametrize(
    ("codec", "expected"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("utf-32", "utf-32"),
        ("cp932", "cp932"),
    ],
)
def test_encodings(codec: str, expected: str) -> None:
    assert decode(TEXT.encode(codec)) == Decoded(TEXT, expected, False)


@pytest.mark.parametrize("codec", ["euc_jp", "iso2022_jp", "shift_jis"])
@pytest.mark.parametrize("text", [PLAIN.replace("～", "ー"), "駒を動かす。", "カードを引く"])
def test_older_encodings(codec: str, text: str) -> None:
    assert decode(text.encode(codec)).text == text


def test_half_width_katakana_is_still_shift_jis() -> None:
    text = "ｶｰﾄﾞの名前（ﾖﾐ）は裏に書かれています。表には書かれていません。"
    assert decode(text.encode("cp932")).text == text


@pytest.mark.parametrize("raw", ["一\r\n二\r\n", "一\r二\r", "一\n二\n", "一\u2028二\u2029", "一\x85二\x85"])
def test_line_ends(raw: str) -> None:
    assert decode(raw.encode()).text == "一\n二\n"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("\u200b一\u2060二\u00ad三\ufeff\u202e", "一二三"),
        ("一二三四五" * 80 + "\x1b\x7f", "一二三四五" * 80),
        ("ハ\u309aワーは\u3099e\u0301", "パワーばé"),
        ("　一\n\n　　二\n　三", "一\n\n　二\n三"),
        ("\t一\n \t二", "\t一\n \t二"),
        ("　一\n二", "　一\n二"),
        ("👨\u200d👩 葛\U000e0100", "👨\u200d👩 葛\U000e0100"),
    ],
)
def test_a_text_is_read_as_it_looks(raw: str, text: str) -> None:
    assert decode(raw.encode()).text == text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "空"),
        (b" \r\n\t", "空"),
        (b"\xef\xbb\xbf", "本文がありません"),
        (b"%PDF-1.7\n%\xe2\xe3", "PDF"),
        (b"PK\x03\x04\x14\x00", "ZIP"),
        (b"\x89PNG\r\n\x1a\n\x00", "PNG"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "JPEG"),
        (b"GIF89a\x01\x00", "GIF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Word"),
        (b"{\\rtf1\\ansi", "RTF"),
        (b"abc\x00def", "NUL"),
        (bytes(range(256)) * 4, "NUL"),
        ("駒".encode() + b"\xff", "文字コード"),
        (b"\xef\xbb\xbf\xff\xfe\xfd", "UTF-8"),
        (b"\xff\xfe\x00\xd8", "UTF-16"),
        (b"\xff\xfe\x00\x00\x00\xd8\x00\x00", "UTF-32"),
        ("あ\x00い".encode("utf-16"), "NUL"),
        (b"\x01\x02\x03\x04\x05\x06text", "制御文字"),
        (b"<html><head><title>x</title></head><body></body></html>", "本文がありません"),
    ],
)
def test_what_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(DecodeError, match=message):
        decode(data)


PAGE = """<!DOCTYPE html>
<html><head><meta charset="{charset}"><title>題</title><style>p {{}}</style></head>
<body><nav>案内</nav>
<h1>決まり <ruby>駒<rp>(</rp><rt>こま</rt></ruby></h1>
<p>一行目は
続く。&nbsp;A &amp;
B<br>二行目 <b>太</b>字</p>
<ul><li>赤<br>続き<ul><li>青</li></ul></li><li>白
<li>黒</ul>
<table><tr><th>名称<th>枚数<tr><td>赤</td><td></td><td>2</td></tr></table>
<script>alert(1)</script><!-- 注 -->
<div>外<div>内</div>外</div></body></html>"""
LINES = """\
決まり 駒

一行目は続く。\u00a0A & B
二行目 太字

• 赤
  続き
  • 青
• 白
• 黒

名称\t枚数
赤\t\t2

外
内
外"""


@pytest.mark.parametrize(
    ("charset", "codec"),
    [("utf-8", "utf-8"), ("Shift_JIS", "cp932"), ("euc-jp", "euc_jp"), ("utf-8", "cp932"), ("utf-8", "utf-16")],
)
def test_a_page_saved_as_html(charset: str, codec: str) -> None:
    decoded = decode(PAGE.format(charset=charset).replace("\u00a0", " ").encode(codec))
    assert decoded.text == LINES
    assert decoded.was_html


def test_cells_laid_out_in_blocks_are_no_table_row() -> None:
    html = "<html><table><tr><td><p>左の段</p><p>次の段</p></td><td>右</td></tr></table></html>"
    assert decode(html.encode()).text == "左の段\n次の段\n右"


def test_preformatted_text_keeps_its_lines() -> None:
    assert decode(b"<html><pre>  a\n   b</pre></html>").text == "  a\n   b"


def test_a_fragment_is_html_and_a_text_with_signs_is_not() -> None:
    assert decode("<p>赤</p><p>青</p><p>白</p>".encode()).text == "赤\n\n青\n\n白"
    assert not decode("パワー<3000のとき a<b>c と書く。".encode()).was_html


@pytest.mark.parametrize("html", ["<html>" + "<div>" * 20_000 + "深い", "<html>" + "<table><tr><td>" * 2_000 + "深い"])
def test_deep_nesting(html: str) -> None:
    assert decode(html.encode()).text.strip() == "深い"


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        decoded = decode(data)
    except DecodeError:
        return
    assert "\r" not in decoded.text
    assert "\x00" not in decoded.text
    assert decoded.text.encode()


@given(st.text(alphabet=st.characters(codec="cp932", categories=["Lo", "Ll", "Nd"]), min_size=40))
def test_a_readable_text_is_never_changed(text: str) -> None:
    assert decode(text.encode()).text == text


def test_a_page_with_a_paragraph_per_line_is_read_as_its_lines() -> None:
    lines = ["①混ぜます", "山札を切ります。", "②配ります", "五枚ずつです。", "  ・六枚の時もあります。"]
    html = "<html><h2>手順</h2>" + "".join(f"<p>{line}</p>\n" for line in lines) + "<h2>終わり</h2><p>勝ちます。</p>"
    assert decode(html.encode()).text == "\n".join(["手順", "", *lines, "", "終わり", "", "勝ちます。"])


@pytest.mark.parametrize("empty", ["<p></p>", "<p>&nbsp;</p>", "<p><br></p>"])
def test_an_empty_paragraph_among_lines_is_a_blank_line(empty: str) -> None:
    html = f"<html><p>一</p><p>二</p>{empty}<p>三</p><p>四</p><p>五</p></html>"
    assert decode(html.encode()).text == "一\n二\n\n三\n四\n五"


def test_paragraphs_of_several_lines_stay_apart() -> None:
    html = "<html><h2>題</h2>" + "<p>一行目<br>二行目</p>" * 5
    assert decode(html.encode()).text == "題\n\n" + "\n\n".join(["一行目\n二行目"] * 5)

"""Lists of questions and of cards, as publishers and players keep them."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Protocol

from rulings.importers.records import CardRecord, FaceRecord, FaqRecord, Lines, ParseWarning
from rulings.importers.script import refuse_foreign
from rulings.importers.tables import BadRowError, Columns, Row, read_rows, read_table
from rulings.text.dates import find_date
from rulings.text.links import is_web_address
from rulings.text.names import other_writings, split_faces
from rulings.text.verdicts import verdict_of

FAQ_COLUMNS: Mapping[str, Sequence[str]] = {
    "question": ("question", "質問", "質問文", "Question", "q", "Q", "Ｑ"),
    "answer": ("answer", "回答", "回答文", "答え", "Answer", "a", "A", "Ａ"),
    "official_id": ("official_id", "qa_id", "faq_id", "id", "ID", "公式ID", "番号"),
    "published": ("published", "published_on", "date", "公開日", "掲載日", "日付", "更新日"),
    "url": ("url", "URL", "link", "リンク"),
    "rules_cited": ("rules_cited", "rules", "rule", "関連ルール", "ルール", "参照ルール"),
}
CARD_COLUMNS: Mapping[str, Sequence[str]] = {
    "name": ("name", "name_ja", "カード名", "名前", "名称", "card_name"),
    "reading": ("reading", "読み", "よみ", "ふりがな", "フリガナ", "name_kana", "kana", "ルビ"),
    "official_id": ("official_id", "konami_id", "card_id", "id", "ID", "公式ID"),
    "layout": ("layout", "レイアウト"),
    "aliases": ("aliases", "alias", "別名", "略称", "愛称"),
    "sides": ("sides", "faces", "面"),
}


class CardProfile(Protocol):
    """What a game says about its cards."""

    @property
    def joined_layouts(self) -> tuple[str, ...]: ...
    @property
    def face_separator(self) -> str: ...
    @property
    def card_facts(self) -> Mapping[str, str]: ...
    @property
    def list_facts(self) -> tuple[str, ...]: ...
    @property
    def fact_codes(self) -> Mapping[str, Mapping[str, str]]: ...


# The longest texts that the models hold.
_LONGEST_NAME, _LONGEST_ID, _LONGEST_LAYOUT = 200, 50, 20
_LIST_MARK = re.compile(r"[,、，;；|｜\n]+")


def parse_faqs(text: str, mapping: Mapping[str, str]) -> tuple[list[FaqRecord], list[ParseWarning]]:
    """Read a list of questions; `mapping` says which column holds a field where its name does not tell."""
    columns = Columns(FAQ_COLUMNS, mapping)
    table = read_table(text, columns, "question")
    warnings: list[ParseWarning] = []
    faqs = read_rows(table, lambda row: _faq(row, columns, warnings))
    refuse_foreign("".join(faq.question + faq.answer for faq in faqs))
    width = max(4, len(str(len(faqs))))
    for position, faq in enumerate(faqs, start=1):
        faq.sort_key = f"{position:0{width}d}."
    return faqs, sorted([*table.warnings, *warnings], key=lambda warning: warning.line)


def _faq(row: Row, columns: Columns, warnings: list[ParseWarning]) -> FaqRecord:
    question, answer = columns.text(row.cells, "question"), columns.text(row.cells, "answer")
    if not question or not answer:
        raise BadRowError("質問がありません。" if not question else "回答がありません。")
    date_text = columns.text(row.cells, "published")
    published = find_date(date_text)
    if date_text and published is None:
        warnings.append(ParseWarning("bad_date", f"公開日「{date_text[:40]}」を読み取れません。", row.first))
    url = columns.text(row.cells, "url")
    if url and not is_web_address(url):
        warnings.append(ParseWarning("bad_url", f"「{url[:40]}」はウェブページのURLではありません。", row.first))
        url = ""
    return FaqRecord(
        question=question,
        answer=answer,
        sort_key="",
        verdict=verdict_of(answer),
        published=published,
        official_id=columns.text(row.cells, "official_id", _LONGEST_ID),
        url=url,
        rules_cited=_texts(columns.value(row.cells, "rules_cited"), "rules_cited"),
        lines=[Lines(row.first, row.last)],
    )


def _texts(value: object, name: str) -> list[str]:
    """A list of texts, or a text that lists them."""
    if value is None:
        return []
    values = _LIST_MARK.split(value) if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(each, (str, int, float)) for each in values):
        raise BadRowError(f"「{name}」が一覧ではありません。")
    return [str(each).strip() for each in values if str(each).strip()]


def parse_cards(
    text: str, mapping: Mapping[str, str], profile: CardProfile
) -> tuple[list[CardRecord], list[ParseWarning]]:
    """Read a list of cards; a card's facts stand in its sides, or, for a card with one face, in the row itself."""
    facts = {key: (key, label) for key, label in profile.card_facts.items()}
    columns = Columns({**CARD_COLUMNS, **facts}, mapping)
    table = read_table(text, columns, "name")
    warnings: list[ParseWarning] = []
    cards = read_rows(table, lambda row: _card(row, columns, profile, warnings))
    return cards, sorted([*table.warnings, *warnings], key=lambda warning: warning.line)


def _card(row: Row, columns: Columns, profile: CardProfile, warnings: list[ParseWarning]) -> CardRecord:
    name = columns.text(row.cells, "name", _LONGEST_NAME)
    if not name:
        raise BadRowError("カード名がありません。")
    if not any(unicodedata.category(char)[0] in "LNS" for char in name):  # letters, digits, symbols
        raise BadRowError(f"カード名「{name}」に文字がありません。")
    layout = columns.text(row.cells, "layout", _LONGEST_LAYOUT)
    sides = _sides(row, columns)
    names = [name] * len(sides)
    if layout in profile.joined_layouts:
        parts = split_faces(name, profile.face_separator)
        if len(parts) == len(sides):
            names = parts
        else:
            message = f"《{name}》の名前は{len(parts)}つに分かれますが、面は{len(sides)}つです。"
            warnings.append(ParseWarning("face_count", message, row.first))
    aliases = _texts(columns.value(row.cells, "aliases"), "aliases")
    if any(len(alias) > _LONGEST_NAME for alias in aliases):
        raise BadRowError(f"「aliases」が長すぎます（{_LONGEST_NAME}文字まで）。")
    for written in dict.fromkeys([name, *names]):
        aliases += other_writings(written)
    return CardRecord(
        name=name,
        faces=[FaceRecord(face, _facts(side, columns, profile)) for face, side in zip(names, sides, strict=True)],
        reading=columns.text(row.cells, "reading", _LONGEST_NAME),
        official_id=columns.text(row.cells, "official_id", _LONGEST_ID),
        layout=layout,
        aliases=[alias for alias in dict.fromkeys(aliases) if alias != name],
    )


def _sides(row: Row, columns: Columns) -> list[Mapping[str, object]]:
    """The sides of a card; the row itself when it lists none."""
    sides = columns.value(row.cells, "sides")
    if not sides:
        return [row.cells]
    if not isinstance(sides, list) or not all(isinstance(side, dict) for side in sides):
        raise BadRowError("「sides」が面の一覧ではありません。")
    return sides


def _facts(side: Mapping[str, object], columns: Columns, profile: CardProfile) -> dict[str, object]:
    """The facts that a side states, codes in words."""
    facts: dict[str, object] = {}
    for key in profile.card_facts:
        value = columns.value(side, key)
        words = profile.fact_codes.get(key, {})
        if key in profile.list_facts:
            value = [words.get(each, each) for each in _texts(value, key)]
        elif isinstance(value, str):
            value = int(value) if value.isascii() and value.isdigit() and len(value) < 10 else value.strip()
            value = words.get(value, value) if isinstance(value, str) else value
        elif isinstance(value, (list, dict)):
            raise BadRowError(f"「{key}」が一つの値ではありません。")
        if value not in (None, "", []):
            facts[key] = value
    return facts

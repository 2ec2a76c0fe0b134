"""A made-up corpus of any size: questions and answers about cards, the same on every machine with the same sources.

With `../shared` beside the project, the names of real cards and the clauses of real rule texts are its material; else
names and clauses are made up. Both are drawn by Zipf's law, so that terms are as unequal as in life. Nothing goes
through the database. Analysed clauses are kept in the temporary folder, by the hash of all they depend on, for corpora
of all sizes together.
"""

import hashlib
import json
import random
import re
import tempfile
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path

from rulings.search import analysis
from rulings.search.analysis import Terms, analyse, grams
from rulings.search.engine import FIELDS, Document
from rulings.text.fold import squeeze

SHARED = Path(__file__).resolve().parents[3] / "shared"
QUESTIONS = [
    "《{card}》の効果で、{clause}ことはできますか？",
    "{clause}時、《{card}》はどうなりますか？",
    "《{card}》が{clause}場合、《{other}》の能力は使えますか？",
    "{clause}間に《{card}》を召喚できますか？",
    "《{card}》と《{other}》が同時にいる時、{clause}のはどちらですか？",
]
ANSWERS = ["はい、できます。", "いいえ、できません。", "はい。", "いいえ、", "状況によります。"]
QUERY_KINDS = ("word", "question", "phrase", "card", "prefix")
RULESETS = ["dm-cr", "dm-party", "dm-tag", "ygo-zexal"]
_SYLLABLES = """
    ア イ カ キ ク グ コ ザ シ ジ ス ゼ タ ダ ディ デ ド ナ ニ ヌ バ ビ ブ ボ マ ミ メ ヤ ラ リ ル レ ロ ヴ ン ー
"""
_WORDS = """
    カード 山札 手札 墓地 クリーチャー 呪文 シールド コスト 能力 相手 自分 場 効果 置換 攻撃 ブロック 破壊 召喚 条件
    進化 封印 革命チェンジ 侵略 マナゾーン バトルゾーン 超次元ゾーン ターン ステップ 優先権 誘発 常在 装備 融合 除外
"""
_TAILS = "を選び を置き に移し を見て を加え を捨て を支払い として扱い がある場合 を参照し を持つ"


class Zipf:
    """Draws the first things most often."""

    def __init__(self, things: Sequence[str], power: float = 0.95) -> None:
        self.things = things
        self.sums = list(accumulate(1 / (rank + 1) ** power for rank in range(len(things))))

    def draw(self, rng: random.Random) -> str:
        return self.things[bisect_left(self.sums, rng.random() * self.sums[-1])]


def names(rng: random.Random) -> list[str]:
    """The names of cards, in the order of how often they are asked about."""
    found: list[str] = []
    syllables = _SYLLABLES.split()
    for file, key in (("dm_cards.jsonl", "name"), ("ygo_cards.jsonl", "name_ja")):
        path = SHARED / "data" / file
        if path.exists():
            found += [json.loads(line)[key] for line in path.read_text(encoding="utf-8").splitlines()]
    while len(found) < 20_000:
        parts = ["".join(rng.choice(syllables) for _ in range(rng.randint(2, 5))) for _ in range(rng.randint(1, 3))]
        found.append("・".join(parts))
    found = sorted(set(found))
    rng.shuffle(found)
    return found


def clauses(rng: random.Random) -> list[str]:
    """Stretches of rule texts between two marks, in the order of how often they are said."""
    found = set()
    for path in sorted((SHARED / "documents").glob("*.txt")):
        found |= set(re.findall(r"[^\s、。「」（）()《》.0-9:：]{8,40}", path.read_text(encoding="utf-8")))
    listed = sorted(found)
    words, tails = _WORDS.split(), _TAILS.split()
    while len(listed) < 6_000:
        parts = [f"{rng.choice(words)}の{rng.choice(words)}{rng.choice(tails)}" for _ in range(rng.randint(1, 2))]
        listed.append("".join(parts))
    rng.shuffle(listed)
    return listed


class Corpus:
    """Documents `0 … size - 1`; a larger corpus begins with the smaller one."""

    def __init__(self, size: int) -> None:
        self.size = size
        rng = random.Random(7)
        self.cards, self.clauses = Zipf(names(rng)), Zipf(clauses(rng), 0.8)
        self._pieces: dict[str, tuple[tuple[str, ...], str]] = {}
        sources = [analysis.VERSION, self.cards.things, self.clauses.things, QUESTIONS, ANSWERS]
        self._mark = hashlib.sha256(json.dumps(sources).encode()).hexdigest()[:16]
        self._kept = Path(tempfile.gettempdir()) / f"rulings-corpus-{self._mark}.json"
        if self._kept.exists():
            kept = json.loads(self._kept.read_text(encoding="utf-8"))
            self._pieces = {text: (tuple(words), squeezed) for text, (words, squeezed) in kept.items()}

    @property
    def folder(self) -> Path:
        """Where indexes of this corpus are kept for the next run."""
        return Path(tempfile.gettempdir()) / f"rulings-bench-{self._mark}-{self.size}"

    def texts(self, number: int) -> dict[str, list[str]]:
        """The pieces of a document's texts, by field."""
        rng = random.Random(number)
        card, other = self.cards.draw(rng), self.cards.draw(rng)
        question = rng.choice(QUESTIONS)
        title = [
            {"card": card, "other": other, "clause": self.clauses.draw(rng)}.get(piece, piece)
            for piece in re.split(r"[{}]", question)
            if piece
        ]
        body = [rng.choice(ANSWERS)]
        for _ in range(rng.randint(3, 12)):
            body += [self.clauses.draw(rng), rng.choice(["。", "、", "ので、", "ため、"])]
            if rng.random() < 0.15:
                body += ["《", self.cards.draw(rng), "》"]
        examples = [self.clauses.draw(rng), "。"] if rng.random() < 0.1 else []
        return {"title": title, "body": body, "examples": examples, "context": [f"第{number % 40}節", "総合ルール"]}

    def _piece(self, text: str) -> tuple[tuple[str, ...], str]:
        if text not in self._pieces:
            self._pieces[text] = analyse(text).words, squeeze(text).text
        return self._pieces[text]

    def document(self, number: int) -> Document:
        """A document, analysed piece by piece."""
        terms, texts, written = {}, {}, self.texts(number)
        for field in FIELDS:
            pieces = [self._piece(piece) for piece in written[field]]
            whole = "".join(squeezed for _words, squeezed in pieces)
            if whole:
                terms[field] = Terms(tuple(word for words, _ in pieces for word in words), tuple(grams(whole)))
                texts[field] = whole
        rng = random.Random(-number)
        since = date(2000, 1, 1) + timedelta(days=rng.randrange(9_000)) if rng.random() < 0.7 else None
        ruleset = RULESETS[number % 7 % 4]
        status = rng.choices(["current", "needs_review", "superseded"], [95, 3, 2])[0]
        labels = frozenset((f"ruleset:{ruleset}", f"game:{ruleset[:2]}", "kind:faq", f"status:{status}"))
        return Document(number + 1, number + 1, terms, texts, labels, since=since)

    def documents(self) -> Iterator[Document]:
        """All documents; the analysis of their pieces is kept for the next run."""
        known = len(self._pieces)
        for number in range(self.size):
            yield self.document(number)
        if len(self._pieces) > known:
            beside = self._kept.with_suffix(".new")
            beside.write_text(json.dumps(self._pieces), encoding="utf-8")
            beside.replace(self._kept)

    def queries(self, count: int, seed: int = 1) -> list[tuple[str, str]]:
        """(kind, text): words, questions, phrases, names, beginnings of names, in equal shares."""
        rng = random.Random(f"queries {seed}")
        found = []
        for at in range(count):
            kind = QUERY_KINDS[at % len(QUERY_KINDS)]
            found.append((kind, self._query(kind, rng)))
        return found

    def _query(self, kind: str, rng: random.Random) -> str:
        if kind == "card":
            return self.cards.draw(rng)
        if kind == "prefix":
            return self.cards.draw(rng)[: rng.randint(2, 5)]
        if kind == "word":
            return rng.choice(_WORDS.split())
        if kind == "question":
            pieces = self.texts(rng.randrange(self.size))["title"]
            return "".join(pieces)[:80]
        clause = self.clauses.draw(rng)
        start = rng.randrange(max(1, len(clause) - 6))
        return clause[start : start + rng.randint(4, 12)]

"""From a query to what the engine is asked: concepts, each in several ways, weighed."""

from collections.abc import Iterator
from functools import lru_cache

from rulings.search.analysis import ASKING_WORDS, Morpheme, grams, latin_terms, morphemes, number_terms, prepare, script
from rulings.search.engine import Alternative, Concept
from rulings.search.ranking import COUNTER_WEIGHT, FILLER_WEIGHT, SYNONYM_DISCOUNT, VERB_WEIGHT
from rulings.search.reading import Mention, Query
from rulings.search.vocabulary import WordList
from rulings.text.fold import DROPPED, squeeze

MAX_CONCEPTS = 16
MAX_ALTERNATIVES = 6
# Words that say little by themselves and yet stand in rules as they stand in queries (folded normal forms).
_FILLERS = frozenset(("出来ル", "ドッチ", "何方", "全テ", "最初", "同時"))
# Words that only ask, hedge or point; the stop words of the index do not know them (folded normal forms).
_SAYS_LITTLE = """
コト モノ トキ トコロ ヤツ ドコ ドレ 侭 側 サ 駄目 宜シイ ok 大丈夫 平気 セーフ アウト アリ 有リ 矢張リ 一応 モウ
抑 理由 結局 実際 マジ 本当 取リ敢エズ 多分 具体 簡単 要 ミタイ 感ジ
"""
_EMPTY = frozenset(_SAYS_LITTLE.split())
SEVERAL = "複数"  # rules say so where players count
_JOINED = ("名詞", "接頭辞", "接尾辞", "形状詞", "代名詞", "連体詞", "感動詞")

Span = tuple[int, int, Concept]


def concepts_of(query: Query) -> tuple[Concept, ...]:
    """Return the concepts of a query, the first ones where there are too many."""
    text = query.text
    spans: list[Span] = [(found.start, found.end, _mention(text, found)) for found in query.mentions]
    for start, end, key in query.words.known_in(text):
        if not _taken(start, end, spans):
            spans.append((start, end, _known(text[start:end], key, query.words)))
    spans += list(_words(text, spans, query))
    return tuple(concept for _start, _end, concept in sorted(spans, key=lambda span: span[0])[:MAX_CONCEPTS])


def literal_of(text: str) -> tuple[str, ...]:
    """Return the grams that hold the whole text."""
    squeezed = squeeze(text).text
    return tuple(dict.fromkeys(grams(squeezed))) if len(squeezed) > 1 else tuple(squeezed)


def _taken(start: int, end: int, spans: list[Span]) -> bool:
    return any(one < end and start < other for one, other, _concept in spans)


def _mention(text: str, mention: Mention) -> Concept:
    written = alternative(text[mention.start : mention.end])
    labels = frozenset(f"card:{card}" for card in mention.cards)
    return Concept((Alternative(written.text, written.words, written.grams, labels=labels),), 1.5)


def _known(written: str, key: str, words: WordList) -> Concept:
    """Return the concept of a word that the game's list knows."""
    said = [alternative(written), *(alternative(word, SYNONYM_DISCOUNT) for word in words.synonyms.get(key, ()))]
    labels = {f"ruleset:{slug}" for one in said if (slug := words.rulesets.get(one.text))}
    if labels:
        said.append(Alternative("", (), (), labels=frozenset(labels)))
    return Concept(_different(said), COUNTER_WEIGHT if key.startswith("何") else 1.0)


def _different(said: list[Alternative]) -> tuple[Alternative, ...]:
    found: dict[tuple[str, frozenset[str]], Alternative] = {}
    for one in said:
        found.setdefault((one.text, one.labels), one)
    return tuple(found.values())[:MAX_ALTERNATIVES]


@lru_cache(maxsize=2_000)  # of a query, the same words come again and again, with all their synonyms
def alternative(text: str, discount: float = 1.0) -> Alternative:
    """Return one way to say something, analysed as the index was."""
    ready = prepare(text)
    words = [morpheme.normal for morpheme in morphemes(ready) if morpheme.is_content]
    words += [*number_terms(ready), *latin_terms(ready)]
    pairs = [pair for chunk in ready.split() for pair in grams(squeeze(chunk).text)]
    return Alternative(squeeze(text).text, tuple(dict.fromkeys(words)), tuple(dict.fromkeys(pairs)), discount)


def _words(text: str, spans: list[Span], query: Query) -> Iterator[Span]:
    """Yield the concepts between the spans: compounds of nouns, verbs, fillers."""
    group: list[Morpheme] = []
    found = list(morphemes(text))
    says_much = any(one.is_content and not _says_little(one) for one in found)
    for at, morpheme in enumerate(found):
        if group and DROPPED.issuperset(morpheme.surface):  # whether that parts words, the one behind it tells
            continue
        free = not _taken(morpheme.start, morpheme.end, spans)
        asks = morpheme.is_content and says_much and (_says_little(morpheme) or _is_how(found, at))
        joins = free and morpheme.is_content and morpheme.pos in _JOINED and not asks
        if group and (not joins or _are_apart(group[-1], morpheme) or _counts(found, at)):
            yield from _compounds(text, group, query)
            group = []
        if joins:
            group.append(morpheme)
        elif asks:
            continue
        elif free and morpheme.is_content and morpheme.pos == "副詞":
            yield _compound(text, [morpheme], query.words)
        elif free and morpheme.is_content:
            yield morpheme.start, morpheme.end, _verb(morpheme, query.words)
        elif free and morpheme.pos not in ("助詞", "助動詞", "補助記号", "空白"):
            filler = _filler(found, at)
            if filler:
                yield morpheme.start, morpheme.end, filler
    if group:
        yield from _compounds(text, group, query)


def _are_apart(one: Morpheme, other: Morpheme) -> bool:
    """Whether words with a sign between them are two: a single letter is a part of a word (G・ストライク, B・A・D)."""
    is_letter = any(len(each.surface) == 1 and each.surface.isascii() for each in (one, other))
    return one.end < other.start and not is_letter


def _counts(found: list[Morpheme], at: int) -> bool:
    """Whether a count begins: it joins nothing before it (手札7枚)."""
    following = found[at + 1] if at + 1 < len(found) else None
    before = found[at - 1].surface if at else ""
    counter = following is not None and following.pos == "接尾辞"
    return counter and found[at].surface.isnumeric() and not before.isnumeric()


def _says_little(morpheme: Morpheme) -> bool:
    """Whether a morpheme only says that something is asked for, beside what is asked for."""
    return morpheme.surface in ASKING_WORDS or morpheme.normal in _EMPTY


def _is_how(found: list[Morpheme], at: int) -> bool:
    """Whether a morpheme is the verb of 「どうやって」."""
    return at > 0 and found[at].normal == "遣ル" and found[at - 1].normal == "ドウ"


def _compounds(text: str, group: list[Morpheme], query: Query) -> Iterator[Span]:
    """Yield a compound whole, or as the players' words that it is made of where nobody knows it whole.

    サイキックバウンス is サイキック and バウンス; 誘発型能力, which rules say, stays itself.
    """
    for part in _parts(text, group, query):
        yield _compound(text, part, query.words)


def _parts(text: str, group: list[Morpheme], query: Query) -> list[list[Morpheme]]:
    known = query.words.synonyms
    if len(group) == 1 or _key(text, group) in known or query.is_vocabulary(_key(text, group)):
        return [group]
    parts: list[list[Morpheme]] = []
    at = 0
    while at < len(group):
        pieces = [group[at:end] for end in range(len(group), at, -1)]
        piece = next((one for one in pieces if _key(text, one) in known), None)
        piece = piece or next((one for one in pieces if _is_of_rules(_key(text, one), query)), None)
        if piece is None:
            return [group]
        parts.append(piece)
        at += len(piece)
    return parts


def _is_of_rules(key: str, query: Query) -> bool:
    """Whether rules use a word in kanji; of others it cannot be told whether they are parts of longer ones."""
    return all(script(char) == "kanji" for char in key) and query.is_vocabulary(key)


def _key(text: str, group: list[Morpheme]) -> str:
    return squeeze(text[group[0].start : group[-1].end]).text


def _compound(text: str, group: list[Morpheme], words: WordList) -> Span:
    start, end = group[0].start, group[-1].end
    written = text[start:end]
    key = squeeze(written).text
    if len(group) == 1 and key not in words.synonyms:
        key = words.key_of(group[0].normal)  # ぜんぶ: 全部
    concept = _known(written, key, words)
    if not all(morpheme.surface.isnumeric() or morpheme.pos == "接尾辞" for morpheme in group):
        return start, end, concept
    several = () if written.startswith(("1", "一", "0", "〇")) else (alternative(SEVERAL, SYNONYM_DISCOUNT),)
    return start, end, Concept((*concept.alternatives, *several), COUNTER_WEIGHT)


def _verb(morpheme: Morpheme, words: WordList) -> Concept:
    said = [Alternative(morpheme.normal, (morpheme.normal,), ())]
    said += [alternative(word, SYNONYM_DISCOUNT) for word in words.synonyms.get(words.key_of(morpheme.normal), ())]
    return Concept(_different(said), VERB_WEIGHT)


def _filler(found: list[Morpheme], at: int) -> Concept | None:
    """Return a concept of little weight for a word that says little (できない, どっち), with its endings."""
    if squeeze(found[at].normal).text not in _FILLERS:
        return None
    text = found[at].surface
    for following in found[at + 1 :]:
        if following.pos != "助動詞":
            break
        text += following.surface
    squeezed = squeeze(text).text
    if len(squeezed) < 3:
        return None
    return Concept((Alternative(squeezed, (), tuple(grams(squeezed))),), FILLER_WEIGHT)

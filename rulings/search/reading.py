"""How a query is read: a number, cards, or words."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rulings.models import Card, Entry, Kind
from rulings.search.analysis import morphemes, prepare
from rulings.search.matching import AS_WRITTEN, SURE, SURE_INSIDE, SURE_SLIP, NameMatch, fold_width, match
from rulings.search.name_table import NameTable
from rulings.search.results import Reading, SearchRequest, SearchWarning
from rulings.search.vocabulary import WordList, occurrences, stands_alone, words_of
from rulings.text.fold import fold_key, squeeze
from rulings.text.numbers import parse_number

MAX_CHARS = 100
MAX_CARDS = 40
SHORTEST_NAME = 4  # of a name that stands unmarked inside a longer query

_SURE_NUMBER = r"\d{1,4}\s*[.\-‐–—−ー・．]\s*\d{1,3}\s*[a-z]{0,2}(?:~\d{1,2}(?![\da-z]|\.\d))?"
_NUMBER = re.compile(
    rf"(?P<number>{_SURE_NUMBER}|(?<![\d.])\d{{3,4}}(?![\da-z]|\.\d))\s*[.．。、]?\s*(?:章|条|項)?(?:とは|について)?",
    re.IGNORECASE,
)
_SHORT_NUMBER = re.compile(r"(?<!\d)(?P<number>\d{1,2})\s*[.．。]?\s*(?:章|とは|について)?")  # alone, of what there is
# Words before a number that say only that it is one.
_RULE_WORDS = ("ルール", "条", "条項", "第", "参考", "参照", "rule", "no", "章", "ノ")
_BRACKETED = re.compile(r"[《≪«〈]([^《》≪≫«»〈〉]+)[》≫»〉]")
_QUOTED = re.compile(r"[「『]([^「」『』]+)[」』]")


@dataclass(slots=True)
class Mention:
    """Cards that a stretch of the query names."""

    start: int
    end: int
    matches: list[NameMatch]
    whole: bool = False  # the query is this name and nothing else

    @property
    def cards(self) -> list[int]:
        return [found.card for found in self.matches[:MAX_CARDS]]

    @property
    def surest(self) -> list[int]:
        """The cards whose names these are, before those that have such a face or nickname."""
        return [one.card for one in self.matches if one.quality >= self.matches[0].quality - AS_WRITTEN]

    @property
    def is_exact(self) -> bool:
        return bool(self.matches) and self.matches[0].how == "exact"


@dataclass(slots=True)
class Query:
    """A query, read."""

    text: str  # prepared, without the words that name a game
    reading: Reading
    game: str | None = None
    rulesets: tuple[str, ...] = ()  # that it names
    rest: str = ""  # beside the number
    mentions: list[Mention] = field(default_factory=list)
    words: WordList = field(default_factory=lambda: words_of(None))
    warnings: list[SearchWarning] = field(default_factory=list)
    is_vocabulary: Callable[[str], bool] = lambda _key: False  # whether the rules use a (folded) word


def read(request: SearchRequest, names: NameTable) -> Query:
    """Read the query of a request."""
    text, warnings = cut(request.q)
    if not squeeze(text).text:
        if text.strip():
            warnings.append(SearchWarning("only_symbols", "検索できる文字がありません。"))
        return Query("", Reading("empty", "検索語がありません"), request.game, warnings=warnings)
    if request.read == "words":
        words = words_of(request.game)
        return Query(
            text,
            Reading("words", "ことば"),
            request.game,
            words=words,
            warnings=warnings,
            is_vocabulary=names.is_vocabulary,
        )
    named = _number(text, request) if request.read in (None, "number") else None
    if named is not None:
        named.warnings, named.is_vocabulary = warnings, names.is_vocabulary
        if fold_key(text) in names.exact:  # a card is called so too (７)
            named.mentions = [Mention(0, len(text), match(fold_key(text), names, request.game), whole=True)]
        return named
    game = request.game
    if fold_key(text) not in names.exact:
        text, game = _game(text, game)
    rulesets, game = _rulesets(text, game)
    query = Query(
        text,
        Reading("words", "ことば"),
        game,
        rulesets,
        words=words_of(game),
        warnings=warnings,
        is_vocabulary=names.is_vocabulary,
    )
    if request.read == "card":
        matches = match(fold_key(text), names, game, raw=text)
        query.mentions = [Mention(0, len(text), matches, whole=True)] if matches else []
    elif request.read is None:
        query.mentions = _mentions(text, names, game, query.words)
    query.reading = _reading(query)
    return query


def cut(raw: str) -> tuple[str, list[SearchWarning]]:
    """Return a query normalised and no longer than is read, and a warning where it was."""
    text = " ".join(prepare(raw[: 4 * MAX_CHARS]).split())
    if len(raw) <= 4 * MAX_CHARS and len(text) <= MAX_CHARS:
        return text, []
    return text[:MAX_CHARS], [SearchWarning("query_cut", f"検索語が長いため、はじめの{MAX_CHARS}文字で検索しました。")]


def is_name(text: str, names: NameTable) -> bool:
    """Whether a query is a card's name, signs of the query language included (カオス・ソルジャー －開闢の使者－)."""
    found = names.exactly(fold_key(text))
    return any('"' not in text or fold_width(one.raw) == fold_width(text) for one in found)


# -- numbers -------------------------------------------------------------------------------------------------------


def _number(text: str, request: SearchRequest) -> Query | None:
    found = _NUMBER.search(text) or _short_number(text)
    number = parse_number(found["number"]) if found else None
    if found is None or number is None:
        return None
    if number.copy and not _is_known(str(number)):
        number = replace(number, copy="")  # 805.4~6
    rest, words = text[found.end() :].strip(" 」』）)】]."), words_of(request.game)
    if not number.rule and squeeze(rest).text and request.read != "number":
        return None  # 「7000以上」 is no chapter
    name, slug = _named_ruleset(squeeze(text[: found.start()]).text, words)
    if name and not slug and request.read != "number":
        return None
    said = f"{text[: found.start()].strip(' 「『（(')} {number}" if slug else f"ルール番号 {number}"
    return Query(text, Reading("number", said, str(number), slug), request.game, rest=rest, words=words)


def _short_number(text: str) -> re.Match[str] | None:
    """Return the number of one or two digits at the end of a query, where a section has it (1 – but no 20)."""
    found = _SHORT_NUMBER.search(text)
    alone = found is not None and not squeeze(text[found.end() :]).text
    return found if found and alone and _is_known(found["number"]) else None


def _is_known(number: str) -> bool:
    return Entry.objects.filter(kind=Kind.SECTION, number=number).exists()


def _named_ruleset(name: str, words: WordList) -> tuple[str, str]:
    """Return what stands before a number beside words like 「ルール」, and the ruleset it names."""
    while name and name not in words.rulesets:
        shorter = next((name.removesuffix(word) for word in _RULE_WORDS if name.endswith(word)), name)
        if shorter == name:
            break
        name = shorter
    return name, words.rulesets.get(name, "")


# -- games and cards -----------------------------------------------------------------------------------------------


def _game(text: str, game: str | None) -> tuple[str, str | None]:
    """Take the words that name a game out of the query; they filter."""
    words = words_of(game)
    if squeeze(text).text in words.games:
        return text, game
    for start, end, key in reversed(occurrences(text, squeeze(text), dict.fromkeys(words.games), words.longest)):
        if not stands_alone(text, start, end):
            continue
        rest = " ".join((text[:start] + " " + text[end:].removeprefix("の").removeprefix("で")).split())
        if squeeze(rest).text:
            text, game = rest, game or words.games[key]
    return text, game


def _rulesets(text: str, game: str | None) -> tuple[tuple[str, ...], str | None]:
    """Return the rulesets that the query names, by any of their names, and the game they choose."""
    words = words_of(game)
    known = words.ruleset_words
    slugs = {known[key] for _start, _end, key in occurrences(text, squeeze(text), known, words.longest)}
    games = {words.ruleset_games[slug] for slug in slugs}
    return tuple(sorted(slugs)), game or (games.pop() if len(games) == 1 else None)


def _mentions(text: str, names: NameTable, game: str | None, words: WordList) -> list[Mention]:
    bracketed = [
        Mention(name.start(), name.end(), match(fold_key(name[1]), names, game, raw=name[1]))
        for name in _BRACKETED.finditer(text)
    ]
    if bracketed:
        found = [mention for mention in bracketed if mention.matches]
        if len(found) == 1 and squeeze(text).text == squeeze(text[found[0].start : found[0].end]).text:
            found[0].whole = True
        return found
    whole = _whole(text, names, game, words)
    return [whole] if whole else _inside(text, names, game, words)


def _whole(text: str, names: NameTable, game: str | None, words: WordList) -> Mention | None:
    """Return the mention when the query is a name, or a part of one, and nothing else."""
    key = fold_key(text)
    exact = key in names.exact
    if not exact and (meant := _meant(key, names, game, words)):
        others = [one for one in match(key, names, game, typos=False) if one.quality >= SURE]
        known = {one.card for one in meant}
        return Mention(0, len(text), [*meant, *(one for one in others if one.card not in known)], whole=True)
    if not exact and (names.is_vocabulary(key) or key in words.synonyms or key in words.rulesets or len(key) < 2):
        return None
    matches = match(key, names, game, raw=text)
    if not matches or matches[0].quality < SURE:
        return None
    if (matches[0].how == "nickname" or matches[0].quality < SURE_SLIP) and _is_sentence(text):
        return None
    return Mention(0, len(text), matches, whole=True)


def _meant(key: str, names: NameTable, game: str | None, words: WordList) -> list[NameMatch]:
    """Return the cards that a word of players stands for (天門: ヘブンズ・ゲート)."""
    keys = [fold_key(said) for said in words.synonyms.get(key, ())]
    named = [name for name in keys if name in names.exact and not names.is_vocabulary(name)]
    return [one for name in named for one in match(name, names, game, typos=False) if one.how == "exact"]


def _is_sentence(text: str) -> bool:
    return any(morpheme.pos in ("助詞", "助動詞", "空白") for morpheme in morphemes(text))


def _inside(text: str, names: NameTable, game: str | None, words: WordList) -> list[Mention]:
    """Return names that stand unmarked in a longer query: whole names first, then parts of names by word."""
    found = _whole_names(text, names, game)
    for start, end, key in occurrences(text, squeeze(text), words.synonyms, words.longest):
        taken = any(mention.start < end and start < mention.end for mention in found)
        if not taken and (meant := _meant(key, names, game, words)):
            found.append(Mention(start, end, meant))
    for start, end in _chunks(text):
        if any(mention.start < end and start < mention.end for mention in found):
            continue
        key = fold_key(text[start:end])
        if len(key) < SHORTEST_NAME or key in words.synonyms or key in words.rulesets:
            continue
        if all(names.is_vocabulary(squeeze(morpheme.surface).text) for morpheme in morphemes(text[start:end])):
            continue
        matches = [one for one in match(key, names, game, typos=len(key) > 5) if one.quality >= SURE_INSIDE]
        if matches:
            found.append(Mention(start, end, matches))
    return sorted(found, key=lambda mention: mention.start)


def _whole_names(text: str, names: NameTable, game: str | None) -> list[Mention]:
    folded, found, at = squeeze(text), [], 0
    while at < len(folded.text):
        for length in range(min(names.longest, len(folded.text) - at), 1, -1):
            key = folded.text[at : at + length]
            if key not in names.exact:
                continue
            start, end = folded.original_span(at, at + length)
            long_enough = length >= SHORTEST_NAME and not names.is_vocabulary(key)
            if not (long_enough and stands_alone(text, start, end)) and not _spaced(text, start, end):
                continue
            matches = match(key, names, game, typos=False)
            if matches and matches[0].how == "exact":
                found.append(Mention(start, end, [one for one in matches if one.how == "exact"]))
                at += length - 1
                break
        at += 1
    return found


def _spaced(text: str, start: int, end: int) -> bool:
    """Whether the stretch is set off by spaces or the ends of the query."""
    return (start == 0 or text[start - 1] == " ") and (end == len(text) or text[end] == " ")


def _chunks(text: str) -> list[tuple[int, int]]:
    """Return the stretches between spaces, particles and verbs."""
    found: list[tuple[int, int]] = []
    for morpheme in morphemes(text):
        if morpheme.pos in ("助詞", "助動詞", "空白", "動詞", "補助記号"):
            continue
        if found and found[-1][1] == morpheme.start:
            found[-1] = (found[-1][0], morpheme.end)
        else:
            found.append((morpheme.start, morpheme.end))
    spaced = [(part.start(), part.end()) for part in re.finditer(r"\S+", text)]
    return [*(span for span in spaced if span not in found), *found]


def _reading(query: Query) -> Reading:
    sure = [mention for mention in query.mentions if mention.is_exact or mention.whole]
    if len(query.mentions) >= 2 and len(sure) == len(query.mentions):
        cards = [mention.cards[0] for mention in sure]
        return Reading("cards", f"{len(cards)}枚のカードの相互作用", cards=cards)
    if len(query.mentions) == 1 and query.mentions[0].whole:
        card = query.mentions[0].cards[0]
        name = Card.objects.values_list("name", flat=True).get(pk=card)
        return Reading("card", f"カード《{name}》", cards=query.mentions[0].cards[:10])
    return Reading("words", "ことば", cards=[mention.cards[0] for mention in query.mentions])

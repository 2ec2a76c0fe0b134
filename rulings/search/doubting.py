"""Queries in which no word can be made out: of them only what stands somewhere in a text counts, no mere fragments."""

from rulings.search.analysis import Morpheme, is_known, morphemes, script
from rulings.search.language import Node
from rulings.search.reading import Query
from rulings.search.vocabulary import WordList
from rulings.text.fold import squeeze

STRETCH = 4  # characters of the query, squeezed, that a text must hold in one piece


def stretches_of(query: Query) -> Node | None:
    """Return the condition that a text holds a stretch of the query; none where the query says a word, or is short."""
    whole = squeeze(query.text).text
    if query.reading.kind != "words" or query.mentions or len(whole) < STRETCH or _says_something(query):
        return None
    pieces = dict.fromkeys(whole[at : at + STRETCH] for at in range(len(whole) - STRETCH + 1))
    return Node("or", parts=tuple(Node("has", piece) for piece in pieces))


def _says_something(query: Query) -> bool:
    words = query.words
    if words.known_in(query.text):
        return True
    chunks = query.text.split()
    if any(query.is_vocabulary(squeeze(chunk).text) for chunk in chunks if len(chunk) > 1):
        return True
    return any(_is_players(one, words) or _is_word(one, chunks) for one in morphemes(query.text))


def _is_players(morpheme: Morpheme, words: WordList) -> bool:
    """Whether a morpheme is one of the players' words, however it is written (やってた: やる)."""
    return morpheme.is_content and len(morpheme.surface) > 1 and words.key_of(morpheme.normal) in words.synonyms


def _is_word(morpheme: Morpheme, chunks: list[str]) -> bool:
    """Whether a morpheme is surely a word: a number, or more of it stands in the dictionary than random letters hit."""
    surface = morpheme.surface
    if surface.isnumeric():
        return True
    if all(script(char) == "hiragana" for char in surface):
        return len(surface) > 2 and any(script(char) == "kanji" for char in morpheme.normal) and is_known(surface)
    return morpheme.is_content and (len(surface) > 1 or surface in chunks) and is_known(surface)

"""From documents to postings, with numpy: which documents hold a term, and how often in each field.

A segment is inverted once, from its documents or from the segments that it replaces, and both the engine's files and
the mapped arrays are written from that.

Terms are kept in groups: the words of all fields share one list of documents per term, likewise the grams. The
frequencies of a document's fields stand in one number, eight bits each; 255 means 255 and more.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search import marks
from rulings.search.dates import since_ordinal, until_ordinal
from rulings.search.engine import FIELDS, Document
from rulings.search.formula import MOST, of_field
from rulings.search.sidecar import Arrays

COUNTED = ("words", "grams")  # groups with a frequency per field
GROUPS = (*COUNTED, "chars", "labels")
COLUMNS = {"id": np.int64, "entry": np.int64, "since": np.int32, "until": np.int32, "held_until": np.int32}


class _Vocabulary(dict[str, int]):
    """Numbers terms as they come."""

    def __missing__(self, term: str) -> int:
        self[term] = number = len(self)
        return number


@dataclass(frozen=True, slots=True)
class Postings:
    """A group's terms in the order of their bytes, and for each the documents in their order."""

    terms: list[bytes]
    starts: NDArray[np.int64]  # of each term in `ids`, and the end
    ids: NDArray[np.int32]
    tf: NDArray[np.uint32]  # packed


@dataclass(frozen=True, slots=True)
class Inverted:
    """All of a segment."""

    size: int  # in documents
    groups: dict[str, Postings]
    columns: dict[str, NDArray[Any]]
    texts: list[bytes]  # the fields of a document together
    lengths: dict[str, NDArray[np.int32]]  # terms per field and document, by group: arrays of (fields, documents)


class Inverter:
    """Takes documents one by one; numbers them as they come."""

    def __init__(self) -> None:
        self.size = 0
        self._vocabularies = {group: _Vocabulary() for group in GROUPS}
        self._tokens = {group: array("I") for group in GROUPS}
        self._counts = {group: array("I") for group in GROUPS}  # per document and, where counted, field
        self._columns: dict[str, list[int]] = {name: [] for name in COLUMNS}
        self._texts: list[bytes] = []

    def add(self, document: Document) -> None:
        """Take in a document."""
        for field in FIELDS:
            terms = document.terms.get(field)
            self._take("words", terms.words if terms else ())
            self._take("grams", terms.grams if terms else ())
            self._texts.append(document.texts.get(field, "").encode())
        self._take("chars", set(chain.from_iterable(document.texts.values())))
        self._take("labels", document.labels)
        columns = self._columns
        columns["id"].append(document.id)
        columns["entry"].append(document.entry)
        columns["since"].append(since_ordinal(document.since))
        columns["until"].append(until_ordinal(document.until))
        columns["held_until"].append(until_ordinal(document.held_until))
        self.size += 1

    def _take(self, group: str, terms: Iterable[str]) -> None:
        tokens = self._tokens[group]
        before = len(tokens)
        tokens.extend(map(self._vocabularies[group].__getitem__, terms))
        self._counts[group].append(len(tokens) - before)

    def finish(self) -> Inverted:
        """Return what was taken in, which is given up here."""
        return Inverted(
            self.size,
            {group: self._postings(group) for group in GROUPS},
            {name: np.array(values, COLUMNS[name]) for name, values in self._columns.items()},
            self._texts,
            {group: _by_field(self._counts[group]) for group in COUNTED},
        )

    def _postings(self, group: str) -> Postings:
        per_document = len(FIELDS) if group in COUNTED else 1
        counts, tokens = np.array(self._counts[group], np.int64), np.array(self._tokens.pop(group), np.int64)
        terms, rank = _ranked(self._vocabularies.pop(group))
        keys = rank[tokens] * max(1, len(counts)) + np.repeat(np.arange(len(counts)), counts)
        del tokens
        keys.sort()
        keys, frequencies = _counted(keys)
        term, place = np.divmod(keys, max(1, len(counts)))
        document, field = np.divmod(place, per_document)
        values = np.minimum(frequencies, MOST).astype(np.uint32) << (8 * field).astype(np.uint32)
        return _joined(terms, term, document, values)


def _by_field(counts: "array[int]") -> NDArray[np.int32]:
    return np.ascontiguousarray(np.array(counts, np.int32).reshape(-1, len(FIELDS)).T)


def _ranked(vocabulary: dict[str, int]) -> tuple[list[bytes], NDArray[np.int64]]:
    """Return the terms sorted by their bytes, and the place of each by its number."""
    encoded = [term.encode() for term in vocabulary]
    order = sorted(range(len(encoded)), key=encoded.__getitem__)
    rank = np.empty(len(encoded), np.int64)
    rank[order] = np.arange(len(encoded))
    return [encoded[at] for at in order], rank


def _counted(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the different keys of a sorted array, and how often each stands there."""
    if not len(keys):
        return keys, keys
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return keys[first], np.diff(first, append=len(keys))


def _joined(terms: list[bytes], term: NDArray[Any], document: NDArray[Any], values: NDArray[np.uint32]) -> Postings:
    """Join the fields of a document; the rows come sorted by term and document."""
    if len(term):
        first = np.flatnonzero(np.concatenate([[True], (term[1:] != term[:-1]) | (document[1:] != document[:-1])]))
        values = np.bitwise_or.reduceat(values, first)
        term, document = term[first], document[first]
    starts = np.searchsorted(term, np.arange(len(terms) + 1)).astype(np.int64)
    return Postings(terms, starts, document.astype(np.int32), values.astype(np.uint32))


# -- merging -----------------------------------------------------------------------------------------------------------


def merged(parts: Sequence[tuple[Inverted, NDArray[np.bool_]]]) -> Inverted:
    """Return one segment of several, which are given up, without the documents that are not alive, in their order."""
    if len(parts) == 1 and parts[0][1].all():
        return parts[0][0]
    numbers, size = [], 0  # the new number of each document, -1 for the dead
    for _part, alive in parts:
        numbers.append(np.where(alive, np.cumsum(alive, dtype=np.int32) - 1 + size, -1).astype(np.int32))
        size += int(alive.sum())
    groups = {
        group: _merged_group([(part.groups.pop(group), new) for (part, _), new in zip(parts, numbers, strict=True)])
        for group in GROUPS
    }
    columns = {name: np.concatenate([part.columns[name][alive] for part, alive in parts]) for name in COLUMNS}
    lengths = {
        group: np.concatenate([part.lengths[group][:, alive] for part, alive in parts], axis=1) for group in COUNTED
    }
    texts = [
        text
        for part, alive in parts
        for document in np.flatnonzero(alive)
        for text in part.texts[document * len(FIELDS) : (document + 1) * len(FIELDS)]
    ]
    return Inverted(size, groups, columns, texts, lengths)


def _merged_group(parts: Sequence[tuple[Postings, NDArray[np.int32]]]) -> Postings:
    """Return all postings: those of a term stand part by part, so nothing is sorted."""
    living = [numbers[part.ids] >= 0 for part, numbers in parts]
    every = sorted(set().union(*(part.terms for part, _numbers in parts)))
    places = {term: at for at, term in enumerate(every)}
    owners = [np.array([places[term] for term in part.terms], np.int64) for part, _numbers in parts]
    counts = np.zeros((len(parts), len(every)), np.int64)
    for row, (part, _numbers), own, alive in zip(counts, parts, owners, living, strict=True):
        row[own] = np.diff(np.concatenate([[0], np.cumsum(alive)])[part.starts])
    starts = np.concatenate([[0], np.cumsum(counts.sum(axis=0))])
    ids, tf = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.uint32)
    first = starts[:-1].copy()
    for row, (part, numbers), own, alive in zip(counts, parts, owners, living, strict=True):
        held = row[own]
        places_there = np.repeat(first[own] - (np.cumsum(held) - held), held) + np.arange(int(held.sum()))
        ids[places_there], tf[places_there] = numbers[part.ids[alive]], part.tf[alive]
        first += row
    used = np.flatnonzero(counts.sum(axis=0))
    return Postings([every[at] for at in used.tolist()], starts[np.append(used, len(every))], ids, tf)


# -- as arrays ---------------------------------------------------------------------------------------------------------


def document_frequencies(postings: Postings) -> NDArray[np.int32]:
    """Return in how many documents each term stands, by field: an array of (terms, fields)."""
    found = np.zeros((len(postings.terms), len(FIELDS)), np.int32)
    for at in range(len(FIELDS)):
        held = np.concatenate([[0], np.cumsum(of_field(postings.tf, at) > 0)])
        found[:, at] = held[postings.starts[1:]] - held[postings.starts[:-1]]
    return found


def as_arrays(
    inverted: Inverted, rounded: Callable[[NDArray[np.int32]], NDArray[np.float32]]
) -> dict[str, NDArray[Any]]:
    """Return a segment as named arrays; `rounded` gives the field lengths as the engine keeps them."""
    arrays: dict[str, NDArray[Any]] = dict(inverted.columns)
    for group, postings in inverted.groups.items():
        arrays[f"{group}.terms"] = np.frombuffer(b"".join(postings.terms), np.uint8)
        arrays[f"{group}.bounds"] = np.cumsum([0, *map(len, postings.terms)], dtype=np.int64)
        arrays[f"{group}.starts"] = postings.starts
        arrays[f"{group}.keys"] = marks.keys(postings.terms)
        arrays[f"{group}.ids"] = postings.ids
        if group in COUNTED:
            df, counts = document_frequencies(postings), inverted.lengths[group]
            lengths = rounded(counts)
            arrays[f"{group}.table"], arrays[f"{group}.tf"] = marks.coded(postings.tf)
            arrays[f"{group}.df"], arrays[f"{group}.counts"], arrays[f"{group}.lengths"] = df, counts, lengths
            arrays |= marks.derived(group, postings.starts, postings.ids, postings.tf, df, lengths, counts)
    arrays["texts"] = np.frombuffer(b"".join(inverted.texts), np.uint8)
    arrays["texts.bounds"] = np.cumsum([0, *map(len, inverted.texts)], dtype=np.int64)
    return arrays


def from_arrays(arrays: Arrays) -> Inverted:
    """Return the segment that `as_arrays` made arrays of."""
    groups = {}
    for group in GROUPS:
        ids = arrays[f"{group}.ids"]
        tf = arrays[f"{group}.table"][arrays[f"{group}.tf"]] if group in COUNTED else np.ones(len(ids), np.uint32)
        groups[group] = Postings(split(arrays, f"{group}.terms", f"{group}.bounds"), arrays[f"{group}.starts"], ids, tf)
    return Inverted(
        len(arrays["id"]),
        groups,
        {name: arrays[name] for name in COLUMNS},
        split(arrays, "texts", "texts.bounds"),
        {group: arrays[f"{group}.counts"] for group in COUNTED},
    )


def split(arrays: Arrays, name: str, bounds: str) -> list[bytes]:
    """Return the strings that were joined in an array."""
    whole, ends = arrays[name].tobytes(), arrays[bounds].tolist()
    return [whole[start:end] for start, end in pairwise(ends)]

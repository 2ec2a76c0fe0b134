"""Makes the table of neighbours from word vectors as spaCy keeps them, read with numpy alone.

The vectors: chiVe, in the wheel `ja-ginza` 5.3.0 (`vocab/`: vectors, key2row, strings.json). 480,000 words share 20,000
vectors there; a word is taken where few share its vector, so that the vector says something of it.
"""

import json
import struct
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulings.search.analysis import is_dictionary_word
from rulings.search.neighbours import FULL
from rulings.search.sidecar import Arrays
from rulings.text.fold import squeeze

SHARED_BY = 30  # words, at most
LONGEST = 12
KEPT = 64  # near groups of each
LEAST = 0.4  # likeness
HUBNESS, MEASURED_ON = 0.75, 10  # share taken off the likeness: how near a word is to its ten nearest, above the mean
_SEED, _FACTOR, _MASK = 1, 0xC6A4A7935BD1E995, (1 << 64) - 1
_WIDTHS = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}


def make(vocabulary: Path) -> Arrays:
    """Return the arrays of the table, from the folder `vocab` of the wheel."""
    rows = _rows(vocabulary)
    vectors: NDArray[np.float32] = np.load(vocabulary / "vectors").astype(np.float32)
    vectors -= vectors.mean(0)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True).clip(1e-9)
    words = _chosen(rows)
    used = sorted(set(words.values()))
    near, likeness = _near(vectors[used])
    return _packed(words, {row: at for at, row in enumerate(used)}, near, likeness)


def _chosen(rows: dict[str, int]) -> dict[str, int]:
    """Return the folded words that the table knows, each with the row of its vector."""
    shared, found = Counter(rows.values()), dict[str, int]()
    for word, row in sorted(rows.items()):
        if shared[row] > SHARED_BY or len(word) > LONGEST or not is_dictionary_word(word):
            continue
        folded = squeeze(word).text
        if folded not in found or shared[row] < shared[found[folded]]:
            found[folded] = row
    return found


def _near(vectors: NDArray[np.float32]) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """Return the nearest of each vector and their likeness, less what the near one is to all."""
    size, nearest = len(vectors), min(MEASURED_ON, len(vectors))
    hubness = np.empty(size, np.float32)
    for start in range(0, size, 1_000):
        likeness = vectors[start : start + 1_000] @ vectors.T
        likeness[np.arange(len(likeness)), np.arange(start, start + len(likeness))] = -1
        hubness[start : start + 1_000] = np.partition(likeness, -nearest, axis=1)[:, -nearest:].mean(1)
    taken = HUBNESS * (hubness - hubness.mean())
    kept = min(KEPT, size)
    near, steps = np.zeros((size, kept), np.uint16), np.zeros((size, kept), np.uint8)
    for start in range(0, size, 1_000):
        likeness = vectors[start : start + 1_000] @ vectors.T - taken
        likeness[np.arange(len(likeness)), np.arange(start, start + len(likeness))] = -1
        best = np.argsort(-likeness, axis=1, kind="stable")[:, :kept]
        values = np.take_along_axis(likeness, best, axis=1)
        near[start : start + 1_000] = best
        steps[start : start + 1_000] = np.where(values >= LEAST, np.rint(values.clip(0, 1) * FULL), 0)
    return near, steps


def _packed(
    words: dict[str, int], groups: dict[int, int], near: NDArray[np.uint16], likeness: NDArray[np.uint8]
) -> Arrays:
    ordered = sorted(words, key=str.encode)
    encoded = [word.encode() for word in ordered]
    members: dict[int, list[int]] = defaultdict(list)
    for at, word in enumerate(ordered):
        members[groups[words[word]]].append(at)
    counts = [len(members[group]) for group in range(len(groups))]
    return {
        "letters": np.frombuffer(b"".join(encoded), np.uint8),
        "bounds": np.cumsum([0, *map(len, encoded)]).astype(np.uint32),
        "groups": np.array([groups[words[word]] for word in ordered], np.uint16),
        "members": np.concatenate([members[group] for group in range(len(groups))]).astype(np.uint16),
        "firsts": np.cumsum([0, *counts]).astype(np.uint32),
        "near": near,
        "likeness": likeness,
    }


# -- files of spaCy ------------------------------------------------------------------------------------------------


def _rows(vocabulary: Path) -> dict[str, int]:
    """Return each word that has a vector, with its row."""
    known = dict(_pairs((vocabulary / "key2row").read_bytes()))
    words = json.loads((vocabulary / "strings.json").read_text(encoding="utf-8"))
    return {word: known[key] for word in words if (key := _hash(word.encode())) in known}


def _pairs(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the pairs of a MessagePack map of whole numbers."""
    if data[0] != 0xDF:
        raise ValueError("no MessagePack map of 32-bit length")
    at = 5
    for _pair in range(int.from_bytes(data[1:5], "big")):
        key, at = _number(data, at)
        value, at = _number(data, at)
        yield key, value


def _number(data: bytes, at: int) -> tuple[int, int]:
    kind = data[at]
    if kind < 0x80:
        return kind, at + 1
    width = _WIDTHS[kind]
    return int.from_bytes(data[at + 1 : at + 1 + width], "big", signed=kind >= 0xD0), at + 1 + width


def _hash(data: bytes) -> int:
    """Return MurmurHash64A, under which spaCy keeps a string."""
    found: int = _SEED ^ (len(data) * _FACTOR & _MASK)
    whole = len(data) // 8
    parts: tuple[Any, ...] = struct.unpack(f"<{whole}Q", data[: whole * 8])
    for part in parts:
        mixed = part * _FACTOR & _MASK
        mixed = (mixed ^ mixed >> 47) * _FACTOR & _MASK
        found = (found ^ mixed) * _FACTOR & _MASK
    if rest := data[whole * 8 :]:
        found = (found ^ int.from_bytes(rest, "little")) * _FACTOR & _MASK
    found = (found ^ found >> 47) * _FACTOR & _MASK
    return found ^ found >> 47

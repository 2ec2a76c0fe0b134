"""The engine on Whoosh: its files, its writer, its postings. The only module that knows Whoosh.

Whoosh keeps the segments, their deletions and the table of contents; scores are reckoned here (see `scoring`) on mapped
arrays of the same postings, because stock top-k loses true hits and decodes every posting in Python. Never used: the
query parser, `Searcher.refresh()`, compound segments, `AsyncWriter`, stock merging.
"""

import contextlib
import errno
import os
import random
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from whoosh import fields, index
from whoosh.codec.whoosh3 import W3Codec
from whoosh.columns import NumericColumn

from rulings.search import manifest, scoring, sidecar
from rulings.search.arrays import IndexArrays, Mask
from rulings.search.engine import (
    FIELDS,
    Document,
    EngineAnswer,
    EngineQuery,
    Holding,
    IndexNotWritable,
    IndexUnusable,
)
from rulings.search.inverting import Inverted, Inverter, as_arrays, from_arrays, merged
from rulings.search.segments import SegmentArrays
from rulings.search.sidecar import NotASidecar
from rulings.search.whoosh_segments import rounded, write_segment

VERSION = 3  # of the schema and the arrays
SIDECAR = ".arr"  # Whoosh removes the file with its segment, as it does all files of that name
RUN = 50_000  # documents of a full build that are inverted at once, which bounds its memory
LARGEST_MERGED, GROWTH = 20_000, 2
MOST_DEAD, WORTH_WHILE = 3, 500  # a segment is written anew when one document in three, and so many, are dead
RETRIES = 3
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)  # of the disk, not of what is on it
SETTLED = 100_000_000  # nanoseconds after which a folder's time cannot hide another change


def _schema() -> fields.Schema:
    schema = fields.Schema(
        entry=fields.ID,
        labels=fields.KEYWORD,
        chars=fields.KEYWORD,
        id=fields.COLUMN(NumericColumn("q")),
        since=fields.COLUMN(NumericColumn("i")),
        until=fields.COLUMN(NumericColumn("i")),
        held_until=fields.COLUMN(NumericColumn("i")),
    )
    for field in FIELDS:
        schema.add(f"{field}_words", fields.KEYWORD(scorable=True))
        schema.add(f"{field}_grams", fields.KEYWORD(scorable=True))
    return schema


@contextlib.contextmanager
def _own_randomness() -> Iterator[None]:
    """Whoosh names its files by the global `random`; a seeded program would name two alike."""
    state = random.getstate()
    random.seed(os.urandom(16))
    try:
        yield
    finally:
        random.setstate(state)


class WhooshEngine:
    """A Whoosh index in a folder."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._arrays: tuple[int, IndexArrays] | None = None
        self._segments: dict[str, SegmentArrays] = {}
        self._mapped: dict[str, tuple[Path, int]] = {}
        self._seen = 0  # when a file last came or went, as far as known
        try:
            if create:
                folder.mkdir(parents=True, exist_ok=True)
                self._index = index.create_in(str(folder), _schema())
            else:
                self._index = index.open_dir(str(folder))
        except Exception as error:  # whatever a damaged file makes Whoosh raise
            raise _told(error) from error

    # -- writing ---------------------------------------------------------------------------------------------------

    def build(self, documents: Iterable[Document]) -> int:
        """Fill an empty folder; return the number of documents."""
        runs, inverter = list[Inverted](), Inverter()
        for document in documents:
            inverter.add(document)
            if inverter.size == RUN:
                runs.append(inverter.finish())
                inverter = Inverter()
        if inverter.size:
            runs.append(inverter.finish())
        if runs:
            whole = merged([(run, np.ones(run.size, bool)) for run in runs])
            with self._writer() as writer:
                self._write(writer, whole)
        return self.doc_count()

    def update(self, gone: Sequence[int], documents: Iterable[Document]) -> None:
        """Replace all documents of the entries `gone` by `documents`, in one commit."""
        inverter = Inverter()
        for document in documents:  # whatever fails there is no fault of the index
            inverter.add(document)
        with self._writer() as writer:
            held = [(segment, self._open(segment)) for segment in writer.segments]
            for segment, arrays in held:
                for number in np.flatnonzero(np.isin(arrays.arrays["entry"], gone)).tolist():
                    segment.delete_document(number)
            absorbed = _absorbed(writer.segments, inverter.size)
            parts = [(from_arrays(arrays.arrays), _living(one)) for one, arrays in held if one in absorbed]
            fresh = inverter.finish()
            parts.append((fresh, np.ones(fresh.size, bool)))
            whole = merged(parts)
            writer.segments = [one for one in writer.segments if one not in absorbed]
            if whole.size:
                self._write(writer, whole)

    def is_wasteful(self) -> bool:
        """Whether a segment holds many dead documents, as far as was last seen."""
        known = self._arrays
        return known is not None and any(map(_is_wasteful, known[1].sizes(), known[1].dead()))

    def tidy(self) -> int:
        """Write segments that hold many dead documents anew, one commit each; return how many were dropped."""
        dropped = 0
        while self._holds_dead_weight():
            with self._writer() as writer:
                segment = next(one for one in writer.segments if _is_dead_weight(one))
                living = _living(segment)
                whole = merged([(from_arrays(self._open(segment).arrays), living)])
                writer.segments = [one for one in writer.segments if one is not segment]
                if whole.size:
                    self._write(writer, whole)
                dropped += len(living) - whole.size
        return dropped

    def _holds_dead_weight(self) -> bool:
        return any(map(_is_dead_weight, self._index._read_toc().segments))  # noqa: SLF001 - without opening readers

    def _write(self, writer: Any, inverted: Inverted) -> None:
        """Write a new segment and, before it can be seen, its arrays."""
        write_segment(writer, inverted)
        sidecar.write(self._folder / writer.newsegment.make_filename(SIDECAR), as_arrays(inverted, rounded))

    @contextlib.contextmanager
    def _writer(self) -> Iterator[Any]:
        """Give a writer that commits at the end, without Whoosh's own merging."""
        with _own_randomness():
            try:
                before = self._index.latest_generation(), set(self._folder.iterdir())
                writer = self._index.writer(compound=False, timeout=5, codec=W3Codec(compression=1))
            except Exception as error:
                raise _told(error) from error
            try:
                yield writer
                writer.commit(merge=False)
            except Exception as error:
                with contextlib.suppress(Exception):
                    writer.cancel()
                with contextlib.suppress(Exception):  # held where cancelling failed as well, let go of otherwise
                    writer.writelock.release()
                self._take_back(*before)
                raise _told(error) from error

    def _take_back(self, generation: int, names: set[Path]) -> None:
        """Remove what a writer left that failed before its commit could be seen: on a full disk its room is needed."""
        if self._index.latest_generation() == generation:
            for path in set(self._folder.iterdir()) - names:
                manifest.make_way(path)
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)

    # -- reading ---------------------------------------------------------------------------------------------------

    def doc_count(self) -> int:
        """Return how many documents the index holds."""
        return self._snapshot().living

    def holding(self) -> Holding:
        """Return what tells in how many documents a word stands at this moment, replaced ones included."""
        return self._snapshot().count

    def search(self, query: EngineQuery) -> EngineAnswer:
        """Return the best documents, ties by document id."""
        try:
            return scoring.answer(self._snapshot(), query)
        except (NotASidecar, OSError) as error:  # a file was cut short meanwhile
            raise IndexUnusable(repr(error)) from error

    def _snapshot(self) -> IndexArrays:
        """Return the arrays of the latest commit."""
        with self._lock:
            for _attempt in range(RETRIES):
                try:
                    if self._arrays and self._is_unchanged():
                        return self._arrays[1]
                    generation = self._index.latest_generation()
                    seen = self._folder.stat().st_mtime_ns
                    if self._arrays is None or self._arrays[0] != generation:
                        self._arrays = (generation, self._read())
                    self._seen = seen if time.time_ns() - seen > SETTLED else 0
                    return self._arrays[1]
                except (FileNotFoundError, NotASidecar) as error:  # a merge took files away between listing and opening
                    self._arrays, failure = None, error
                    self._segments, self._mapped = {}, {}
                except Exception as error:
                    raise IndexUnusable(repr(error)) from error
        raise IndexUnusable(repr(failure)) from failure

    def _is_unchanged(self) -> bool:
        """Whether no file has come or gone since the arrays were opened.

        Also tells a mapped file that was cut short, before a page beyond its end is touched and ends the process.
        """
        for path, size in self._mapped.values():
            if path.stat().st_size != size:
                raise NotASidecar(f"{path}: not as long as it was")
        return self._folder.stat().st_mtime_ns == self._seen

    def _read(self) -> IndexArrays:
        toc = self._index._read_toc()  # noqa: SLF001 - its readers would open files that are not needed
        segments = [one for one in toc.segments if one.doc_count_all()]
        opened = {one.segment_id(): self._open(one) for one in segments}
        self._segments = opened
        paths = {one.segment_id(): self._folder / one.make_filename(SIDECAR) for one in segments}
        self._mapped = {name: (path, path.stat().st_size) for name, path in paths.items()}
        alive = [np.empty(0, bool), *(_living(one) for one in segments)]
        return IndexArrays(list(opened.values()), np.concatenate(alive))

    def _open(self, segment: Any) -> SegmentArrays:
        known = self._segments.get(segment.segment_id())
        if known is None:
            known = SegmentArrays(sidecar.read(self._folder / segment.make_filename(SIDECAR)))
            if known.size != segment.doc_count_all():
                raise NotASidecar(f"{segment.segment_id()}: {known.size} documents")
        return known


def _told(error: Exception) -> IndexUnusable:
    if isinstance(error, OSError) and error.errno in FULL:
        return IndexNotWritable(f"検索索引を書けません（{error.strerror}）。")
    return IndexUnusable(repr(error))


def _is_wasteful(size: int, dead: int) -> bool:
    return dead >= WORTH_WHILE and dead * MOST_DEAD >= size


def _is_dead_weight(segment: Any) -> bool:
    return _is_wasteful(segment.doc_count_all(), segment.doc_count_all() - segment.doc_count())


def _living(segment: Any) -> Mask:
    living = np.ones(segment.doc_count_all(), bool)
    living[list(segment.deleted_docs())] = False
    return living


def _absorbed(segments: Sequence[Any], fresh: int) -> list[Any]:
    """Return the small segments that the new one takes in: those not much larger than what is gathered already.

    So there are as many segments as the logarithm of the saves, and a document is written again as often.
    """
    gathered, absorbed = max(fresh, 1), []
    for segment in sorted(segments, key=lambda one: int(one.doc_count())):
        if segment.doc_count() <= min(GROWTH * gathered, LARGEST_MERGED):
            gathered += segment.doc_count()
            absorbed.append(segment)
    return absorbed


def open_engine(folder: Path, *, create: bool = False) -> WhooshEngine:
    """Open the index in a folder; raise IndexUnusable where there is none to open."""
    return WhooshEngine(folder, create=create)

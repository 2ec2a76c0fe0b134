"""The index written: changes applied, or all of it built anew. For who holds the write lock."""

import logging
import time

from rulings.models import Change, Entry
from rulings.search import generations, opening
from rulings.search.documents import Headings, documents_of, for_index, touched_by
from rulings.search.engine import Engine, IndexMissing, IndexNotWritable, IndexUnusable
from rulings.search.opening import current, is_stale, mark_of, root
from rulings.search.tokens import TokenStore
from rulings.search.whoosh_index import open_engine

logger = logging.getLogger(__name__)

BATCH = 1_000  # changes applied in one commit


def catch_up() -> int:
    """Apply the changes that the index does not hold yet, or build it where it is unusable; return how many."""
    generations.clear_away(root())
    opening.doubt()
    try:
        engine, number = current()
        if is_stale():
            raise IndexUnusable("another version of the analysis")
        latest = Change.objects.latest_number()
        if number > latest:
            raise IndexUnusable(f"the index holds change {number}, the log ends at {latest}")
        applied = 0
        while number < latest:
            number, count = _apply(engine, number)
            applied += count
            latest = Change.objects.latest_number()
        return applied
    except IndexMissing:  # the first build of all
        return rebuild()
    except IndexNotWritable:
        raise
    except IndexUnusable as error:
        logger.warning("検索索引を作り直します: %s", error)
        return rebuild()


def _apply(engine: Engine, number: int) -> tuple[int, int]:
    """Apply the next changes; return the last number applied and how many there were."""
    rows = list(Change.objects.filter(number__gt=number).order_by("number").values_list("number", "entry")[:BATCH])
    changed = touched_by({entry for _number, entry in rows if entry})
    began = time.time()
    if changed:
        with TokenStore(root()) as store:
            engine.update(sorted(changed), documents_of(for_index(changed), Headings(), store))
    with generations.telling():
        generations.note(generations.current_folder(root()), began, rows[-1][0], mark_of(rows[-1][0]))
    return rows[-1][0], len(rows)


def rebuild() -> int:
    """Build the index anew beside the live one and swap; return how many documents it holds."""
    number = Change.objects.latest_number()
    ids = list(Entry.objects.values_list("pk", flat=True))
    with generations.building(root()) as folder:
        engine = open_engine(folder, create=True)
        with TokenStore(root()) as store:
            count = engine.build(documents_of(for_index(ids), Headings(), store))
        if open_engine(folder).doc_count() != count:
            raise IndexUnusable(f"{folder}: written and read counts differ")
        generations.write_manifest(folder, number, mark_of(number))
        generations.put_in_use(root(), folder)
    opening.forget()
    logger.info("検索索引を作りました（%d件、変更番号 %d まで）。", count, number)
    return count


def tidy() -> None:
    """Drop documents that were replaced where they have become many; saves wait meanwhile, searches do not."""
    engine, number = current()
    began = time.time()
    if dropped := engine.tidy():
        with generations.telling():
            generations.note(generations.current_folder(root()), began, number, mark_of(number))
        logger.info("検索索引から古い文面 %d 件を除きました。", dropped)

"""Building an index and saving into one: `RULINGS_BENCH_SIZE=100000 make bench`; a thousand single saves.

Then searches between saves: a reader takes no lock, but what it has kept of the index ends with each commit.
"""

import random
import shutil
import tempfile
import time
from pathlib import Path

from tests.bench.database import set_up

set_up(None)

from rulings.search import whoosh_index  # noqa: E402 - the search needs a set-up Django
from rulings.search.engine import Document  # noqa: E402
from rulings.search.tokens import TokenStore, analysed  # noqa: E402
from rulings.search.whoosh_index import WhooshEngine, _schema, open_engine  # noqa: E402
from tests.bench.asking import ask  # noqa: E402
from tests.bench.bench_engines import built  # noqa: E402
from tests.bench.corpus import Corpus  # noqa: E402
from tests.bench.measuring import at, cpu, say, sizes, spread  # noqa: E402

SAVES, SHOWN = 1_000, 100
READS, READS_A_SAVE = 600, 20
BUILT = 2_000  # documents


def stock(folder: Path, documents: list[Document]) -> None:
    from whoosh import index

    from tests.search.test_whoosh_index import stock_values

    with index.create_in(str(folder), _schema()).writer(limitmb=256) as writer:
        for one in documents:
            writer.add_document(**stock_values(one))


def _seconds(work: object) -> tuple[float, object]:
    began = time.perf_counter()
    found = work()  # type: ignore[operator]
    return time.perf_counter() - began, found


def building(corpus: Corpus) -> None:
    """A full build against stock writing: of analysed documents, and from their texts, in all cores against one."""
    some = [corpus.document(number) for number in range(min(BUILT, corpus.size))]
    texts = ["".join(pieces) for number in range(len(some)) for pieces in corpus.texts(number).values() if pieces]
    ratios: dict[str, list[float]] = {"analysed": [], "from texts": []}
    for _ in range(3):
        with tempfile.TemporaryDirectory() as name, TokenStore(None) as store:
            ours, _count = _seconds(lambda name=name: open_engine(Path(name) / "ours", create=True).build(some))
            (Path(name) / "stock").mkdir()
            theirs, _none = _seconds(lambda name=name: stock(Path(name) / "stock", some))
            store.analyse(texts)  # starts the workers, which a build of many documents does once
            in_all_cores, _known = _seconds(lambda store=store: store.analyse(texts))
            in_one, _known = _seconds(lambda: [analysed(text) for text in texts])
        ratios["analysed"].append(theirs / ours)
        ratios["from texts"].append((theirs + in_one) / (ours + in_all_cores))
    for name, found in ratios.items():
        say(f"building {len(some)} documents, {name}: stock Whoosh takes {spread(found, '.1f')} times as long (wall)")


def saving(full: Path, corpus: Corpus) -> None:
    """Single saves into a full index, each searched for at once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "index"
        shutil.copytree(full, folder)
        engine, rng, query = WhooshEngine(folder), random.Random(1), ask("クリーチャーを破壊")
        times: list[float] = []
        used: list[float] = []
        for number in range(1, SAVES + 1):
            one = corpus.document(rng.randrange(corpus.size))
            began, before = time.perf_counter(), time.thread_time()
            engine.update([one.entry], [one])
            engine.search(query)
            times.append((time.perf_counter() - began) * 1000)
            used.append((time.thread_time() - before) * 1000)
            if number in (SHOWN, SAVES):
                segments = engine._snapshot().sizes()
                say(f"after {number} single saves: {len(segments)} segments of {segments} documents; save and search:")
                say(f"  wall p50 {at(times, 0.5):.0f} p95 {at(times, 0.95):.0f} most {max(times):.0f} ms, ")
                say(f"  processor p50 {at(used, 0.5):.0f} p95 {at(used, 0.95):.0f} ms")
        reading_between_saves(engine, folder, corpus)


def reading_between_saves(engine: WhooshEngine, folder: Path, corpus: Corpus) -> None:
    """Another reader of the same files, in a quiet index and while it is being saved into: what each save costs it."""
    reader, rng = WhooshEngine(folder), random.Random(2)
    queries = [ask(text) for _kind, text in corpus.queries(READS, seed=3)]
    for query in queries:
        reader.search(query)
    quiet = [cpu(lambda query=query: reader.search(query)) for query in queries]
    first, later = [], []
    for number, query in enumerate(queries):
        if number % READS_A_SAVE == 0:
            one = corpus.document(rng.randrange(corpus.size))
            engine.update([one.entry], [one])
        (later if number % READS_A_SAVE else first).append(cpu(lambda query=query: reader.search(query)))
    for name, times in (("in a quiet index", quiet), ("the first after a save", first), ("the others", later)):
        say(f"searches {name:<24} processor p50 {at(times, 0.5):.2f} p95 {at(times, 0.95):.2f} ms")


def main() -> None:
    for size in sizes():
        corpus = Corpus(size)
        say(f"\n-- {size} documents")
        building(corpus)
        name = f"ours-{whoosh_index.VERSION}"
        full = built(corpus.folder, name, lambda path, of=corpus: open_engine(path, create=True).build(of.documents()))
        saving(full, corpus)


if __name__ == "__main__":
    main()

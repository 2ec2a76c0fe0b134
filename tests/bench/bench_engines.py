"""The engine against others, with the same terms, in one run: `RULINGS_BENCH_SIZE=100000 make bench`.

Times are of the processor, not of the wall, so that another's work on the machine counts for little. Queries that are
measured were not asked before; others like them were, as on a site that runs. The peers get the terms and weights and
nothing else; the engine also filters by date, status and labels, weighs coverage, counts exactly and reads the texts.
tantivy counts exactly too, FTS5 and stock Whoosh do not. Built peers stay in the temporary folder for the next run.
"""

import os
import random
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rulings.settings")
django.setup()

from rulings.search.engine import Document  # noqa: E402 - the search needs a set-up Django
from rulings.search.whoosh_index import WhooshEngine, _schema, open_engine  # noqa: E402
from tests.bench.asking import ask  # noqa: E402
from tests.bench.corpus import Corpus  # noqa: E402
from tests.bench.peers import Fts5, StockWhoosh, Tantivy  # noqa: E402

SIZE = int(os.environ.get("RULINGS_BENCH_SIZE", "10000"))
QUERIES = 200
SLOW, SLOWEST = 40, 8  # queries for SQLite, for stock Whoosh
SAVES = 200
HOSTILE = [
    *("?*", "*", "*" * 90, "(" * 90, "a OR " * 20, "のにをはが" * 20, "カード" * 33, "山札 " * 33, "NOT NOT x"),
    *("あ" * 100, "ー" * 100, "0123456789" * 10, "の", "カ", "ア" * 99, "id:[0 TO 9]", "ドラ~2", "*竜*" * 20),
    "クリーチャー 呪文 シールド コスト 能力 相手 自分 場 効果 置換 攻撃 ブロック 破壊 召喚 条件 進化 封印",
    "自分のクリーチャーを相手のクリーチャーに攻撃する時の能力を使う場合にカードを山札から引くことはできますか",
]


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def cpu(work: Callable[[], Any]) -> float:
    """Processor time of `work` in this thread, in milliseconds."""
    began = time.thread_time()
    work()
    return (time.thread_time() - began) * 1000


def at(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def built(folder: Path, name: str, build: Callable[[Path], Any]) -> Path:
    """Return the index `name`, built now unless it was built before."""
    path = folder / name
    if not path.exists():
        beside = folder / f"{name}.new"
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        began, used = time.perf_counter(), time.process_time()
        build(beside)
        say(f"{name:<14} built in {time.perf_counter() - began:7.1f} s, processor {time.process_time() - used:7.1f} s")
        beside.rename(path)
    return path


def build_stock(folder: Path, documents: list[Document]) -> None:
    from whoosh import index

    from tests.search.test_whoosh_index import stock_values

    with index.create_in(str(folder), _schema()).writer(limitmb=256) as writer:
        for one in documents:
            writer.add_document(**stock_values(one))


def building(corpus: Corpus) -> None:
    """A full build against stock writing, of the same analysed documents."""
    some = [corpus.document(number) for number in range(min(2_000, corpus.size))]
    with tempfile.TemporaryDirectory() as name:
        ours = cpu(lambda: open_engine(Path(name) / "ours", create=True).build(some))
        (Path(name) / "stock").mkdir()
        stock = cpu(lambda: build_stock(Path(name) / "stock", some))
    say(f"building {len(some)} documents: {ours / 1000:.2f} s, stock Whoosh {stock / ours:.1f} x as long")


def saving(engine_folder: Path, corpus: Corpus) -> None:
    """Single saves into a full index."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "index"
        shutil.copytree(engine_folder, folder)
        engine, rng, times, used = WhooshEngine(folder), random.Random(1), [], []
        query = ask("クリーチャーを破壊")
        for _ in range(SAVES):
            one = corpus.document(rng.randrange(corpus.size))
            began, before = time.perf_counter(), time.thread_time()
            engine.update([one.entry], [one])
            engine.search(query)
            times.append((time.perf_counter() - began) * 1000)
            used.append((time.thread_time() - before) * 1000)
        segments = len(engine._snapshot().segments)
    say(f"save to found, {SAVES} single saves: wall p50 {at(times, 0.5):.0f} p95 {at(times, 0.95):.0f} ms, ")
    say(f"  processor p50 {at(used, 0.5):.0f} p95 {at(used, 0.95):.0f} ms; {segments} segments at the end")


def memory() -> str:
    with Path("/proc/self/smaps_rollup").open(encoding="ascii") as file:
        rows = {line.split(":")[0]: int(line.split()[1]) // 1024 for line in file if line.endswith("kB\n")}
    private = rows["Private_Dirty"] + rows["Private_Clean"]
    return f"resident {rows['Rss']} MB, of which anonymous {rows['Anonymous']} MB, private {private} MB"


def searching(engine: WhooshEngine, peers: list[Any], corpus: Corpus) -> None:
    warm, asked = corpus.queries(QUERIES, seed=1), corpus.queries(QUERIES, seed=2)
    for _kind, text in warm:
        query = ask(text)
        engine.search(query)
        peers[0].search(peers[0].prepared(query))
    times: dict[str, list[float]] = {"ours": [], "ours, again": [], **{peer.name: [] for peer in peers}}
    kinds: dict[str, list[tuple[float, float]]] = {}
    for number, (kind, text) in enumerate(asked):
        query = ask(text)
        ours = cpu(lambda query=query: engine.search(query))
        for place, peer in enumerate(peers):
            prepared = peer.prepared(query)
            if number % (1, QUERIES // SLOW, QUERIES // SLOWEST)[place] == 0:
                times[peer.name].append(cpu(lambda peer=peer, prepared=prepared: peer.search(prepared)))
        times["ours"].append(ours)
        times["ours, again"].append(cpu(lambda query=query: engine.search(query)))
        kinds.setdefault(kind, []).append((ours, times[peers[0].name][-1]))
    say(f"{'ms, processor':<16}{'p50':>9}{'p95':>9}{'p99':>9}")
    for name, found in times.items():
        say(f"{name:<16}{at(found, 0.5):>9.2f}{at(found, 0.95):>9.2f}{at(found, 0.99):>9.2f}")
    for share in (0.5, 0.95):
        ratios = ", ".join(
            f"{at(times[peer.name], share) / at(times['ours'], share):.2f} x {peer.name}" for peer in peers
        )
        say(f"speed at p{share * 100:.0f}: {ratios}")
    for kind, pairs in kinds.items():
        ours, theirs = at([one for one, _ in pairs], 0.5), at([other for _, other in pairs], 0.5)
        say(f"  {kind:<10} ours {ours:6.2f}, {peers[0].name} {theirs:6.2f}")


def main() -> None:
    corpus = Corpus(SIZE)
    folder = Path(tempfile.gettempdir()) / f"rulings-bench-{corpus._kept.stem[-16:]}"
    documents = corpus.documents
    say(f"{SIZE} documents; load of the machine {os.getloadavg()[0]:.1f}")
    ours = built(folder, "ours", lambda path: open_engine(path, create=True).build(documents()))
    for kind in (Tantivy, Fts5):
        built(folder, kind.__name__, lambda path, kind=kind: kind(path).build(documents()))
    engine, first = WhooshEngine(ours), ask("クリーチャーを破壊した時")
    say(f"first query after the start: {cpu(lambda: engine.search(first)):.1f} ms")
    hostile = [ask(text[:100]) for text in HOSTILE]
    for _kind, text in corpus.queries(QUERIES, seed=3):
        engine.search(ask(text))
    say(f"memory after {QUERIES} queries: {memory()}")
    worst = max(cpu(lambda query=query: engine.search(query)) for query in hostile)
    for _ in range(5):
        for query in hostile:
            engine.search(query)
    say(f"{len(hostile)} hostile queries: at most {worst:.0f} ms; memory after six rounds: {memory()}")
    engine = WhooshEngine(ours)
    searching(engine, [Tantivy(folder / "Tantivy"), Fts5(folder / "Fts5"), StockWhoosh(ours)], corpus)
    building(corpus)
    saving(ours, corpus)
    say(f"peak of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()

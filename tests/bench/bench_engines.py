"""The engine against others, with the same terms, in one run: `RULINGS_BENCH_SIZE=10000,100000 make bench`.

Times are of the processor, not of the wall, so that another's work on the machine counts for little. Queries that are
measured were not asked before; others like them were, as on a site that runs. Three rounds, each on an index opened
anew; a figure is made of the least of three times that each query took, because what else runs only adds to it. Ratios
compare the queries that both were asked. RULINGS_BENCH_PEERS names the peers (all). The peers get the terms and weights
and nothing else; the engine also filters by date, status and labels, weighs coverage and counts exactly. What reading
the texts of the best adds is a row of its own: no peer keeps texts. tantivy and FTS5 see each match as well (FTS5
scores it), Xapian and stock Whoosh leave out what cannot be among the best. What was built stays in the temporary
folder.
"""

import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.database import set_up

set_up(None)

from rulings.search import whoosh_index  # noqa: E402 - the search needs a set-up Django
from rulings.search.whoosh_index import WhooshEngine, open_engine  # noqa: E402
from tests.bench.asking import ask  # noqa: E402
from tests.bench.corpus import QUERY_KINDS, Corpus  # noqa: E402
from tests.bench.measuring import at, cpu, say, sizes, spread  # noqa: E402
from tests.bench.peers import Fts5, Fts5Bare, MissingPeerError, Peer, StockWhoosh, Tantivy  # noqa: E402
from tests.bench.postgres_peer import PostgreSQL  # noqa: E402
from tests.bench.xapian_peer import Xapian  # noqa: E402

QUERIES, ROUNDS = 200, 3
PEERS = (Tantivy, Xapian, Fts5, Fts5Bare, PostgreSQL, StockWhoosh)
HOSTILE = [
    *("?*", "*", "*" * 90, "(" * 90, "a OR " * 20, "のにをはが" * 20, "カード" * 33, "山札 " * 33, "NOT NOT x"),
    *("あ" * 100, "ー" * 100, "0123456789" * 10, "の", "カ", "ア" * 99, "id:[0 TO 9]", "ドラ~2", "*竜*" * 20),
    "クリーチャー 呪文 シールド コスト 能力 相手 自分 場 効果 置換 攻撃 ブロック 破壊 召喚 条件 進化 封印",
    "自分のクリーチャーを相手のクリーチャーに攻撃する時の能力を使う場合にカードを山札から引くことはできますか",
]


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


@contextmanager
def peers(folder: Path, ours: Path, corpus: Corpus) -> Iterator[list[Peer]]:
    """The peers that can be had, built; closed at the end."""
    found: list[Peer] = []
    wanted = os.environ.get("RULINGS_BENCH_PEERS")
    try:
        for kind in PEERS:
            if wanted and kind.__name__ not in wanted.split(","):
                continue
            try:
                path = (
                    ours
                    if kind is StockWhoosh
                    else built(folder, kind.__name__, lambda at, of=kind: fill(of(at), corpus))
                )
                found.append(kind(path))
            except MissingPeerError as error:
                shutil.rmtree(folder / f"{kind.__name__}.new", ignore_errors=True)
                say(f"{kind.__name__} is left out: {error}")
        yield found
    finally:
        for one in found:
            one.close()


def fill(peer: Peer, corpus: Corpus) -> None:
    try:
        peer.build(corpus.documents())
    finally:
        peer.close()


def asked_in(corpus: Corpus, ours: Path, against: list[Peer]) -> list[dict[str, float]]:
    """Ask the queries of a round; milliseconds of each query, by engine."""
    engine = WhooshEngine(ours)
    for _kind, text in corpus.queries(QUERIES, seed=1):
        query = ask(text, texts="none")
        for one in (engine, *(peer for peer in against if peer.every == 1)):
            one.search(query if one is engine else one.prepared(query))
    rows = []
    for number, (_kind, text) in enumerate(corpus.queries(QUERIES, seed=2)):
        query = ask(text, texts="none")
        row = {"this": cpu(lambda query=query: engine.search(query))}
        for peer in against:
            prepared = peer.prepared(query)
            if number // len(QUERY_KINDS) % peer.every == 0:  # all kinds of queries alike
                row[peer.name] = cpu(lambda peer=peer, prepared=prepared: peer.search(prepared), peer.seconds)
        row["this, again"] = cpu(lambda query=query: engine.search(query))
        query = ask(text)
        row["… and the texts"] = cpu(lambda query=query: engine.search(query))
        rows.append(row)
    return rows


def searching(ours: Path, against: list[Peer], corpus: Corpus) -> dict[str, tuple[float, float]]:
    """Print the tables; return p50 and p95 of each engine."""
    rounds = [asked_in(corpus, ours, [one for one in against if number < one.rounds]) for number in range(ROUNDS)]
    least = [
        {name: min(row[name] for row in rows if name in row) for name in rows[0]} for rows in zip(*rounds, strict=True)
    ]
    kinds = [kind for kind, _text in corpus.queries(QUERIES, seed=2)]
    say(f"{'ms, processor':<16}{'p50':>9}{'p95':>9}{'p99':>9}   the least of {ROUNDS} times")
    for name in least[0]:
        found = [row[name] for row in least if name in row]
        few = "" if len(found) == len(least) else f"   {len(found)} queries"
        say(f"{name:<16}" + "".join(f"{at(found, share):>9.2f}" for share in (0.5, 0.95, 0.99)) + few)
    for peer in against:
        middle, late = (ratios_to(peer.name, [least, *rounds], share) for share in (0.5, 0.95))
        say(f"this takes, times {peer.name}: p50 {middle}, p95 {late}")
    for kind in QUERY_KINDS:
        rows = [one for one, own in zip(least, kinds, strict=True) if own == kind]
        told = (f"{name} {at([one[name] for one in rows if name in one], 0.5):.2f}" for name in least[0])
        say(f"  {kind:<10}" + ", ".join(told))
    shares = {name: [row[name] for row in least if name in row] for name in least[0]}
    return {name: (at(times, 0.5), at(times, 0.95)) for name, times in shares.items()}


def ratios_to(name: str, rounds: list[list[dict[str, float]]], share: float) -> str:
    """By how much longer this takes than a peer for the same queries: of the least times; the range of the rounds."""
    both = [some for rows in rounds if (some := [row for row in rows if name in row])]
    found = [at([row["this"] for row in rows], share) / at([row[name] for row in rows], share) for rows in both]
    return f"{found[0]:.3f} ({min(found[1:]):.3f} to {max(found[1:]):.3f})"


def alone(ours: Path, corpus: Corpus) -> None:
    """What a web process of its own needs for the first query, and how much memory then."""
    usual = [ask(text) for _kind, text in corpus.queries(QUERIES, seed=9)]
    hostile = [ask(text[:100]) for text in HOSTILE]
    runs = []
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "queries"
        path.write_bytes(pickle.dumps((ask("クリーチャーを破壊した時"), usual, hostile)))
        for _ in range(3):
            command = [sys.executable, "-m", "tests.bench.alone", str(ours), str(path)]
            runs.append(pickle.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout))  # noqa: S301
    say(f"first query, opening the index: processor {spread([run['first'][1] for run in runs], '.0f')} ms, ")
    say(f"  wall {spread([run['first'][0] for run in runs], '.0f')} ms")
    for title, one in runs[-1].items():
        if isinstance(one, dict):
            say(f"{title}: " + ", ".join(f"{name} {size} MB" for name, size in one.items()))
    say(f"{len(hostile)} hostile queries: at most {spread([run['hostile'] for run in runs], '.0f')} ms")


def main() -> None:
    reached: dict[int, dict[str, tuple[float, float]]] = {}
    for size in sizes():
        corpus = Corpus(size)
        say(f"\n-- {size} documents; load of the machine {os.getloadavg()[0]:.1f}")
        name = f"ours-{whoosh_index.VERSION}"
        ours = built(corpus.folder, name, lambda path, of=corpus: open_engine(path, create=True).build(of.documents()))
        alone(ours, corpus)
        with peers(corpus.folder, ours, corpus) as against:
            reached[size] = searching(ours, against, corpus)
    ordered = sorted(reached)
    for small, large in zip(ordered, ordered[1:], strict=False):
        say(f"\nfrom {small} to {large} documents, {large / small:.0f} times as many:")
        for name in reached[small].keys() & reached[large].keys():
            grown = [after / before for before, after in zip(reached[small][name], reached[large][name], strict=True)]
            say(f"  {name:<16} p50 {grown[0]:.1f}, p95 {grown[1]:.1f} times as long")


if __name__ == "__main__":
    main()

"""Judged queries: how often the search finds what was wanted (`make evaluate`).

With the real documents beside the project (`../shared`): the judged queries that lie there, then our own in
`tests/shared/evaluation`, of which `held_out`, `fresh` and `kept` were never tuned on. Without them: the shipped
content and `tests/evaluation/shipped.jsonl`. A query: `q`, `want` (any is enough; empty: nothing may be found),
`within`.
"""

import argparse
import json
import os
import re
import statistics
import sys
import tempfile
import time
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import evaluate_names

PROJECT = Path(__file__).resolve().parents[1]
OWN = PROJECT / "tests" / "shared" / "evaluation"
SHIPPED = PROJECT / "tests" / "evaluation" / "shipped.jsonl"
# Share of `within` below which the command fails, by list.
FLOORS = {
    "judged": 0.96,
    "dev": 0.96,
    "held_out": 0.87,
    "broad": 0.86,
    "train1": 0.8,
    "train2": 0.78,
    "train3": 0.72,
    "kept": 0.64,
    "shipped": 0.9,
}
DOCUMENTS = {
    "dm-cr-1.48": "dm-cr",
    "dm-cr-2026-02-13": "dm-cr",
    "dm-party": "dm-party",
    "dm-tag": "dm-tag",
    "ygo-zexal": "ygo-zexal",
}


@dataclass(slots=True)
class Score:
    """What one list of queries gave."""

    name: str
    ranks: list[int] = field(default_factory=list)  # 0: not among the first ten
    within: list[bool] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    def row(self) -> str:
        n = len(self.ranks) or 1
        first, five = sum(rank == 1 for rank in self.ranks), sum(0 < rank <= 5 for rank in self.ranks)
        reciprocal = sum(1 / rank for rank in self.ranks if rank)
        times = statistics.quantiles(self.milliseconds, n=20) if len(self.milliseconds) > 1 else [0.0] * 19
        shares = f"{self.share:.3f}  {first / n:.3f}  {five / n:.3f}  {reciprocal / n:.3f}"
        return f"{self.name:10} {len(self.ranks):4}  {shares}  {times[9]:6.1f}  {times[18]:6.1f}"

    @property
    def share(self) -> float:
        return sum(self.within) / (len(self.within) or 1)


def folded(text: str | None) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text or "")).casefold()


def matches(result: dict[str, Any], want: dict[str, str]) -> bool:
    """Whether a result of the API is what was wanted."""
    if "section" in want:
        return f"{result['ruleset']} {result['number']}" == want["section"]
    if "card" in want:
        names = [card["name"] for card in result["cards"]]
        names += [result["title"]] if result["kind"] == "card" else []
        return any(folded(name) == want["card"] for name in names)
    text = folded(f"{result['number']}.{result['title']} {result['body']}")
    return want["text"] in text or want["text"] in folded(f"{result['title']} {result['body']}")


def rank_of(results: list[dict[str, Any]], wants: list[dict[str, str]]) -> int:
    """Return at which place (from 1) a wanted result stands; 0 where none does."""
    if not wants:
        return int(not results)
    return next((at for at, one in enumerate(results, 1) if any(matches(one, want) for want in wants)), 0)


def evaluate(name: str, path: Path, *, verbose: bool = False) -> Score:
    """Ask every query of a file through the API, in this process."""
    from django.test import Client

    client, score = Client(HTTP_HOST="localhost"), Score(name)
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        started = time.perf_counter()
        results = client.get("/api/v1/search/", {"q": case["q"], "page_size": 10}).json()["results"]
        score.milliseconds.append(1000 * (time.perf_counter() - started))
        rank = rank_of(results, case["want"])
        good = bool(rank) and rank <= max(case["within"], 1)
        score.ranks.append(rank)
        score.within.append(good)
        if verbose and not good:
            shown = [f"{one['ruleset'] or one['kind']} {one['number'] or one['title'][:24]}" for one in results[:3]]
            print(f"  {name}: {rank or '-'} (≤{case['within']})  {case['q']}  → {shown}")
    return score


def load(shared: Path) -> None:
    """Fill an empty database: the real documents, or what ships with the project."""
    from django.core.management import call_command

    quiet: dict[str, Any] = {"verbosity": 0}
    call_command("migrate", **quiet)
    if not shared.is_dir():
        call_command("load_content", **quiet)
        return
    call_command("loaddata", "games", **quiet)
    for name, ruleset in DOCUMENTS.items():
        call_command("import_document", str(shared / "documents" / f"{name}.txt"), ruleset=ruleset, **quiet)
    for game in ("dm", "ygo"):
        call_command("import_cards", str(shared / "data" / f"{game}_cards.jsonl"), game=game, **quiet)
    call_command("import_faqs", str(shared / "data" / "dm_official_qa.jsonl"), ruleset="dm-cr", **quiet)


def files(shared: Path) -> dict[str, Path]:
    """Return the lists of queries that can be asked."""
    if not shared.is_dir():
        return {"shipped": SHIPPED}
    judged = {"judged": shared / "evaluation" / "queries.jsonl"}
    return judged | {path.stem: path for path in sorted(OWN.glob("*.jsonl"))}


def main() -> int:
    """Print the table; fail where a list falls below its floor."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="a data folder that is loaded already (default: load into a temporary one)")
    parser.add_argument("--only", nargs="*", default=[], help="names of lists")
    parser.add_argument("--verbose", action="store_true", help="show what was missed")
    parser.add_argument("--names", type=int, default=0, help="ask so many names and numbers of each kind too")
    arguments = parser.parse_args()
    shared = Path(os.environ.get("RULINGS_SHARED", PROJECT.parent / "shared"))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RULINGS_DATA_DIR"] = arguments.data or folder
        os.environ["RULINGS_DEBUG"] = "1"
        os.environ.pop("DATABASE_URL", None)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rulings.settings")
        import django

        django.setup()
        if not arguments.data:
            load(shared)
        asked = {name: path for name, path in files(shared).items() if not arguments.only or name in arguments.only}
        scores = [evaluate(name, path, verbose=arguments.verbose) for name, path in asked.items()]
        kinds = evaluate_names.table(arguments.names) if arguments.names and shared.is_dir() else []
    print("list          n  within   R@1    R@5    MRR  p50 ms  p95 ms")
    for score in scores:
        print(score.row())
    low = [score.name for score in scores if score.share < FLOORS.get(score.name, 0.0)]
    low += [kind.name for kind in kinds if kind.is_low]
    if low:
        print("below the floor:", *low, sep="\n  ")
    return int(bool(low))


if __name__ == "__main__":
    sys.exit(main())

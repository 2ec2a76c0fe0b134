"""`make bench`: every bench in turn, each in a process of its own.

RULINGS_BENCH_SIZE sets the numbers of made-up documents (10,000; several: `10000,100000,300000`), as do arguments of
`python -m tests.bench`. The sources of figures in ARCHITECTURE.md.
"""

import subprocess
import sys
from pathlib import Path

from tests.bench.measuring import say, sizes


def main() -> None:
    asked = list(map(str, sizes()))
    failed = []
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        say(f"\n== {path.stem}")
        arguments = [] if path.stem in ("bench_books", "bench_search") else asked  # these have options of their own
        if subprocess.run([sys.executable, "-m", f"tests.bench.{path.stem}", *arguments], check=False).returncode:
            failed.append(path.stem)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()

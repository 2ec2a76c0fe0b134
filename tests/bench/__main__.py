"""`make bench`: every bench in turn. RULINGS_BENCH_SIZE sets the number of made-up documents (10,000)."""

import importlib
import sys
from pathlib import Path


def main() -> None:
    sys.argv = sys.argv[:1]  # the benches have options of their own
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        sys.stdout.write(f"\n== {path.stem}\n")
        sys.stdout.flush()
        importlib.import_module(f"tests.bench.{path.stem}").main()


if __name__ == "__main__":
    main()

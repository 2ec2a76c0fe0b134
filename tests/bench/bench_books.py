"""How long comparing whole rule books takes, against reading the same book once (folding every text).

Ratios mean the same on any machine. The book is made up: `python -m tests.bench.bench_books`.
"""

import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from rulings.text.books import SectionText, compare_books
from rulings.text.fold import fold
from rulings.text.pairing import text_of

WORDS = """
    カード 山札 手札 墓地 クリーチャー 呪文 シールド コスト 能力 相手 自分 場 効果 置換 攻撃 ブロック 破壊 召喚 条件
"""
TAILS = "を選びます。 に置きます。 の時に使えます。 がある場合、 を参照する際は、 として扱います。 には含みません。"


def made_up_book(size: int, seed: int = 1) -> list[SectionText]:
    """A book of `size` rules in chapters of twenty, in the length of real ones (some 75 characters)."""
    rng, words, tails = random.Random(seed), WORDS.split(), TAILS.split()
    return [
        SectionText(
            f"{100 + at // 20}.{at % 20 + 1}",
            body="".join(
                f"{rng.choice(words)}の{rng.choice(words)}{rng.choice(tails)}" for _ in range(rng.randint(2, 10))
            ),
        )
        for at in range(size)
    ]


def edited(sections: Sequence[SectionText], share: float) -> list[SectionText]:
    rng = random.Random(2)
    return [
        replace(one, body=one.body.replace("の", "にある", 1) + "例外もあります。") if rng.random() < share else one
        for one in sections
    ]


def shifted(sections: Sequence[SectionText]) -> list[SectionText]:
    """Move the second half up by two chapters."""
    half = len(sections) // 2
    moved = [replace(one, key=f"{int(one.key[:3]) + 2}{one.key[3:]}") for one in sections[half:]]
    return [*sections[:half], *moved]


def seconds(action: Callable[[], object]) -> float:
    """The best of three runs."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    write = sys.stdout.write
    for size in (750, 3000):
        book = made_up_book(size)
        once = seconds(lambda book=book: [fold(text_of(one)) for one in book])
        write(f"{size} rules: read once {once * 1000:.0f} ms\n")
        variants = {
            "same": book,
            "5% edited": edited(book, 0.05),
            "half moved": shifted(book),
            "half moved, 30% edited": edited(shifted(book), 0.3),
            "all edited": edited(book, 1),
            "all another": made_up_book(size, seed=3),
        }
        for name, new in variants.items():
            taken = seconds(lambda book=book, new=new: compare_books(book, new))
            write(f"  {name:24}{taken / once:6.1f} x  ({taken * 1000:.0f} ms)\n")


if __name__ == "__main__":
    main()

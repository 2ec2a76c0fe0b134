"""A process that saves through the services until it is told to stop: `python -m tests.search.saving WRITER`.

It says `ready`, then each word that is saved, once it is: the import of a question has returned. A line on its standard
input ends it. `python -m tests.search.saving dump` says what the index holds.
"""

import json
import sys
import threading


def save(writer: str) -> None:
    """Import a new question in each round, and the one before it with another answer."""
    from rulings.models import Ruleset
    from rulings.services.faqs import import_faqs

    ruleset = Ruleset.objects.get(slug="dm-cr")
    stop = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.readline(), stop.set()), daemon=True).start()
    say("ready")
    number, rows = 0, []
    while not stop.is_set():
        number += 1
        word = f"zw{writer}n{number}x"
        rows.append({"id": word, "question": f"{word} は使えますか？", "answer": "はい、山札に置きます。"})
        rows[:-1] = [row | {"answer": "いいえ、墓地に置きます。"} for row in rows[-2:-1]]
        import_faqs(ruleset, json.dumps(rows, ensure_ascii=False).encode())
        say(word)


def dump() -> None:
    """Say a checksum of all that the index holds by documents' numbers, and which of its files are damaged."""
    import hashlib

    import numpy as np

    from rulings.search import indexing

    indexing.catch_up()
    arrays = indexing.current()[0]._snapshot()  # type: ignore[attr-defined]
    living = np.flatnonzero(arrays.alive).astype(np.int32)
    ids = arrays.column("id")[living].tolist()
    rows = sorted(zip(ids, arrays.texts(living), strict=True), key=lambda row: row[0])
    assert len(rows) == len(set(ids))
    say(f"{len(rows)} {hashlib.sha256(repr(rows).encode()).hexdigest()} {indexing.verify()}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    import django

    django.setup()
    dump() if sys.argv[1] == "dump" else save(sys.argv[1])

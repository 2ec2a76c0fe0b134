"""A process that saves and indexes until it is killed: `python -m tests.search.crashing DATABASE DATA_DIR SEED`.

It says `ready` once it has begun. Each round rewrites an entry and has the index follow, now and then from nothing.
"""

import os
import random
import sys

os.environ["DJANGO_SETTINGS_MODULE"] = "rulings.settings"
os.environ["RULINGS_DEBUG"] = "1"


def main(database: str, data: str, seed: str) -> None:
    os.environ["DATABASE_URL"], os.environ["RULINGS_DATA_DIR"] = f"sqlite:///{database}", data
    import django

    django.setup()
    from django.db import transaction

    from rulings.models import Change, Entry, Revision
    from rulings.search import indexing

    rng = random.Random(seed)
    entries = list(Entry.objects.values_list("pk", flat=True))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        with transaction.atomic():
            chosen = rng.sample(entries, rng.randint(1, 3))
            for entry in chosen:
                Revision.objects.filter(entry=entry).update(body=f"山札の話、{rng.randrange(10**6)}回目")
            Change.objects.record([Change(kind="updated", entry_id=entry) for entry in chosen])
        if rng.random() < 0.2:
            indexing.rebuild()
        else:
            indexing.catch_up()


if __name__ == "__main__":
    main(*sys.argv[1:])

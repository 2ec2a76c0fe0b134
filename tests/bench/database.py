"""A database as large as asked for, filled with the made-up corpus and indexed: for benches of whole requests.

`python -m tests.bench.database --size 100000 --data-dir FOLDER` makes it (some minutes); run again, it finds it there.
Rules in chapters (one entry in fifty), the rest questions; one in twenty has an earlier wording; all cite cards and
rules as the texts do, found by the site's own services. Then start anything with RULINGS_DATA_DIR=FOLDER.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

BATCH = 2_000
RULES_OF_A_CHAPTER = 40
SECTIONS = 50  # one entry in so many is a rule
FORMER = 20  # one in so many was worded otherwise before


def batches(things: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(things), BATCH):
        yield things[start : start + BATCH]


def set_up(folder: Path | None) -> None:
    """Set up Django on a data folder; must come before anything of the site is imported."""
    if folder:  # whatever the settings of a test that started this process are
        os.environ |= {"RULINGS_DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "rulings.settings"}
    os.environ.setdefault("RULINGS_DEBUG", "1")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rulings.settings")
    import django

    django.setup()


def fill(size: int, say: Any = lambda _line: None) -> None:
    """Fill an empty database with `size` entries, in one transaction, and build the index."""
    from django.core.management import call_command
    from django.db import transaction

    from rulings.models import Entry
    from rulings.search import indexing

    call_command("migrate", verbosity=0)
    if not Entry.objects.exists():
        call_command("loaddata", "games", verbosity=0)
        with transaction.atomic():
            _Filling(size, say).fill()
    if (found := Entry.objects.count()) != size:
        raise SystemExit(f"the database holds {found} entries, not {size}: choose another folder")
    if indexing.is_behind():
        began = time.perf_counter()
        count = indexing.rebuild()
        say(f"{count} documents indexed in {time.perf_counter() - began:.0f} s")


class _Filling:
    def __init__(self, size: int, say: Any) -> None:
        from rulings.models import Amendment, Ruleset
        from rulings.services.changes import ChangeLog
        from rulings.services.targets import Targets
        from tests.bench.corpus import RULESETS, Corpus

        self.size, self.say, self.corpus = size, say, Corpus(size)
        self.changes = ChangeLog()
        self.rulesets = [Ruleset.objects.select_related("game").get(slug=slug) for slug in RULESETS]
        self.amendments = {
            one.pk: Amendment.objects.create(ruleset=one, title=one.name, effective_on=date(2020, 1, 1))
            for one in self.rulesets
        }
        self.targets = {one.game_id: Targets(one.game) for one in self.rulesets}

    def fill(self) -> None:
        from rulings.models import Change, ChangeKind

        began = time.perf_counter()
        changed = [Change(kind=ChangeKind.CREATED, card_id=card) for card in self._cards()]
        sections = max(1, self.size // SECTIONS)
        made = [self._sections(sections), *map(self._questions, batches(range(sections, self.size)))]
        changed += [Change(kind=ChangeKind.CREATED, entry_id=entry) for entries in made for entry in entries]
        Change.objects.record(changed)
        self.say(f"{self.size} entries made in {time.perf_counter() - began:.0f} s")

    def _cards(self) -> list[int]:
        from rulings.models import Card, CardFace
        from rulings.text.fold import fold_key

        game = self.rulesets[0].game
        cards = Card.objects.bulk_create(
            [Card(game=game, name=name[:200], key=fold_key(name)[:200]) for name in self.corpus.cards.things],
            batch_size=BATCH,
        )
        CardFace.objects.bulk_create(
            [CardFace(card=card, name=card.name, key=card.key, facts={"cost": card.pk % 9 + 1}) for card in cards],
            batch_size=BATCH,
        )
        return [card.pk for card in cards]

    def _sections(self, count: int) -> list[int]:
        """Make rules `101.1` … in chapters, ruleset by ruleset."""
        from rulings.models import Level, RuleSection
        from rulings.text.numbers import RuleNumber

        chapters: dict[tuple[int, int], RuleSection] = {}
        entries, rules = [], []
        for at in range(count):
            ruleset = self.rulesets[at % len(self.rulesets)]
            chapter, rule = divmod(at // len(self.rulesets), RULES_OF_A_CHAPTER)
            number = RuleNumber(str(101 + chapter), str(rule) if rule else "")
            section = RuleSection(ruleset=ruleset, number=str(number), sort_key=number.sort_key, level=Level.RULE)
            if rule:
                rules.append((section, chapters[ruleset.pk, chapter]))
            else:
                section.level = Level.CHAPTER
                chapters[ruleset.pk, chapter] = section
            entries.append(section)
        RuleSection.objects.bulk_create(chapters.values(), batch_size=BATCH)
        for section, chapter_of_it in rules:
            section.parent = chapter_of_it
        RuleSection.objects.bulk_create([section for section, _chapter in rules], batch_size=BATCH)
        return self._word(entries, range(count))

    def _questions(self, numbers: Sequence[int]) -> list[int]:
        from rulings.models import FaqEntry

        entries = [
            FaqEntry(
                ruleset=self.rulesets[number % 7 % 4],
                official_id=str(number),
                sort_key=f"{number:09}",
                url=f"https://example.com/faq/{number}",
            )
            for number in numbers
        ]
        return self._word(FaqEntry.objects.bulk_create(entries, batch_size=BATCH), numbers)

    def _word(self, entries: list[Any], numbers: Sequence[int]) -> list[int]:
        """Give entries their wordings, with what these cite."""
        from rulings.models import Revision
        from rulings.services.references import refresh_cards, relink_revisions

        revisions = [
            revision
            for entry, number in zip(entries, numbers, strict=True)
            for revision in self._wordings(entry, number)
        ]
        Revision.objects.bulk_create(revisions, batch_size=BATCH)
        for game, targets in self.targets.items():
            relink_revisions([one for one in revisions if one.entry.ruleset.game_id == game], targets)
        ids = [entry.pk for entry in entries]
        for some in batches(ids):
            refresh_cards(some)
        return ids

    def _wordings(self, entry: Any, number: int) -> Iterator[Any]:
        from rulings.models import Revision, Verdict

        texts = {field: "".join(pieces) for field, pieces in self.corpus.texts(number).items()}
        rng = random.Random(-number)
        if not entry.official_id:  # a rule: the clauses without the answer
            texts["title"] = self.corpus.clauses.draw(rng) if rng.random() < 0.5 or not entry.parent_id else ""
            texts["body"] = texts["body"].split("。", 1)[-1]
        if rng.random() < 0.3:
            texts["body"] += f"（ルール{101 + rng.randrange(5)}.{rng.randrange(1, RULES_OF_A_CHAPTER)}を参照）"
        verdict = Verdict.NO if texts["body"].startswith("いいえ") else Verdict.YES
        common = {
            "entry": entry,
            "number": entry.number,
            "title": texts["title"],
            "examples": [{"label": "例", "text": texts["examples"]}] if texts["examples"] else [],
            "verdict": verdict if entry.official_id else Verdict.NONE,
            "amendment": self.amendments[entry.ruleset_id],
        }
        begun = date(2020 + rng.randrange(5), rng.randrange(1, 13), 1)
        if number % FORMER == 0:
            former = texts["body"][: len(texts["body"]) // 2] + "。"
            yield Revision(**common, body=former, effective_on=date(2019, 4, 1), ended_on=begun)
            yield Revision(**common, body=texts["body"], effective_on=begun, event="edited")
        else:
            yield Revision(**common, body=texts["body"], effective_on=begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--size", type=int, default=int(os.environ.get("RULINGS_BENCH_SIZE", "10000")))
    parser.add_argument("--data-dir", type=Path, required=True)
    options = parser.parse_args()
    options.data_dir.mkdir(parents=True, exist_ok=True)
    set_up(options.data_dir)
    fill(options.size, lambda line: sys.stdout.write(line + "\n") and sys.stdout.flush())


if __name__ == "__main__":
    main()

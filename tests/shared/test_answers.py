"""How sure answer/ may be: the thresholds, measured on the real content with questions in players' words."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from rulings.models import Entry
from rulings.search.indexing import rebuild
from rulings.services.answering import answer
from rulings.text.fold import fold
from tests.shared.test_imports import DOCUMENTS

pytestmark = pytest.mark.django_db
PARAPHRASES = Path(__file__).with_name("paraphrases.jsonl")  # question, line of the judged query it asks about


def asked(shared_dir: Path) -> Iterator[tuple[str, list[dict[str, str]]]]:
    lines = (shared_dir / "evaluation" / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    judged = [json.loads(line) for line in lines if line.strip()]
    for case in judged:
        yield case["q"], case["want"]
    for line in PARAPHRASES.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        yield case["q"], judged[case["judged"] - 1]["want"] if case["judged"] else []


def is_wanted(entry: Entry, want: dict[str, str]) -> bool:
    wording = entry.ruling.wording_on()
    examples = " ".join(example["text"] for example in wording.examples) if wording else ""
    text = squeezed(f"{entry.number}.{entry.title_on()} {wording.body if wording else ''} {examples}")
    if "text" in want:
        return squeezed(want["text"]) in text or squeezed(want["text"]) in text.replace(f"{entry.number}.", "")
    if "section" in want:
        return want["section"] == f"{entry.ruleset.slug} {entry.number}"
    return any(squeezed(card.name) == squeezed(want["card"]) for card in entry.cards.all())


def squeezed(text: str) -> str:
    return "".join(fold(text).text.split())


def test_sure_answers_are_right(shared_dir: Path, capsys: Any) -> None:
    call_command("loaddata", "games", verbosity=0)
    for name, ruleset in DOCUMENTS.items():
        call_command("import_document", shared_dir / "documents" / name, ruleset=ruleset)
    call_command("import_cards", shared_dir / "data" / "dm_cards.jsonl", game="dm")
    call_command("import_faqs", shared_dir / "data" / "dm_official_qa.jsonl", ruleset="dm-cr")
    rebuild()
    sure = right = total = 0
    wrong = []
    for question, wants in asked(shared_dir):
        found = answer(question, lambda path: path)
        if found.confidence == "named":
            continue
        total += 1
        if found.certain:
            sure += 1
            good = any(is_wanted(found.entries[0], want) for want in wants)
            right += good
            wrong += [] if good else [question]
    capsys.readouterr()
    assert right / sure >= 0.93, wrong
    assert sure / total >= 0.3, (sure, total)

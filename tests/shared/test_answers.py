"""How sure answer/ may be: the thresholds, measured on the real content with questions in players' words."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from rulings.models import Entry
from rulings.search.indexing import rebuild
from rulings.services.answering import Answer, answer
from rulings.text.fold import fold
from tests.shared.test_imports import DOCUMENTS

pytestmark = pytest.mark.django_db
PARAPHRASES = Path(__file__).with_name("paraphrases.jsonl")  # question, line of the judged query it asks about


# What people also send, one a line; what stands before the blank line can have no sure answer.
ODD_QUESTIONS = Path(__file__).with_name("odd_questions.txt")
# Lines of an answer that are about an entry, not from it.
OWN = re.compile(
    r"確かな答えではありません。いちばん近い項目です。|引用している規則が変わったため、見直しを待っている項目です。"
    r"|この項目は効力がありません。.*|次は最後の文面です。|ほかに近い項目：|この問いに答える項目は見つかりませんでした。"
    r"|.+ という番号の条項はありません。|《.+》を名指す裁定は登録されていません。|根拠：.+|【(?:はい|いいえ)】|/\S+|―.*"
)


def check_sources(question: str, found: Answer) -> None:
    """Every line is about an entry that the answer names, or stands in its wording; a chat message holds them all."""
    assert len(found.text.encode("utf-16-le")) <= 2 * 2_000, question
    assert found.certain or found.confidence == "none" or len(found.candidates) <= 3, question
    named = [squeezed(whole(entry)) for entry in [*found.entries, *found.candidates]]
    for entry in found.entries[:1]:
        assert entry.get_absolute_url() in found.text, question
    for line in found.text.splitlines():
        said = line.strip().removeprefix("以前の文面：").removeprefix("・").removesuffix("…（続きはリンク先）").strip()
        if said and not OWN.fullmatch(said):
            assert any(squeezed(said) in text for text in named), (question, line)


def whole(entry: Entry) -> str:
    shown = [entry.number, entry.title_on()]
    for revision in [*entry.known_wordings(), *entry.ruling.known_wordings()]:
        shown += [revision.body, *(f"{example['label']}{example['text']}" for example in revision.examples)]
    return " ".join([entry.number, entry.title_on(), *shown])


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


def test_sure_answers_are_right_and_every_line_has_its_source(shared_dir: Path, capsys: Any) -> None:
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
        check_sources(question, found)
        if found.confidence == "named":
            continue
        total += 1
        if found.certain:
            sure += 1
            good = any(is_wanted(found.entries[0], want) for want in wants)
            right += good
            wrong += [] if good else [question]
    nonsense, others = (part.splitlines() for part in ODD_QUESTIONS.read_text(encoding="utf-8").split("\n\n"))
    for question in [*nonsense, *others]:
        found = answer(question, lambda path: path)
        check_sources(question, found)
        assert not (found.certain and question in nonsense), (question, found.text)
    capsys.readouterr()
    assert right / sure >= 0.93, wrong
    assert sure / total >= 0.3, (sure, total)

"""The real documents, in order, through the commands: counts, references, doubts; a second time nothing changes."""

import json
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction

from rulings.models import (
    Amendment,
    Card,
    CardFace,
    CardInteraction,
    Change,
    CrossReference,
    Entry,
    Level,
    Revision,
    Source,
    Status,
)
from rulings.services.checks import check_content

pytestmark = pytest.mark.django_db
DOCUMENTS = {
    "dm-cr-1.48.txt": "dm-cr",
    "dm-cr-2026-02-13.txt": "dm-cr",
    "dm-party.txt": "dm-party",
    "dm-tag.txt": "dm-tag",
    "ygo-zexal.txt": "ygo-zexal",
}
PARTY_RULES = """1.多人数戦
107. 使用の制限
107.1. 試験用の決まりです。
107.1a 試験用の細則です。
300. 相手の指定
300.1. 試験用の決まりです。
300.1b 試験用の細則です。
300.1c 試験用の細則です。
300.1d 試験用の細則です。
300.3. 試験用の決まりです。
301. 公開
301.1. 試験用の決まりです。
301.2. 試験用の決まりです。
302. 比べ合い
302.1. 試験用の決まりです。
302.2. 試験用の決まりです。
304. 攻撃
304.3. 試験用の決まりです。
305. 置換
305.2. 試験用の決まりです。
400. 敗北
400.3. 試験用の決まりです。
400.4. 試験用の決まりです。
"""


def run(command: str, *args: object) -> dict[str, Any]:
    out = StringIO()
    call_command(command, *(str(arg) for arg in args), "--json", stdout=out)
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


def import_all(shared: Path) -> dict[str, dict[str, Any]]:
    reports = {
        name: run("import_document", shared / "documents" / name, "--ruleset", ruleset)
        for name, ruleset in DOCUMENTS.items()
    }
    reports["cards"] = run("import_cards", shared / "data" / "dm_cards.jsonl", "--game", "dm")
    reports["faqs"] = run("import_faqs", shared / "data" / "dm_official_qa.jsonl", "--ruleset", "dm-cr")
    return reports


@pytest.fixture(scope="module", autouse=True)
def reports(django_db_setup: None, django_db_blocker: Any, shared_dir: Path) -> Iterator[dict[str, dict[str, Any]]]:
    """Everything imported once for all tests of this file, each of which is rolled back to here."""
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("loaddata", "games", verbosity=0)
        yield import_all(shared_dir)
        transaction.set_rollback(True)


def at(ruleset: str, number: str) -> Entry:
    entry = Entry.objects.of_ruleset(ruleset).at_number(number).first()
    assert entry is not None, number
    return entry


def counts() -> list[int]:
    models = (Entry, Revision, CrossReference, Change, Source, Amendment, Card, CardFace)
    return [model.objects.count() for model in models]


def test_the_rule_book(reports: dict[str, dict[str, Any]]) -> None:
    first = Revision.objects.filter(source=reports["dm-cr-1.48.txt"]["source"])
    levels = Counter(first.values_list("entry__level", flat=True))
    assert levels[Level.RULE] + levels[Level.SUBRULE] == 749
    assert (levels[Level.CHAPTER], levels[Level.PART]) == (104, 9)
    labels = Counter(example["label"] for revision in first for example in revision.examples)
    assert labels["例"] == 103  # and eight more that are numbered as second or third of their rule
    assert labels.total() == 111
    assert set(first.values_list("effective_on", flat=True).order_by()) == {first[0].effective_on}
    assert str(first[0].effective_on) == "2025-12-17"
    assert at("dm-cr", "311.2~2").pk != at("dm-cr", "311.2").pk
    assert at("dm-cr", "505.2a").is_live
    assert "4枚まで" in " ".join(first.values_list("body", flat=True))


def test_the_amendment(reports: dict[str, dict[str, Any]]) -> None:
    report = reports["dm-cr-2026-02-13.txt"]
    sections = report["sections"]
    assert sections["created"] + sections["edited"] + sections["unchanged"] == 28
    assert sections["ended"] == 1
    assert report["effective"] == "2026-02-13"
    stone = at("dm-cr", "117.2")
    assert (stone.status, stone.superseded_by) == (Status.SUPERSEDED, at("dm-cr", "703.4m"))
    assert stone.wording is not None
    assert stone.wording.body.startswith("バトルゾーンにある単一のウエポン")
    editorial = Entry.objects.filter(revisions__is_editorial=True)
    assert {entry.number for entry in editorial} <= {"117.1", "805.4a", "807.4a"}
    assert editorial.exists()
    chapter = at("dm-cr", "820")
    assert chapter.parent is not None
    assert (chapter.parent.level, chapter.parent.number) == (Level.PART, at("dm-cr", "805").parent.number)  # type: ignore[union-attr]
    assert [len(at("dm-cr", number).wording.examples) for number in ("317.4", "317.5")] == [1, 1]  # type: ignore[union-attr]


def test_the_page(reports: dict[str, dict[str, Any]]) -> None:
    assert reports["dm-party.txt"]["faqs"]["created"] == 24
    faqs = Entry.objects.of_ruleset("dm-party").filter(kind="faq")
    dated = faqs.filter(revisions__effective_on="2022-09-20")
    assert dated.count() == 2
    assert Counter(faq.wording.verdict for faq in faqs if faq.wording)["no"] > 5
    assert not any("コチラ" in faq.wording.body for faq in faqs if faq.wording)


def test_the_outlines(reports: dict[str, dict[str, Any]]) -> None:
    for ruleset in ("dm-tag", "ygo-zexal"):
        sections = Entry.objects.of_ruleset(ruleset).filter(kind="section")
        assert sections.filter(parent__isnull=False, level=Level.ITEM).exists()
        assert all(section.wording is not None for section in sections)


def test_cards_and_questions(reports: dict[str, dict[str, Any]]) -> None:
    assert Card.objects.count() == 8752
    assert reports["faqs"]["faqs"]["created"] == 38
    assert Entry.objects.exclude(official_id="").count() == 22


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_line_is_accounted_for(reports: dict[str, dict[str, Any]], name: str, shared_dir: Path) -> None:
    account = reports[name]["account"]
    text = Source.objects.get(pk=reports[name]["source"]).text
    assert {line["line"] for line in account} == {at for at, line in enumerate(text.split("\n"), 1) if line.strip()}
    assert all(line["entries"] for line in account if line["fate"] in ("entry", "heading"))
    assert all(line["reason"] for line in account if line["fate"] not in ("entry", "heading"))


def test_a_second_time_nothing_changes(shared_dir: Path) -> None:
    before = counts()
    assert all(report["nothing_changed"] for report in import_all(shared_dir).values())
    assert counts() == before


def test_a_dry_run_saves_nothing(shared_dir: Path) -> None:
    before = counts()
    book = shared_dir / "documents" / "dm-cr-1.48.txt"
    report = run("import_document", book, "--ruleset", "dm-cr", "--published", "2024-01-01", "--dry-run")
    assert report["sections"]["created"] + report["sections"]["edited"] + report["sections"]["unchanged"] == 862
    assert counts() == before


def test_a_changed_book_touches_only_what_changed(shared_dir: Path, tmp_path: Path) -> None:
    text = (shared_dir / "documents" / "dm-cr-1.48.txt").read_text(encoding="utf-8")
    changed = tmp_path / "book.txt"
    changed.write_text(text.replace("最終更新日 2025 年12 月17 日", "最終更新日 2026 年3 月17 日"), encoding="utf-8")
    assert "3 月17 日" in changed.read_text(encoding="utf-8")
    report = run("import_document", changed, "--ruleset", "dm-cr")
    # The newer edition knows nothing of the amendment: it takes back what that changed, and nothing else.
    amended = Amendment.objects.get(is_complete=False, ruleset__slug="dm-cr").revisions
    assert report["sections"]["edited"] == amended.filter(event__in=["edited", "deleted"]).count()
    assert report["sections"]["ended"] == amended.filter(event="added").count()
    assert report["sections"]["created"] == 0
    assert at("dm-cr", "117.2").is_live


def test_citations_of_the_page_stay_its_own(reports: dict[str, dict[str, Any]]) -> None:
    cited = CrossReference.objects.filter(kind="rule", revision__entry__ruleset__slug="dm-party")
    assert (cited.count(), cited.values("key").distinct().count()) == (15, 13)
    assert not cited.filter(entry__isnull=False).exists()
    assert set(cited.values_list("ruleset__slug", flat=True)) == {"dm-party"}
    assert at("dm-cr", "305.2").is_live


def test_citations_of_the_page_resolve_once_its_rules_are_known(tmp_path: Path) -> None:
    book = tmp_path / "party.txt"
    book.write_text(PARTY_RULES, encoding="utf-8")
    before = Change.objects.latest_number()
    report = run("import_document", book, "--ruleset", "dm-party", "--form", "numbered")
    cited = CrossReference.objects.filter(
        kind="rule", revision__entry__ruleset__slug="dm-party", ruleset__slug="dm-party"
    )
    asked = cited.filter(revision__entry__kind="faq")
    assert asked.count() == 15
    assert not asked.filter(entry__isnull=True).exists()
    assert set(asked.values_list("entry__ruleset__slug", flat=True)) == {"dm-party"}
    assert (report["faqs"]["ended"], report["sections"]["ended"]) == (0, 0)
    changed = set(Change.objects.filter(number__gt=before).values_list("entry", flat=True))
    assert set(asked.values_list("revision__entry", flat=True)) <= changed


def test_the_question_that_cites_a_deleted_rule_is_doubtful() -> None:
    asked = Entry.objects.get(official_id="42359")
    assert asked.status == Status.NEEDS_REVIEW
    for part in ("117.2", "2026年2月13日", "703.4m"):
        assert part in asked.status_reason


def test_two_cards_share_a_face_name() -> None:
    plan = Card.objects.get(name="巨大設計図")
    twin = Card.objects.get(name="超七極 Gio/巨大設計図")
    assert "巨大設計図" in twin.faces.values_list("name", flat=True)
    found = CardInteraction.objects.get(cards_key=f"{plan.pk}-{twin.pk}")
    assert found.wording is not None
    assert found.wording.verdict == "no"
    assert set(found.cards.all()) == {plan, twin}


def test_lists_of_cards_are_no_interactions() -> None:
    for number in ("100.5", "110.4f", "701.26c"):
        assert not CardInteraction.objects.filter(ruled_by=at("dm-cr", number)).exists()
    assert CardInteraction.objects.filter(ruled_by=at("dm-cr", "701.26b")).exists()


def test_nothing_is_broken() -> None:
    assert [finding for finding in check_content() if finding.is_broken] == []

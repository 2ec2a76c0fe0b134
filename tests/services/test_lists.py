"""Lists of questions and of cards: once, idempotent, only what changed."""

import json
from typing import Any

import pytest
from django.utils import timezone

from rulings.importers.errors import ParseError
from rulings.importers.records import Form
from rulings.models import (
    Card,
    CardInteraction,
    Change,
    CrossReference,
    Entry,
    Place,
    Revision,
    Ruleset,
    Source,
    Status,
)
from rulings.services.cards import import_cards
from rulings.services.faqs import import_faqs
from rulings.services.safeguards import ImportRefusedError
from tests.makers import make_game, make_ruleset
from tests.services.documents import document, faq, load, section

pytestmark = pytest.mark.django_db


@pytest.fixture
def rules() -> Ruleset:
    return make_ruleset("dm-cr")


def _lines(*rows: dict[str, Any]) -> bytes:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def _question(number: str | None = "1", answer: str = "はい、出せます。", **more: Any) -> dict[str, Any]:
    return {"qa_id": number, "question": f"《火竜》を出せますか? {number}", "answer": answer, **more}


def _card(name: str, *sides: dict[str, Any], layout: str | None = None, **more: Any) -> dict[str, Any]:
    return {"name": name, "layout": layout, "sides": list(sides) or [{"cost": 3}], **more}


def test_questions_with_ids_dates_and_cited_rules(rules: Ruleset) -> None:
    load(rules, document(section("117", title="超次元"), section("117.2", "ウエポンは戻ります。")))
    row = _question(published="2022-10-28", url="https://example.com/qa/1/", rules_cited=["117.2", "999.9"])
    report = import_faqs(rules, _lines(row))
    entry = Entry.objects.get(official_id="1")
    assert entry.wording is not None
    assert (str(entry.wording.effective_on), entry.url) == ("2022-10-28", "https://example.com/qa/1/")
    listed = CrossReference.objects.filter(place=Place.LISTED).order_by("key")
    assert [(reference.key, reference.entry is not None) for reference in listed] == [
        ("117.2", True),
        ("999.9", False),
    ]
    assert report.account == [{"line": 1, "fate": "entry", "keys": ["faq:1"], "reason": "", "entries": [entry.pk]}]


def test_questions_a_second_time_and_changed(rules: Ruleset) -> None:
    data = _lines(_question("1", published="2022-10-28"), _question(None))
    import_faqs(rules, data)
    before = [model.objects.count() for model in (Entry, Revision, Change, Source, CrossReference)]
    report = import_faqs(rules, data)
    assert report.nothing_changed
    assert report.faqs.unchanged == 2
    assert [model.objects.count() for model in (Entry, Revision, Change, Source, CrossReference)] == before
    changed = _lines(_question("1", "いいえ、出せません。", published="2024-01-01"), _question(None))
    report = import_faqs(rules, changed)
    assert (report.faqs.edited, report.faqs.unchanged, report.changes) == (1, 1, 1)
    assert Entry.objects.get(official_id="1").revisions.count() == 2
    assert import_faqs(rules, changed).nothing_changed


def test_a_list_ends_nothing_and_repetitions_are_told(rules: Ruleset) -> None:
    import_faqs(rules, _lines(_question("1"), _question("2")))
    report = import_faqs(rules, _lines(_question("2"), _question("2"), _question("3")))
    assert (report.faqs.created, report.faqs.ended) == (1, 0)
    assert [warning["code"] for warning in report.warnings] == ["duplicate_faq"]


def test_a_changed_citation_beside_the_text(rules: Ruleset) -> None:
    import_faqs(rules, _lines(_question(rules_cited=["117.2"])))
    report = import_faqs(rules, _lines(_question(rules_cited=["117.1"])))
    assert report.changes == 1
    assert CrossReference.objects.get(place=Place.LISTED).key == "117.1"


def test_a_dry_run_of_a_list(rules: Ruleset) -> None:
    report = import_faqs(rules, _lines(_question()), dry_run=True)
    assert report.faqs.created == 1
    assert report.account[0]["entries"] == []
    assert not Entry.objects.exists()
    assert not Source.objects.exists()


def test_cards_with_faces_readings_and_aliases() -> None:
    game = make_game()
    twin = _card("火竜/水の技", {"cost": 7}, {"cost": 2}, layout="T", reading="かりゅう", aliases=["火技"])
    report = import_cards(game, _lines(twin, _card("風竜")))
    assert (report.cards.created, report.changes) == (2, 2)
    card = Card.objects.get(name="火竜/水の技")
    assert [(face.name, face.facts["cost"]) for face in card.faces.all()] == [("火竜", 7), ("水の技", 2)]
    assert card.aliases.get().text == "火技"
    assert card.reading_key


def test_cards_a_second_time_and_changed() -> None:
    game = make_game()
    import_cards(game, _lines(_card("火竜"), _card("水竜")))
    before = [model.objects.count() for model in (Card, Change, Source)]
    assert import_cards(game, _lines(_card("火竜"), _card("水竜"))).nothing_changed
    assert [model.objects.count() for model in (Card, Change, Source)] == before
    report = import_cards(game, _lines(_card("火竜", {"cost": 4}), _card("水竜")))
    assert (report.cards.edited, report.cards.unchanged, report.changes) == (1, 1, 1)
    assert Card.objects.get(name="火竜").faces.get().facts == {"cost": 4}


def test_a_renamed_card_keeps_its_former_name() -> None:
    game = make_game()
    import_cards(game, _lines(_card("火竜", official_id="dm-1")))
    import_cards(game, _lines(_card("炎竜", official_id="dm-1")))
    assert Card.objects.get().name == "炎竜"
    assert Card.objects.get().aliases.get().text == "火竜"


def test_citations_find_cards_that_come_later(rules: Ruleset) -> None:
    import_faqs(rules, _lines(_question(question="《火竜》がいる時に《水竜》を出せますか?")))
    entry = Entry.objects.get(official_id="1")
    report = import_cards(rules.game, _lines(_card("火竜"), _card("水竜")))
    assert entry.cards.count() == 2
    assert CardInteraction.objects.get().ruled_by == entry
    assert report.references.resolved_later == 1
    assert Change.objects.filter(entry=entry).count() == 2


def test_possible_names_are_found_when_the_cards_come() -> None:
    game = make_game("ygo", "遊戯王OCG")
    ruleset = make_ruleset("ygo-zexal", game=game)
    load(ruleset, document(section("101.1", "「青眼の白龍」は「攻撃」できます。")))
    assert not CrossReference.objects.exists()
    import_cards(game, _lines(_card("青眼の白龍")))
    assert CrossReference.objects.get().card == Card.objects.get()
    assert Entry.objects.get().cards.count() == 1


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    import_cards(make_game(), _lines(_card("火竜"), _card("水竜")), progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (2, 2)


def test_a_list_without_names_is_refused() -> None:
    with pytest.raises(ParseError):
        import_cards(make_game(), b"a,b\n1,2\n")
    assert not Source.objects.exists()


def test_what_a_complete_list_no_longer_has_is_withdrawn() -> None:
    ruleset = make_ruleset("dm-cr")
    load(ruleset, document(faq("文書の質問ですか?", "はい。"), form=Form.PAGE))
    rows = [{"qa_id": str(at), "question": f"質問{at}ですか?", "answer": "はい。"} for at in (1, 2)]
    import_faqs(ruleset, json.dumps(rows, ensure_ascii=False).encode(), complete=True)
    part = json.dumps(rows[:1], ensure_ascii=False).encode()
    assert import_faqs(ruleset, part).faqs.ended == 0
    report = import_faqs(ruleset, part, complete=True)
    assert report.faqs.ended == 1
    gone = Entry.objects.get(official_id="2")
    assert (gone.status, gone.status_on) == (Status.WITHDRAWN, timezone.localdate())
    assert "載っていません" in gone.status_reason
    assert Change.objects.filter(entry=gone).latest("number").kind == "ended"
    assert Entry.objects.filter(status=Status.CURRENT).count() == 2
    import_faqs(ruleset, json.dumps(rows, ensure_ascii=False).encode(), complete=True)
    assert Entry.objects.get(official_id="2").status == Status.CURRENT


def test_a_complete_list_that_would_withdraw_most_answers_is_refused(rules: Ruleset) -> None:
    import_faqs(rules, _lines(*(_question(str(at)) for at in range(20))), complete=True)
    part = _lines(*(_question(str(at)) for at in range(9)))
    before = Change.objects.count()
    told = import_faqs(rules, part, complete=True, dry_run=True)
    assert [warning["code"] for warning in told.warnings] == ["would_be_refused"]
    with pytest.raises(ImportRefusedError, match="20件のうち11件"):
        import_faqs(rules, part, complete=True)
    assert Change.objects.count() == before
    assert import_faqs(rules, part, complete=True, allow_ending=True).faqs.ended == 11

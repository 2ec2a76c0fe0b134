"""A document goes in: entries, revisions, amendments, accounts – once, whole, and only what changed."""

from collections.abc import Callable
from datetime import date

import pytest

from rulings.importers.errors import DecodeError, ParseError
from rulings.importers.records import Form, ParsedDocument, SectionRecord
from rulings.models import Amendment, Change, Entry, Event, Revision, Ruleset, Source, Status
from rulings.services import importing
from rulings.services.importing import import_document
from rulings.services.safeguards import ImportRefusedError
from tests.makers import make_ruleset
from tests.services.documents import DAY, LAST, LATER, amendment, at, body_on, document, faq, load, section

pytestmark = pytest.mark.django_db


@pytest.fixture
def rules() -> Ruleset:
    return make_ruleset("dm-cr")


def _book(*more: SectionRecord, changed: str = "山札は40枚です。") -> ParsedDocument:
    return document(
        section("100", title="準備"),
        section("100.1", changed),
        section("100.1a", "同じ名前のカードは4枚まで入れられます。", examples=("例の文です。",)),
        section("100.2", "手札は5枚で始めます。"),
        *more,
    )


def _state() -> tuple[int, ...]:
    models = (Entry, Revision, Source, Amendment, Change)
    return tuple(model.objects.count() for model in models)


def test_the_first_book(rules: Ruleset) -> None:
    report = load(rules, _book())
    assert (report.sections.created, report.effective, report.changes) == (4, DAY, 4)
    rule = at(rules, "100.1a")
    assert (rule.parent, rule.parent.parent) == (at(rules, "100.1"), at(rules, "100"))  # type: ignore[union-attr]
    wording = rule.wording
    assert wording is not None
    assert (wording.event, wording.effective_on, wording.examples) == (
        Event.ADDED,
        DAY,
        [{"label": "例", "text": "例の文です。"}],
    )
    assert wording.amendment == Amendment.objects.get()
    assert rule.source is not None
    assert rule.source.account[2]["entries"] == [rule.pk]
    assert rule.source.lines(*rule.lines[0])[0].startswith("同じ名前")


def test_a_second_time_nothing_changes(rules: Ruleset) -> None:
    load(rules, _book())
    before = _state()
    report = load(rules, _book())
    assert report.nothing_changed
    assert report.already_imported
    assert "変更はありません" in report.summary()
    assert report.account[2]["entries"] == [at(rules, "100.1a").pk]
    assert _state() == before


def test_a_changed_book_touches_only_what_changed(rules: Ruleset) -> None:
    load(rules, _book())
    revisions, changes = Revision.objects.count(), Change.objects.count()
    report = load(rules, _book(changed="山札は60枚です。"), LATER)
    assert (report.sections.edited, report.sections.unchanged, report.sections.ended) == (1, 3, 0)
    assert (Revision.objects.count(), Change.objects.count()) == (revisions + 1, changes + 1)
    rule = at(rules, "100.1")
    assert (body_on(rule, DAY), body_on(rule, LATER)) == ("山札は40枚です。", "山札は60枚です。")


def test_what_a_complete_book_leaves_out_has_ended(rules: Ruleset) -> None:
    load(rules, _book(section("100.3", "盾は5枚で始めます。")))
    report = load(rules, _book(), LATER)
    gone = at(rules, "100.3")
    assert report.sections.ended == 1
    assert (gone.status, gone.status_on) == (Status.WITHDRAWN, LATER)
    assert gone.wording is not None
    assert gone.wording.body == "盾は5枚で始めます。"
    assert body_on(gone, LATER) is None


def test_a_book_ends_nothing_of_another_line_of_documents(rules: Ruleset) -> None:
    load(rules, _book())
    page = document(section("はじめに", "この頁の説明です。"), form=Form.PAGE, title="案内")
    report = load(rules, page, LATER)
    assert report.sections.ended == 0
    report = load(rules, _book(changed="山札は60枚です。"), LAST)
    assert report.sections.ended == 0
    assert at(rules, "はじめに").is_live


def test_two_pages_with_the_same_heading_stay_two_sections(rules: Ruleset) -> None:
    form = Form.PAGE
    load(rules, document(section("はじめに", "一つ目の頁の説明です。"), form=form, title="案内"))
    load(rules, document(section("はじめに", "まったく違う話が書いてある。"), form=form, title="大会"), LATER)
    assert at(rules, "はじめに").wording.body == "一つ目の頁の説明です。"  # type: ignore[union-attr]
    assert at(rules, "はじめに-2").wording.body == "まったく違う話が書いてある。"  # type: ignore[union-attr]


def test_renumbered_rules_stay_the_same_entries(rules: Ruleset) -> None:
    first = _book(section("100.3", "盾は5枚で始めます。"), section("100.4", "先攻はカードを引きません。"))
    load(rules, first)
    shield, draw = at(rules, "100.3"), at(rules, "100.4")
    renumbered = _book(
        section("100.3", "じゃんけんで先攻を決めます。"),
        section("100.4", "盾は5枚で始めます。"),
        section("100.5", "先攻はカードを引きません。"),
    )
    report = load(rules, renumbered, LATER)
    assert (report.sections.moved, report.sections.created, report.sections.ended) == (2, 1, 0)
    assert (at(rules, "100.4"), at(rules, "100.5")) == (shield, draw)
    assert at(rules, "100.3") not in (shield, draw)
    assert shield.revisions.get(effective_on=LATER).event == Event.MOVED


def test_an_edited_bullet_keeps_its_slug(rules: Ruleset) -> None:
    form = Form.OUTLINE
    first = section("山札は40枚で", "山札は40枚で、同じ名前のカードは4枚まで入れられます。")
    load(rules, document(first, section("手札", "手札は5枚で始めます。"), form=form))
    entry = at(rules, "山札は40枚で")
    edited = section("山札は50枚で", "山札は50枚で、同じ名前のカードは4枚まで入れられます。")
    report = load(rules, document(edited, section("手札", "手札は5枚で始めます。"), form=form), LATER)
    assert (report.sections.edited, report.sections.unchanged) == (1, 1)
    entry.refresh_from_db()
    assert entry.number == "山札は40枚で"
    assert load(rules, document(edited, section("手札", "手札は5枚で始めます。"), form=form), LAST).nothing_changed


def test_an_amendment_adds_edits_and_ends(rules: Ruleset) -> None:
    load(rules, _book())
    changed = amendment(
        section("100.1", "山札は60枚です。"),
        section("100.3", "盾は6枚で始めます。"),
        section("100.2", "手札は5枚で始めます。", deleted=True, successor="100.3"),
    )
    report = load(rules, changed, LAST)
    assert (report.sections.created, report.sections.edited, report.sections.ended) == (1, 1, 1)
    ended = at(rules, "100.2")
    assert (ended.status, ended.superseded_by) == (Status.SUPERSEDED, at(rules, "100.3"))
    assert at(rules, "100.3").parent == at(rules, "100")
    assert at(rules, "100.1").wording.group.title == "試験の項目を変更しました。"  # type: ignore[union-attr]


def test_a_deletion_of_an_unknown_rule_leaves_a_tombstone(rules: Ruleset) -> None:
    load(rules, amendment(section("117.2", "置かれます。", deleted=True)), LAST)
    stone = at(rules, "117.2")
    assert stone.status == Status.WITHDRAWN
    assert stone.wording is not None
    assert stone.wording.body == "置かれます。"
    assert body_on(stone, DAY) == "置かれます。"
    assert body_on(stone, LAST) is None


def test_an_older_book_fills_the_past(rules: Ruleset) -> None:
    load(rules, amendment(section("100.1", "山札は60枚です。"), section("100.2", "手札", deleted=True)), LAST)
    report = load(rules, _book(), LATER)
    assert report.sections.ended == 0
    rule = at(rules, "100.1")
    assert (body_on(rule, LATER), body_on(rule, LAST)) == ("山札は40枚です。", "山札は60枚です。")
    assert rule.revisions.get(effective_on=LAST).event == Event.EDITED
    ended = at(rules, "100.2")
    assert (ended.status, body_on(ended, LATER), body_on(ended, LAST)) == (
        Status.WITHDRAWN,
        "手札は5枚で始めます。",
        None,
    )
    assert rule.parent == at(rules, "100")


def test_a_book_between_two_known_ones(rules: Ruleset) -> None:
    """What the newer book says holds from its day on, whatever an older one says later on the clock."""
    load(rules, _book(), DAY)
    load(rules, _book(section("100.3", "盾は5枚で始めます。")), LAST)
    extra = section("100.9", "昔だけあった決まりです。")
    report = load(rules, _book(extra, changed="山札は50枚です。"), LATER)
    assert report.sections.created == 1
    rule = at(rules, "100.1")
    assert [body_on(rule, on) for on in (DAY, LATER, LAST)] == [
        "山札は40枚です。",
        "山札は50枚です。",
        "山札は40枚です。",
    ]
    old = at(rules, "100.9")
    assert (old.status, old.status_on, body_on(old, LATER), body_on(old, LAST)) == (
        Status.WITHDRAWN,
        LAST,
        "昔だけあった決まりです。",
        None,
    )
    assert at(rules, "100.3").is_live


def test_without_a_date_from_the_beginning_and_changes_from_today(rules: Ruleset) -> None:
    load(rules, _book(), None)
    rule = at(rules, "100.1")
    assert rule.wording is not None
    assert rule.wording.effective_on is None
    report = load(rules, _book(changed="山札は60枚です。"), None)
    assert [warning["code"] for warning in report.warnings] == ["undated_change"]
    assert body_on(rule, DAY) == "山札は40枚です。"
    assert at(rules, "100.1").wording.body == "山札は60枚です。"  # type: ignore[union-attr]


def test_a_dry_run_reports_and_saves_nothing(rules: Ruleset) -> None:
    load(rules, _book())
    before = _state()
    real = load(rules, _book(changed="山札は60枚です。"), LATER, dry_run=True)
    assert _state() == before
    assert (real.sections.edited, real.sections.unchanged) == (1, 3)
    assert real.account[1]["entries"] == [at(rules, "100.1").pk]
    assert "何も保存していません" in real.summary()


def test_a_failure_leaves_nothing(rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _state()

    def fail(*args: object, **options: object) -> None:
        raise ArithmeticError

    monkeypatch.setattr(importing, "finish", fail)
    with pytest.raises(ArithmeticError):
        load(rules, _book())
    assert _state() == before


def test_unreadable_text_is_refused(rules: Ruleset) -> None:
    with pytest.raises(DecodeError):
        import_document(rules, b"  \n ")
    with pytest.raises(ParseError):
        import_document(rules, "ただの一文".encode())
    assert _state() == (0, 0, 0, 0, 0)


def test_questions_of_a_page(rules: Ruleset) -> None:
    form = Form.PAGE
    asked = faq("出せますか？", "はい、出せます。", published=DAY)
    kept = faq("引けますか？", "いいえ、引けません。")
    load(rules, document(section("質問", title="質問"), asked, kept, form=form), LATER)
    entry = Entry.objects.get(revisions__title="出せますか？")
    assert entry.wording is not None
    assert (entry.wording.effective_on, entry.wording.verdict) == (DAY, "yes")
    changed = faq("出せますか？", "いいえ、出せなくなりました。", published=DAY)
    report = load(rules, document(section("質問", title="質問"), changed, form=form), LAST)
    assert (report.faqs.edited, report.faqs.ended) == (1, 1)
    entry = Entry.objects.get(pk=entry.pk)
    assert [body_on(entry, on) for on in (LATER, LAST)] == ["はい、出せます。", "いいえ、出せなくなりました。"]
    assert not Entry.objects.get(revisions__title="引けますか？").is_live


def test_report_as_json(rules: Ruleset) -> None:
    data = load(rules, _book()).to_json()
    assert data["effective"] == "2025-01-01"
    assert data["sections"]["created"] == 4
    assert data["nothing_changed"] is False
    assert {"line", "fate", "keys", "reason", "entries"} == set(data["account"][0])


def test_the_same_rule_under_another_date(rules: Ruleset) -> None:
    """A newer edition that changes nothing is noted as an amendment, and touches no entry."""
    load(rules, _book())
    changes = Change.objects.count()
    report = load(rules, _book(), date(2025, 9, 1))
    assert report.nothing_changed
    assert Change.objects.count() == changes
    assert Amendment.objects.count() == 2


def _long_book(count: int, **texts: str) -> ParsedDocument:
    return document(
        section("100", title="準備"),
        *(section(f"100.{at}", texts.get(f"r{at}", f"準備の{at}番目の手順です。")) for at in range(1, count)),
    )


@pytest.mark.parametrize(("left", "refused"), [(3, True), (9, True), (11, False), (20, False)])
def test_a_book_that_would_end_most_rules_is_refused(rules: Ruleset, left: int, refused: bool) -> None:
    load(rules, _long_book(20))
    before = _state()
    told = load(rules, _long_book(left), LATER, dry_run=True)
    assert told.sections.ended == 20 - left
    assert ("would_be_refused" in {warning["code"] for warning in told.warnings}) is refused
    assert _state() == before
    if refused:
        with pytest.raises(ImportRefusedError, match=f"20件のうち{20 - left}件"):
            load(rules, _long_book(left), LATER)
        assert _state() == before
    assert load(rules, _long_book(left), LATER, allow_ending=True).sections.ended == 20 - left


def test_a_small_book_may_lose_most_of_its_rules(rules: Ruleset) -> None:
    load(rules, _long_book(10))
    assert load(rules, _long_book(1), LATER).sections.ended == 9


@pytest.mark.parametrize("make", [document, amendment])
def test_rules_are_not_replaced_by_nothing(rules: Ruleset, make: Callable[..., ParsedDocument]) -> None:
    load(rules, document(section("100.1", "山札は40枚です。"), section("100.2", "手札は5枚です。"), section("100.3")))
    before = _state()
    empty = [section("100.1"), section("100.2", "手札は5枚です。"), section("100.3"), section("100.4")]
    with pytest.raises(ImportRefusedError, match="1件の項目（100.1）が空"):
        load(rules, make(*empty), LATER)
    assert _state() == before
    assert load(rules, make(*empty), LATER, allow_ending=True).sections.edited == 1


def test_blank_lines_alone_are_no_edit(rules: Ruleset) -> None:
    load(
        rules,
        document(
            section("100.1", "一行目です。\n二行目です。", examples=("例です。",)), faq("何枚？", "五枚。\n\n以上。")
        ),
    )
    changes = Change.objects.count()
    again = document(
        section("100.1", "一行目です。\n\n二行目です。 ", examples=("例です。\n",)), faq("何枚？", "五枚。\n以上。")
    )
    report = load(rules, again, LATER)
    assert (report.sections.unchanged, report.faqs.unchanged, Change.objects.count()) == (1, 1, changes)
    report = load(
        rules, document(section("100.1", "一行目です。\n\n三行目です。"), faq("何枚？", "五枚。以上。")), LAST
    )
    assert (report.sections.edited, report.faqs.edited) == (1, 1)


def test_a_book_of_the_past_moves_nothing_today() -> None:
    """A later book is known: what an older one says under another number ended when that began."""
    ruleset = make_ruleset("dm-cr")
    text = "山札の上から一枚を見る決まりです。"
    load(ruleset, document(section("101.1", text), section("101.2", "手札を全て捨てる決まりです。")), DAY)
    load(ruleset, document(section("101.1", text)), LATER)
    load(ruleset, document(section("101.2", text), title="試験の規則 別の写し"), DAY)
    assert at(ruleset, "101.1").is_live
    assert body_on(at(ruleset, "101.1"), LATER) == text

"""Amendments."""

from datetime import date

from rulings.models import AmendmentGroup, Revision, Status
from tests.makers import make_amendment, make_section
from tests.web.conftest import Reader


def test_changes_stand_in_their_groups_with_before_and_after(reader: Reader) -> None:
    amendment = make_amendment(title="二月の改定", effective_on=date(2026, 2, 13))
    group = AmendmentGroup.objects.create(amendment=amendment, position=0, title="誤字の修正", is_editorial=True)
    entry = make_section("101.1", body="古い文。", ended_on=date(2026, 2, 13))
    fields = {"effective_on": date(2026, 2, 13), "amendment": amendment, "group": group}
    Revision.objects.create(entry=entry, number="101.1", event="edited", body="新しい文。", **fields)
    successor = make_section("703.4m")
    gone = make_section(
        "117.2", body="消えた文。", ended_on=date(2026, 2, 13), status=Status.SUPERSEDED, superseded_by=successor
    )
    Revision.objects.create(entry=gone, number="117.2", event="deleted", **fields)
    text = reader.main(f"/amendments/{amendment.pk}/")
    assert "誤字の修正 内容は変わらない修正" in text
    assert "変更101.1古新しい文。" in text.replace(" ", "")
    page = reader.page(f"/amendments/{amendment.pk}/")
    assert [tag.text[0] for tag in page.select("del, ins")] == ["古", "新"]
    assert "削除 117.2 → 703.4m 最後の文 消えた文。" in text


def test_list(reader: Reader) -> None:
    make_amendment(title="古い改定", effective_on=date(2020, 1, 1))
    make_amendment(title="新しい改定", effective_on=date(2026, 1, 1))
    make_amendment(title="いつかの改定", effective_on=None)
    text = reader.main("/amendments/")
    assert text.index("新しい改定") < text.index("古い改定") < text.index("いつかの改定")


def test_unknown(reader: Reader) -> None:
    reader.get("/amendments/999999/", 404)

"""reviews/: what is in doubt and what was decided."""

from datetime import date

from rulings.models import Status
from rulings.services.decisions import confirm
from tests.api.conftest import Get
from tests.makers import make_faq, make_section


def test_the_queue_and_the_decisions(get: Get) -> None:
    make_section()
    faq = make_faq(status=Status.NEEDS_REVIEW, status_reason="理由一\n理由二", status_on=date(2026, 2, 13))
    row = get("reviews/open/", ruleset="dm-cr")["results"][0]
    assert (row["id"], row["reasons"], row["status_on"]) == (faq.pk, ["理由一", "理由二"], "2026-02-13")
    assert get("reviews/open/", ruleset="dm-party")["count"] == 0
    confirm(faq, note="同じです。")
    assert get("reviews/open/")["count"] == 0
    review = get("reviews/")["results"][0]
    assert (review["entry"]["id"], review["decision"], review["note"]) == (faq.pk, "confirmed", "同じです。")
    assert "reviewer" not in review


def test_decisions_are_not_made_here(client: object, db: None) -> None:
    assert client.post("/api/v1/reviews/", {}).status_code == 405  # type: ignore[attr-defined]

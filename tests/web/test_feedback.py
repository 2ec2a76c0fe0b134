"""Reports: they arrive in the queue, bad ones are told, too many are refused, nothing about the reader is kept."""

import pytest
from django.core.cache import cache

from rulings.models import Feedback
from tests.makers import make_faq
from tests.web.conftest import Reader

GOOD = {"kind": "wrong", "text": "答えが逆です。", "source": "https://example.com/faq/1"}


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


def test_a_report_arrives_with_the_wording_it_is_about(reader: Reader) -> None:
    faq = make_faq()
    assert reader.page(f"/faq/{faq.pk}/").select_one(f'a[href="/feedback/{faq.pk}/"]')
    response = reader.client.post(f"/feedback/{faq.pk}/", GOOD)
    assert response["Location"] == f"/feedback/{faq.pk}/thanks/"
    assert "届きました" in reader.main(response["Location"])
    report = Feedback.objects.get()
    assert (report.entry_id, report.revision, report.state) == (faq.pk, faq.wording, "open")
    fields = {field.name for field in Feedback._meta.get_fields()}
    assert fields == {"id", "entry", "revision", "kind", "text", "source", "state", "at"}, "nothing about the reader"


@pytest.mark.parametrize("wrong", [{"text": ""}, {"kind": "x"}, {"text": "長" * 1001}, {"source": "s" * 501}])
def test_a_bad_report_is_told_and_kept_in_the_form(reader: Reader, wrong: dict[str, str]) -> None:
    faq = make_faq()
    response = reader.client.post(f"/feedback/{faq.pk}/", GOOD | wrong)
    assert response.status_code == 400
    assert "足りないところがあります" in response.content.decode()
    assert not Feedback.objects.exists()


def test_too_many_reports_are_refused_with_a_page(reader: Reader) -> None:
    faq = make_faq()
    for _time in range(5):
        assert reader.client.post(f"/feedback/{faq.pk}/", GOOD).status_code == 302
    response = reader.client.post(f"/feedback/{faq.pk}/", GOOD)
    assert response.status_code == 429
    assert response["Retry-After"] == "3600"
    assert "少し待ってください" in response.content.decode()
    assert Feedback.objects.count() == 5
    assert reader.client.post(f"/feedback/{faq.pk}/", GOOD, REMOTE_ADDR="192.0.2.7").status_code == 302


def test_what_programs_fill_in_is_dropped(reader: Reader) -> None:
    faq = make_faq()
    assert reader.client.post(f"/feedback/{faq.pk}/", GOOD | {"website": "http://spam"}).status_code == 302
    assert not Feedback.objects.exists()


def test_an_unknown_entry_has_no_form(reader: Reader) -> None:
    reader.get("/feedback/999999/", 404)

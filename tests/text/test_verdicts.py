"""The verdict an answer opens with."""

import pytest

from rulings.text.verdicts import Verdict, verdict_of


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("はい、できます。", Verdict.YES),
        ("はい。", Verdict.YES),
        ("はい", Verdict.YES),
        ("「はい」です。", Verdict.YES),
        ("\n　はい、そうです。", Verdict.YES),
        ("いいえ、できません。", Verdict.NO),
        ("いいえ\nできません。", Verdict.NO),
        ("はいえな使いは別です。", Verdict.NONE),
        ("できます。はい、そうです。", Verdict.NONE),
        ("どちらでも構いません。", Verdict.NONE),
        ("", Verdict.NONE),
    ],
)
def test_verdicts(answer: str, verdict: Verdict) -> None:
    assert verdict_of(answer) is verdict

import pytest

from rulings.text.links import LONGEST, is_web_address


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://example.com/", True),
        ("HTTP://example.com?a=1#b", True),
        ("https://例え.jp/頁", True),
        ("https://example.com/" + "a" * LONGEST, False),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("//example.com/", False),
        ("example.com", False),
        ("https://", False),
        ("https:///a", False),
        ("https://example.com/ a", False),
        ('https://example.com/"onclick="x', False),
        ("https://[::1", False),
        ("https://[::1]/a", True),
        ("https://example.com:port/", False),
        ("https://example.com:99999/", False),
        ("https://@/", False),
        ("", False),
    ],
)
def test_addresses(text: str, expected: bool) -> None:
    assert is_web_address(text) is expected

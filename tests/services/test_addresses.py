"""Where the site may send by itself: a table of addresses that pretend."""

from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from rulings.services.addresses import AddressRefusedError, is_public, read_target, resolved

# Refused by how they are written or by the address they name, without a look-up.
HOSTILE = [
    "", "https://", "https:///x", "hook.example.com", "//hook.example.com/", "javascript:alert(1)",
    "http://hook.example.com/", "ftp://hook.example.com/", "file:///etc/passwd", "gopher://hook.example.com/",
    "https://user@hook.example.com/", "https://user:pass@hook.example.com/", "https://@hook.example.com/",
    "https://hook.example.com@127.0.0.1/", "https://127.0.0.1\\@hook.example.com/",
    "https://hook.example.com:22/", "https://hook.example.com:80/", "https://hook.example.com:0/",
    "https://hook.example.com:6379/", "https://hook.example.com:99999/", "https://hook.example.com:x/",
    "https://hook.example.com/#fragment", "https://hook.example.com/a b", "https://hook.example.com/\r\nX: y",
    "https://hook.example.com/\tx", "https://hook.example.com/\x00", "https://hook.example.com/あ",
    "https://localhost/", "https://localhost./", "https://intranet/", "https://LOCALHOST/",
    "https://127.0.0.1/", "https://127.0.0.1./", "https://127.1/", "https://127.0.1/", "https://2130706433/",
    "https://0x7f000001/", "https://0x7f.0.0.1/", "https://0x7f.1/", "https://0177.0.0.1/", "https://017700000001/",
    "https://127.0.0.0x1/", "https://127.0.0.08/", "https://1.2.3.4.5/", "https://256.1.1.1/", "https://0/",
    "https://0.0.0.0/", "https://10.0.0.1/", "https://172.16.0.1/", "https://192.168.1.1/", "https://169.254.169.254/",
    "https://100.64.0.1/", "https://100.127.255.254/", "https://192.0.0.8/", "https://192.0.2.1/",
    "https://198.18.0.1/", "https://198.51.100.1/", "https://203.0.113.1/", "https://192.88.99.1/",
    "https://224.0.0.1/", "https://240.0.0.1/", "https://255.255.255.255/",
    "https://１２７.０.０.１/", "https://127。0。0。1/", "https://①②⑦.0.0.1/", "https://ｌｏｃａｌｈｏｓｔ/",
    "https://[::1]/", "https://[::]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/",
    "https://[::127.0.0.1]/", "https://[fe80::1]/", "https://[fe80::1%25eth0]/", "https://[fc00::1]/",
    "https://[fd12:3456::1]/", "https://[fec0::1]/", "https://[ff02::1]/", "https://[2002:7f00:1::]/",
    "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/", "https://[64:ff9b::127.0.0.1]/", "https://[64:ff9b:1::1]/",
    "https://[2001:db8::1]/", "https://[3fff::1]/", "https://[100::1]/", "https://[::1", "https://[1::2::3]/",
    "https://%31%32%37.0.0.1/", "https://127%2e0%2e0%2e1/", "https://hook.example.com%2f@127.0.0.1/",
    "https://hook.example.com%00.evil.example.com/", "https://[::ffff:10.0.0.1]:8443/", "https://[v1.fe80::a]/",
    "https://a..example.com/", "https://.example.com/", "https://-a.example.com/", "https://a_.*.example.com/",
    "https://" + "a" * 64 + ".example.com/", "https://hook.example.com/" + "a" * 500,
]  # fmt: skip

GOOD = {
    "https://hook.example.com/": ("hook.example.com", 443, "/"),
    "https://hook.example.com": ("hook.example.com", 443, "/"),
    "https://HOOK.Example.com.:8443/a/b?c=%20d": ("hook.example.com", 8443, "/a/b?c=%20d"),
    "https://日本語.example.com/x": ("xn--wgv71a119e.example.com", 443, "/x"),
    "https://93.184.215.14/": ("93.184.215.14", 443, "/"),
    "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/": ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", 443, "/"),
    "https://hook.example.com?x": ("hook.example.com", 443, "/?x"),
}

# What a resolver may say of a harmless name.
ANSWERS = [
    ["127.0.0.1"], ["93.184.215.14", "10.0.0.1"], ["::1"], ["2606:2800:21f::1", "fe80::1%eth0"],
    ["::ffff:10.0.0.1"], ["64:ff9b::a00:1"], ["2002:a00:1::1"], ["100.100.100.100"], ["0.0.0.0"], [],  # noqa: S104
]  # fmt: skip


@pytest.fixture(autouse=True)
def as_deployed(settings: Any) -> None:
    settings.WEBHOOK_PLAIN_HTTP, settings.WEBHOOK_ALLOW = False, []


@pytest.mark.parametrize("url", HOSTILE)
def test_refused_without_asking_the_network(url: str) -> None:
    with pytest.raises(AddressRefusedError):
        read_target(url)


@pytest.mark.parametrize("url", GOOD)
def test_read(url: str) -> None:
    target = read_target(url)
    assert (target.host, target.port, target.path) == GOOD[url]


@pytest.mark.parametrize("answer", ANSWERS)
def test_every_address_behind_a_name_must_be_public(answer: Sequence[str]) -> None:
    with pytest.raises(AddressRefusedError) as caught:
        resolved(read_target("https://hook.example.com/"), lambda _host, _port: answer)
    assert not any(address in str(caught.value) for address in answer)


def test_what_is_public_is_returned() -> None:
    answer = ["93.184.215.14", "2606:2800:21f::1"]
    assert resolved(read_target("https://hook.example.com/"), lambda _host, _port: answer) == [
        ip_address(one) for one in answer
    ]


def test_names_that_do_not_resolve_are_refused() -> None:
    def fails(_host: str, _port: int) -> Sequence[str]:
        raise OSError("no such name")

    with pytest.raises(AddressRefusedError, match="得られません"):
        resolved(read_target("https://hook.example.com/"), fails)


def test_an_allowed_network_is_allowed_and_no_other(settings: Any) -> None:
    settings.WEBHOOK_ALLOW = [ip_network("127.0.0.1/32")]
    assert is_public(ip_address("127.0.0.1"))
    assert is_public(ip_address("::ffff:127.0.0.1"))
    assert not is_public(ip_address("127.0.0.2"))
    assert not is_public(ip_address("::1"))


def test_plain_http_and_odd_ports_for_trials_only(settings: Any) -> None:
    settings.WEBHOOK_PLAIN_HTTP = True
    target = read_target("http://hook.example.com:8000/x")
    assert (target.scheme, target.port, target.authority) == ("http", 8000, "hook.example.com:8000")
    assert read_target("http://hook.example.com/x").authority == "hook.example.com"

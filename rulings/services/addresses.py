"""To which addresses this site may send by itself: public ones only, whatever a name or its writing pretends.

A name is resolved and every address behind it is checked; who connects uses the very addresses that were checked
(see `outbound`), so a name that changes its mind in between gains nothing.
"""

import re
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from django.conf import settings

LONGEST = 500  # characters of an address
PORTS = (443, 8443)
RESOLVE_WITHIN = 5.0  # seconds
IP = IPv4Address | IPv6Address

# Beside what Python knows as not global: ranges that carry or stand for other addresses, or are for tests and relays.
_REFUSED = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
            "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
            "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16",
            "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
        ),
    )
)  # fmt: skip
_GLOBAL_6 = ip_network("2000::/3")  # all that is given out
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_resolvers = ThreadPoolExecutor(max_workers=4, thread_name_prefix="resolve")


class AddressRefusedError(ValueError):
    """Nothing is sent there; the message (Japanese) says why, and nothing about this site's network."""


@dataclass(frozen=True, slots=True)
class Target:
    """An address that may be sent to, its name not resolved yet. `host` is ASCII, without brackets or last dot."""

    scheme: str
    host: str
    port: int
    path: str  # with the query

    @property
    def authority(self) -> str:
        """What the Host header says."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.scheme == "https" else 80) else f"{host}:{self.port}"


def read_target(url: str) -> Target:
    """Read an address without asking the network; raise AddressRefusedError."""
    if len(url) > LONGEST or not url.isprintable() or re.search(r"[\s\\]", url):
        raise AddressRefusedError(f"アドレスは {LONGEST} 文字までで、空白や制御文字を含めません。")
    try:
        parts = urlsplit(url)
        port = parts.port
        host = _ascii(parts.hostname or "")
    except ValueError as error:
        raise AddressRefusedError("アドレスを読み取れません。") from error
    plain = parts.scheme == "http" and settings.WEBHOOK_PLAIN_HTTP
    if parts.scheme != "https" and not plain:
        raise AddressRefusedError("https:// で始まるアドレスにしてください。")
    if "@" in parts.netloc:
        raise AddressRefusedError("アドレスに利用者名やパスワードは書けません。")
    if "#" in url:
        raise AddressRefusedError("アドレスに # は書けません。")
    port = port if port is not None else 80 if plain else 443
    if port not in PORTS and not settings.WEBHOOK_PLAIN_HTTP:
        raise AddressRefusedError(f"ポートは {'、'.join(map(str, PORTS))} だけが使えます。")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not path.isascii():
        raise AddressRefusedError("アドレスのパスは %XX の形で書いてください。")
    if (literal := _literal(host)) is not None:
        _check(literal)
    return Target(parts.scheme, host, port, path)


def _ascii(host: str) -> str:
    """The name as it is looked up; raise ValueError where it is none.

    IDNA turns full-width digits and dots into plain ones, so it comes before everything that looks at the name.
    """
    if ":" in host:
        return str(IPv6Address(host.partition("%")[0])) if "%" not in host else _refuse_zone()
    name = host.encode("idna").decode("ascii").lower().removesuffix(".")
    if _literal(name) is not None:
        return name
    labels = name.split(".")
    if len(labels) < 2 or len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise ValueError("no name of a public host")
    if _NUMBER.fullmatch(labels[-1]):  # 0x7f.1, 2130706433, 0177.0.0.1: what inet_aton takes for an address
        raise ValueError("an address in an odd writing")
    return name


def _refuse_zone() -> str:
    raise ValueError("a zone is of this machine")


def _literal(host: str) -> IP | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def is_public(address: IP) -> bool:
    """Whether an address is one of the open network (or allowed by `RULINGS_WEBHOOK_ALLOW`)."""
    if any(address in network for network in settings.WEBHOOK_ALLOW if network.version == address.version):
        return True
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address not in _GLOBAL_6:
            return False
    if any(address in network for network in _REFUSED if network.version == address.version):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _check(address: IP) -> IP:
    if not is_public(address):
        raise AddressRefusedError("このアドレスへは送れません（公開されていないネットワークです）。")
    return address


Resolve = Callable[[str, int], Sequence[str]]


def _ask(host: str, port: int) -> Sequence[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(sockaddr[0]) for *_rest, sockaddr in found))


def system_resolver(host: str, port: int) -> Sequence[str]:
    """The addresses of a name, as this machine is told them; raise OSError, also when that takes too long."""
    try:
        return _resolvers.submit(_ask, host, port).result(RESOLVE_WITHIN)
    except TooSlow as error:
        raise OSError("the name is not resolved in time") from error
    except UnicodeError as error:
        raise OSError("no name") from error


def resolved(target: Target, resolve: Resolve | None = None) -> list[IP]:
    """Return the addresses of a target, every one of them public; raise AddressRefusedError."""
    if (literal := _literal(target.host)) is not None:
        return [_check(literal)]
    try:
        found = (resolve or system_resolver)(target.host, target.port)
    except OSError as error:
        raise AddressRefusedError("宛先の名前からアドレスを得られません。") from error
    if not found or any("%" in address for address in found):
        raise AddressRefusedError("宛先の名前からアドレスを得られません。")
    return [_check(ip_address(address)) for address in found]

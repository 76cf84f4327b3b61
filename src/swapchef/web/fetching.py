"""Web pages with recipes, fetched so that nothing inside our own network can be reached this way.

A name is resolved once, every address it has must be public, and the connection goes to an address that was checked, never to the name; each
redirect starts over. `Rules` opens single hosts of a home network, but what is denied stays denied. Time, bytes (before and after unpacking) and
redirects are capped, and only HTML over http or https is taken.
"""

import asyncio
import ipaddress
import re
import socket
import ssl
import zlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache
from urllib.parse import quote, urljoin, urlsplit

import h11

from swapchef import __version__
from swapchef.errors import SwapchefError

MAX_BYTES = 4 << 20
_SECONDS = 10.0
_CONNECT_SECONDS = 4.0
_REDIRECTS = 5
_CHUNK = 1 << 14
_MAX_HEAD = 1 << 15  # bytes of a response's headers
_MOST_HINTS = 4  # responses that only announce another one
_MAX_URL = 2_000
_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?")
_UNWANTED = re.compile(r"[\x00-\x20\x7f\\]")
_HTML = ("text/html", "application/xhtml+xml")

_IP = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def _networks(*written: str) -> tuple[_Network, ...]:
    return tuple(ipaddress.ip_network(each) for each in written)


# Not in every Python's table of special addresses, or public by number and yet a cloud's inside.
_NOT_PUBLIC = _networks(
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
    "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3", "168.63.129.16/32",
    "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)  # fmt: skip
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # an IPv4 address in its last four bytes
# Where clouds keep their keys, and addresses that are nobody's: no rule opens these.
_NEVER = _networks(
    "0.0.0.0/8", "169.254.0.0/16", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.0/24", "224.0.0.0/3", "::/128", "fe80::/10",
    "fd00:ec2::/32", "ff00::/8",
)  # fmt: skip

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


class FetchError(SwapchefError):
    """A page could not be fetched, or must not be."""


@dataclass(frozen=True)
class Rules:
    """Which hosts may be reached besides public ones, and which never; a host is a name or an address, with a port or without."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for host in (*self.allow, *self.deny):
            _rule(host)  # refuses what is no host

    def allows(self, place: "Place") -> bool:
        """Say whether a host was opened by name."""
        return any(place.host == host and port in {None, place.port} for host, port in map(_rule, self.allow))

    def denies(self, place: "Place", addresses: Sequence[_IP] = ()) -> bool:
        """Say whether a host, what it is part of, or an address it has was denied."""
        names = {place.host, *(str(address) for address in addresses)}
        for host, port in map(_rule, self.deny):
            if port in {None, place.port} and (host in names or place.host.endswith(f".{host}")):
                return True
        return False


@dataclass(frozen=True)
class Place:
    """An address on the web, taken apart."""

    scheme: str
    host: str  # lower case, without brackets
    port: int
    target: str  # path and query

    @property
    def url(self) -> str:
        """Put it together again."""
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{_bracketed(self.host)}{port}{self.target}"


@dataclass(frozen=True)
class Page:
    """A page that was fetched, and the address it was found at."""

    url: str
    data: bytes


def place_of(url: str) -> Place:
    """Take an address apart, refusing all that is not plainly a page on the web.

    >>> place_of("HTTPS://Example.com:443/Soup?x=1#top")
    Place(scheme='https', host='example.com', port=443, target='/Soup?x=1')
    """
    if len(url) > _MAX_URL or _UNWANTED.search(url):
        raise FetchError("This is not the address of a web page; copy it from your browser's address bar.")
    try:
        parts = urlsplit(url)
        name, port = parts.hostname, parts.port
    except ValueError:
        raise FetchError("This is not the address of a web page; copy it from your browser's address bar.") from None
    scheme = parts.scheme.lower()
    if scheme not in _PORTS or not name:
        raise FetchError("Only addresses that start with http:// or https:// can be imported.")
    if "@" in parts.netloc:
        raise FetchError("Addresses with a user name or a password in them are not imported; paste the recipe as text.")
    path, query = quote(parts.path or "/", "/%:@!$&'()*+,;=~"), quote(parts.query, "/%:@!$&'()*+,;=~?[]")
    return Place(scheme, _host(name), _PORTS[scheme] if port is None else port, path + (f"?{query}" if query else ""))


async def fetch(url: str, rules: Rules, resolve: Resolve | None = None) -> Page:
    """Fetch a page, following its redirects."""
    try:
        async with asyncio.timeout(_SECONDS):
            place = place_of(url.strip())
            for _ in range(_REDIRECTS + 1):
                moved, data = await _get(place, await _checked(place, rules, resolve or _resolve))
                if moved is None:
                    return Page(place.url, data)
                place = place_of(urljoin(place.url, moved))
    except TimeoutError:
        raise FetchError("That page took too long to answer; try again later, or paste the recipe as text.") from None
    raise FetchError(f"That address leads on more than {_REDIRECTS} times; copy the one your browser ends at.")


def is_public(address: _IP) -> bool:
    """Say whether an address is on the open internet, as far as can be known.

    >>> is_public(ipaddress.ip_address("93.184.215.14")), is_public(ipaddress.ip_address("::ffff:127.0.0.1"))
    (True, False)
    """
    if isinstance(address, ipaddress.IPv6Address):
        if address in _NAT64:
            return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if address not in _GLOBAL_V6 or address.scope_id:
            return False
    return address.is_global and not any(address in network for network in _NOT_PUBLIC)


def _may_be_opened(address: _IP) -> bool:
    """Say whether a rule can open an address: those of homes and of this machine, not those of clouds."""
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return not any(address in network for network in _NEVER)


async def _checked(place: Place, rules: Rules, resolve: Resolve) -> list[_IP]:
    """Resolve a host, once, and return its addresses if every one may be reached."""
    opened = rules.allows(place)
    if rules.denies(place) or not (opened or place.port == _PORTS[place.scheme]):
        raise FetchError(_REFUSED)
    try:
        addresses = [ipaddress.ip_address(each) for each in await resolve(place.host, place.port)]
    except (OSError, UnicodeError, ValueError):
        raise FetchError(f"I cannot find {place.host[:80]}; check the address, or paste the recipe as text.") from None
    fits = _may_be_opened if opened else is_public
    if not addresses or rules.denies(place, addresses) or not all(map(fits, addresses)):
        raise FetchError(_REFUSED)
    return addresses


_REFUSED = "This address is not on the open web, so it is not imported; paste the recipe as text instead."
_UNREACHABLE = "I could not reach that page; check the address, or paste the recipe as text."


async def _resolve(host: str, port: int) -> Sequence[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


async def _get(place: Place, addresses: Sequence[_IP]) -> tuple[str | None, bytes]:
    """Ask one of a host's addresses for a page: where it moved to, or what it holds."""
    reader, writer = await _connect(place, addresses)
    try:
        return await _Exchange(reader, writer).get(place)
    except (OSError, h11.ProtocolError, zlib.error):
        raise FetchError(_UNREACHABLE) from None
    finally:
        writer.transport.abort()


async def _connect(place: Place, addresses: Sequence[_IP]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first address that answers; certificates must be good for the host's name."""
    context, name = (_context(), place.host) if place.scheme == "https" else (None, None)
    for address in addresses:
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                return await asyncio.open_connection(str(address), place.port, ssl=context, server_hostname=name)
        except (OSError, TimeoutError, ValueError):  # ssl.SSLError is an OSError
            continue
    raise FetchError(_UNREACHABLE)


@cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


class _Exchange:
    """One request and its response, counting every byte that comes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_HEAD)
        self._received = 0

    async def get(self, place: Place) -> tuple[str | None, bytes]:
        self._send(h11.Request(method="GET", target=place.target, headers=_request_headers(place)))
        self._send(h11.EndOfMessage())
        for _ in range(_MOST_HINTS):
            head = await self._event()
            if not isinstance(head, h11.InformationalResponse):
                break
        if not isinstance(head, h11.Response):
            raise FetchError(_UNREACHABLE)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in head.headers}
        if head.status_code in {301, 302, 303, 307, 308} and headers.get("location"):
            return headers["location"], b""
        _check_head(head.status_code, headers)
        body = _Unpacker(headers.get("content-encoding", "").strip().lower())
        while isinstance(event := await self._event(), h11.Data):
            body.feed(bytes(event.data))
        return None, body.data()

    def _send(self, event: h11.Request | h11.EndOfMessage) -> None:
        self._writer.write(self._connection.send(event) or b"")

    async def _event(self) -> object:
        while (event := self._connection.next_event()) is h11.NEED_DATA:
            chunk = await self._reader.read(_CHUNK)
            self._received += len(chunk)
            if self._received > MAX_BYTES + _MAX_HEAD:
                raise FetchError(_TOO_LARGE)
            self._connection.receive_data(chunk)
        return event


def _request_headers(place: Place) -> list[tuple[str, str]]:
    port = "" if place.port == _PORTS[place.scheme] else f":{place.port}"
    return [
        ("Host", _bracketed(place.host) + port),
        ("User-Agent", f"swapchef/{__version__}"),
        ("Accept", "text/html"),
        ("Accept-Encoding", "gzip"),
        ("Connection", "close"),
    ]


_TOO_LARGE = f"That page is larger than {MAX_BYTES >> 20} MB; paste the recipe as text instead."


def _check_head(status: int, headers: dict[str, str]) -> None:
    if status != 200:
        raise FetchError(
            f"That site answered {status} instead of a page; check the address, or paste the recipe as text."
        )
    if headers.get("content-type", "").partition(";")[0].strip().lower() not in _HTML:
        raise FetchError("That address is not a web page (HTML); save the recipe as a file, or paste it as text.")
    length = headers.get("content-length", "")
    if length.isascii() and length.isdigit() and int(length) > MAX_BYTES:
        raise FetchError(_TOO_LARGE)


class _Unpacker:
    """Collects a body, unpacking it as it comes and stopping where it grows too large."""

    def __init__(self, encoding: str) -> None:
        if encoding not in {"", "identity", "gzip", "x-gzip"}:
            raise FetchError("That site packs its page in a way I do not know; paste the recipe as text.")
        self._inflate = zlib.decompressobj(31) if "gzip" in encoding else None
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> None:
        if self._inflate:
            chunk = self._inflate.decompress(chunk, MAX_BYTES + 1 - self._size)
        self._size += len(chunk)
        if self._size > MAX_BYTES:
            raise FetchError(_TOO_LARGE)
        self._parts.append(chunk)

    def data(self) -> bytes:
        return b"".join(self._parts)


def _host(name: str) -> str:
    """Write a host's name the one way it is compared: lower case, ASCII, no dot at its end."""
    plain = name.lower().rstrip(".")
    if ":" in plain:
        try:
            return str(ipaddress.IPv6Address(plain))
        except ValueError:
            raise FetchError(_NO_HOST) from None
    try:
        plain = plain if plain.isascii() else plain.encode("idna").decode("ascii").lower().rstrip(".")
    except UnicodeError:
        raise FetchError(_NO_HOST) from None
    if not _HOST.fullmatch(plain):
        raise FetchError(_NO_HOST)
    return plain


_NO_HOST = "This address names no host that could exist; copy it from your browser's address bar."


@cache
def _rule(written: str) -> tuple[str, int | None]:
    """Read "host", "host:port" or an address with or without brackets."""
    try:
        return str(ipaddress.ip_address(written)), None
    except ValueError:
        pass
    try:
        parts = urlsplit(f"//{written}")
        if parts.hostname and parts.netloc == written and "@" not in written:
            return _host(parts.hostname), parts.port
    except (ValueError, SwapchefError):
        pass
    raise SwapchefError(f"{written!r} is no host; name one such as recipes.home or 192.168.1.5:9000.")


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host

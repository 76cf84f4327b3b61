"""Web pages with recipes, fetched so that nothing inside our own network can be reached this way.

A name is resolved once, every address it has must be public, and the connection goes to an address that was checked,
never to the name; each redirect starts over. `Rules` allows single hosts of a home network, but what is denied stays
denied. Time, bytes (before and after decompression) and redirects are limited, and only HTML over http or https is
accepted.
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
_TIMEOUT = 10.0
_CONNECT_TIMEOUT = 4.0
_MAX_REDIRECTS = 5
_CHUNK = 1 << 14
_MAX_HEADERS = 1 << 15  # bytes of a response's headers
_MAX_INFORMATIONAL = 4  # 1xx responses, which only announce another one
_MAX_URL = 2_000
_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?")
_FORBIDDEN_CHARACTERS = re.compile(r"[\x00-\x20\x7f\\]")
_HTML_TYPES = ("text/html", "application/xhtml+xml")

_IP = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def _parse_networks(*networks: str) -> tuple[_Network, ...]:
    return tuple(ipaddress.ip_network(network) for network in networks)


# Not in every Python's table of special addresses, or public by number and yet inside a cloud.
_NOT_PUBLIC = _parse_networks(
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/3", "168.63.129.16/32", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)  # fmt: skip
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # an IPv4 address in its last four bytes
# Metadata services of clouds, which hold keys, and addresses of no host: no rule allows these.
_NEVER_ALLOWED = _parse_networks(
    "0.0.0.0/8", "169.254.0.0/16", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.0/24", "224.0.0.0/3",
    "::/128", "fe80::/10", "fd00:ec2::/32", "ff00::/8",
)  # fmt: skip

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


class FetchError(SwapchefError):
    """A page could not be fetched, or must not be."""


@dataclass(frozen=True)
class Rules:
    """Which hosts may be reached besides public ones, and which never; names or addresses, with or without a port."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for host in (*self.allow, *self.deny):
            _parse_rule(host)  # refuses what is no host

    def allows(self, page_url: "PageUrl") -> bool:
        """Return whether a host is allowed by name."""
        return any(
            page_url.host == host and port in {None, page_url.port} for host, port in map(_parse_rule, self.allow)
        )

    def denies(self, page_url: "PageUrl", addresses: Sequence[_IP] = ()) -> bool:
        """Return whether a host, a domain it belongs to, or one of its addresses is denied."""
        names = {page_url.host, *(str(address) for address in addresses)}
        for host, port in map(_parse_rule, self.deny):
            if port in {None, page_url.port} and (host in names or page_url.host.endswith(f".{host}")):
                return True
        return False


@dataclass(frozen=True)
class PageUrl:
    """The parts of a web page's address."""

    scheme: str
    host: str  # lower case, without brackets
    port: int
    target: str  # path and query

    @property
    def text(self) -> str:
        """The address as one text."""
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{_bracketed(self.host)}{port}{self.target}"


@dataclass(frozen=True)
class Page:
    """A page that was fetched, and its address after all redirects."""

    url: str
    data: bytes


def parse_url(url: str) -> PageUrl:
    """Split an address into its parts, refusing all that is not plainly a page on the web.

    >>> parse_url("HTTPS://Example.com:443/Soup?x=1#top")
    PageUrl(scheme='https', host='example.com', port=443, target='/Soup?x=1')
    """
    if len(url) > _MAX_URL or _FORBIDDEN_CHARACTERS.search(url):
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
    target = path + (f"?{query}" if query else "")
    return PageUrl(scheme, _normalize_host(name), _PORTS[scheme] if port is None else port, target)


async def fetch(url: str, rules: Rules, resolve: Resolve | None = None) -> Page:
    """Fetch a page, following its redirects."""
    try:
        async with asyncio.timeout(_TIMEOUT):
            page_url = parse_url(url.strip())
            for _ in range(_MAX_REDIRECTS + 1):
                addresses = await _allowed_addresses(page_url, rules, resolve or _resolve)
                redirect, body = await _request_page(page_url, addresses)
                if redirect is None:
                    return Page(page_url.text, body)
                page_url = parse_url(urljoin(page_url.text, redirect))
    except TimeoutError:
        raise FetchError("That page took too long to answer; try again later, or paste the recipe as text.") from None
    raise FetchError(f"That address leads on more than {_MAX_REDIRECTS} times; copy the one your browser ends at.")


def is_public(address: _IP) -> bool:
    """Return whether an address is on the open internet, as far as its number tells.

    >>> is_public(ipaddress.ip_address("93.184.215.14")), is_public(ipaddress.ip_address("::ffff:127.0.0.1"))
    (True, False)
    """
    if isinstance(address, ipaddress.IPv6Address):
        if address in _NAT64:
            return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if address not in _GLOBAL_V6 or address.scope_id:
            return False
    return address.is_global and not any(address in network for network in _NOT_PUBLIC)


def _may_be_allowed(address: _IP) -> bool:
    """Return whether a rule can allow an address: those of homes and of this machine, not those inside clouds."""
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return not any(address in network for network in _NEVER_ALLOWED)


async def _allowed_addresses(page_url: PageUrl, rules: Rules, resolve: Resolve) -> list[_IP]:
    """Resolve a host, once, and return its addresses if every one may be reached."""
    is_allowed = rules.allows(page_url)
    if rules.denies(page_url) or not (is_allowed or page_url.port == _PORTS[page_url.scheme]):
        raise FetchError(_REFUSED)
    try:
        addresses = [ipaddress.ip_address(address) for address in await resolve(page_url.host, page_url.port)]
    except (OSError, UnicodeError, ValueError):
        raise FetchError(
            f"I cannot find {page_url.host[:80]}; check the address, or paste the recipe as text."
        ) from None
    may_be_reached = _may_be_allowed if is_allowed else is_public
    if not addresses or rules.denies(page_url, addresses) or not all(map(may_be_reached, addresses)):
        raise FetchError(_REFUSED)
    return addresses


_REFUSED = "This address is not on the open web, so it is not imported; paste the recipe as text instead."
_UNREACHABLE = "I could not reach that page; check the address, or paste the recipe as text."


async def _resolve(host: str, port: int) -> Sequence[str]:
    entries = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(socket_address[0]) for *_, socket_address in entries]


async def _request_page(page_url: PageUrl, addresses: Sequence[_IP]) -> tuple[str | None, bytes]:
    """Request a page from one of its host's addresses; return where it redirects to, or its body."""
    reader, writer = await _connect(page_url, addresses)
    try:
        return await _HttpExchange(reader, writer).get(page_url)
    except (OSError, h11.ProtocolError, zlib.error):
        raise FetchError(_UNREACHABLE) from None
    finally:
        writer.transport.abort()


async def _connect(page_url: PageUrl, addresses: Sequence[_IP]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first address that answers; its certificate must be valid for the host's name."""
    context, name = (_tls_context(), page_url.host) if page_url.scheme == "https" else (None, None)
    for address in addresses:
        try:
            async with asyncio.timeout(_CONNECT_TIMEOUT):
                return await asyncio.open_connection(str(address), page_url.port, ssl=context, server_hostname=name)
        except (OSError, TimeoutError, ValueError):  # ssl.SSLError is an OSError
            continue
    raise FetchError(_UNREACHABLE)


@cache
def _tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()


class _HttpExchange:
    """One request and its response, with a limit on the bytes received."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_HEADERS)
        self._received = 0

    async def get(self, page_url: PageUrl) -> tuple[str | None, bytes]:
        self._send(h11.Request(method="GET", target=page_url.target, headers=_request_headers(page_url)))
        self._send(h11.EndOfMessage())
        for _ in range(_MAX_INFORMATIONAL):
            response = await self._event()
            if not isinstance(response, h11.InformationalResponse):
                break
        if not isinstance(response, h11.Response):
            raise FetchError(_UNREACHABLE)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
        if response.status_code in {301, 302, 303, 307, 308} and headers.get("location"):
            return headers["location"], b""
        _check_headers(response.status_code, headers)
        body = _BodyDecoder(headers.get("content-encoding", "").strip().lower())
        while isinstance(event := await self._event(), h11.Data):
            body.feed(bytes(event.data))
        return None, body.data()

    def _send(self, event: h11.Request | h11.EndOfMessage) -> None:
        self._writer.write(self._connection.send(event) or b"")

    async def _event(self) -> object:
        while (event := self._connection.next_event()) is h11.NEED_DATA:
            chunk = await self._reader.read(_CHUNK)
            self._received += len(chunk)
            if self._received > MAX_BYTES + _MAX_HEADERS:
                raise FetchError(_TOO_LARGE)
            self._connection.receive_data(chunk)
        return event


def _request_headers(page_url: PageUrl) -> list[tuple[str, str]]:
    port = "" if page_url.port == _PORTS[page_url.scheme] else f":{page_url.port}"
    return [
        ("Host", _bracketed(page_url.host) + port),
        ("User-Agent", f"swapchef/{__version__}"),
        ("Accept", "text/html"),
        ("Accept-Encoding", "gzip"),
        ("Connection", "close"),
    ]


_TOO_LARGE = f"That page is larger than {MAX_BYTES >> 20} MB; paste the recipe as text instead."


def _check_headers(status: int, headers: dict[str, str]) -> None:
    if status != 200:
        raise FetchError(
            f"That site answered {status} instead of a page; check the address, or paste the recipe as text."
        )
    if headers.get("content-type", "").partition(";")[0].strip().lower() not in _HTML_TYPES:
        raise FetchError("That address is not a web page (HTML); save the recipe as a file, or paste it as text.")
    length = headers.get("content-length", "")
    if length.isascii() and length.isdigit() and int(length) > MAX_BYTES:
        raise FetchError(_TOO_LARGE)


class _BodyDecoder:
    """Collects a body, decompressing it as it comes, with a limit on its size."""

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


def _normalize_host(name: str) -> str:
    """Write a host's name the way names are compared: lower case, ASCII, no dot at its end."""
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
def _parse_rule(rule: str) -> tuple[str, int | None]:
    """Read "host", "host:port" or an address with or without brackets."""
    try:
        return str(ipaddress.ip_address(rule)), None
    except ValueError:
        pass
    try:
        parts = urlsplit(f"//{rule}")
        if parts.hostname and parts.netloc == rule and "@" not in rule:
            return _normalize_host(parts.hostname), parts.port
    except (ValueError, SwapchefError):
        pass
    raise SwapchefError(f"{rule!r} is no host; name one such as recipes.home or 192.168.1.5:9000.")


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host

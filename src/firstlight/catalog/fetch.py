"""Our network: the only module that speaks HTTP. Through urllib3, which is imported when something is asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Literal, TypeVar

import msgspec

from .. import __version__
from ..project.model import Sources
from ..words import Words, same
from .address import Address, linked, parse, shown
from .credentials import Credentials, basic
from .proxies import proxy_for, trusts
from .trouble import Failed, damaged, quoted
from .unpacking import unpacked

if TYPE_CHECKING:
    import ssl

    from urllib3 import BaseHTTPResponse, PoolManager

PLANNING = 10.0
"""Seconds to connect, and for which nothing may come."""
LOADING = 30.0
"""Seconds for which nothing may come of a whole file."""
TOTAL = 120.0
"""Seconds for the whole of a page or a piece of a file."""
PAUSE = 30.0
"""Seconds for which a host that could not be connected to is not tried again: a plan asks each host for many pages."""
HOPS = 10
CHUNK = 1 << 16
THREADS = 16
REDIRECTS = (301, 302, 303, 307, 308)
BUNDLES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
SLOW = Words("it takes longer than {seconds:.0f} s", "耗时超过 {seconds:.0f} 秒")

LONG = Words("it sends more than {limit} bytes", "发送的内容超过 {limit} 字节")


class Dropped(Failed):
    """The connection broke off: worth one more try."""


class Unconnected(Failed):
    """No connection came about: for a while nobody need try again."""


class TooLong(Failed):
    """More was sent than is taken."""


T = TypeVar("T")
Security = Literal["none", "encrypted", "verified"]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer, read whole."""

    status: int
    url: str
    """After redirects."""
    headers: dict[str, str]
    """By name in lower case."""
    body: bytes = b""
    authorized: bool = False
    """Whether credentials were sent."""


class Reply:
    """An answer whose body has not been read."""

    def __init__(self, response: BaseHTTPResponse, url: str, *, authorized: bool) -> None:
        self._response = response
        self.status = response.status
        self.url = url
        self.headers = {name.lower(): value for name, value in response.headers.items()}
        self.authorized = authorized
        self.ended = False

    def chunks(self, seconds: float) -> Iterator[bytes]:
        """The body as it comes, packed or not, for `seconds` at most. Raises Failed."""
        until = time.monotonic() + seconds
        while True:
            with as_failed():
                piece = self._response.read1(CHUNK, decode_content=False)
            if not piece:
                self.ended = True
                return
            yield piece
            if time.monotonic() > until:
                raise Failed("unreachable", SLOW.fill(seconds=seconds))

    def whole(self, limit: int, seconds: float, *, unpack: bool = False) -> bytes:
        """The body. Raises Failed where it is longer than `limit`."""
        pieces, size = [], 0
        for piece in unpacked(self.chunks(seconds), self.headers.get("content-encoding", "") if unpack else ""):
            size += len(piece)
            if size > limit:
                raise TooLong("damaged-index", LONG.fill(limit=limit))
            pieces.append(piece)
        return b"".join(pieces)

    def start(self) -> bytes:
        """The beginning of the body of a refusal, which may say why."""
        return self.whole(CHUNK, PLANNING) if _small(self.headers) else b""

    def close(self) -> None:
        """A body that was read to its end leaves the connection for the next request."""
        if not self.ended:
            self._response.close()
        self._response.release_conn()


class Network:
    """Requests under the user's settings. Safe to use from several threads."""

    def __init__(self, sources: Sources, environ: Mapping[str, str]) -> None:
        self._sources = sources
        self._environ = environ
        self._lock = Lock()
        self._managers: dict[tuple[str | None, Security], PoolManager] = {}
        self._unconnected: dict[str, tuple[float, Words]] = {}
        self.credentials = Credentials(environ)

    def get(
        self, url: str, *, limit: int, headers: Mapping[str, str] | None = None, unpack: bool = False,
        seconds: float = TOTAL,
    ) -> Answer:  # fmt: skip
        """One answer with its body, of whatever status. Asks again, once, where the connection drops. Raises Failed."""
        return once_more(lambda: self._get(url, limit, headers or {}, seconds, unpack=unpack))

    def _get(self, url: str, limit: int, headers: Mapping[str, str], seconds: float, *, unpack: bool) -> Answer:
        with self.opened("GET", url, headers) as reply:
            body = reply.start() if reply.status >= 400 else reply.whole(limit, seconds, unpack=unpack)
            return Answer(
                status=reply.status, url=reply.url, headers=reply.headers, body=body, authorized=reply.authorized
            )

    def head(self, url: str) -> Answer:
        """Status and headers alone. Raises Failed."""
        return once_more(lambda: self._head(url))

    def _head(self, url: str) -> Answer:
        with self.opened("HEAD", url, {}) as reply:
            reply.ended = True
            return Answer(status=reply.status, url=reply.url, headers=reply.headers, authorized=reply.authorized)

    @contextmanager
    def opened(
        self, method: str, url: str, headers: Mapping[str, str], *, silence: float = PLANNING
    ) -> Iterator[Reply]:
        """A reply after redirects; `silence`: seconds for which nothing may come. Raises Failed."""
        if self._sources.offline:
            raise Failed("offline")
        reply = self._follow(method, url, headers, silence)
        try:
            yield reply
        finally:
            reply.close()

    def _follow(self, method: str, url: str, headers: Mapping[str, str], silence: float) -> Reply:
        first = address = parse(url)
        if first.user is not None:
            secret: str | None = basic(first.user, first.password)
        else:
            secret = self.credentials.header(first)
        for _ in range(HOPS):
            sent = {**headers, "User-Agent": f"firstlight/{__version__}"}
            sent.setdefault("Accept-Encoding", "identity")
            if secret is not None and _same_host(first, address):
                sent["Authorization"] = secret
            reply = self._ask(method, address, sent, silence)
            if reply.status not in REDIRECTS or "location" not in reply.headers:
                return reply
            address = _redirected(address, reply)
        raise Failed("server-error", Words("it redirects without end", "重定向没有尽头"))

    def _ask(self, method: str, address: Address, headers: dict[str, str], silence: float) -> Reply:
        until, reason = self._unconnected.get(address.origin, (0.0, None))
        if time.monotonic() < until:
            raise Unconnected("unreachable", reason)
        try:
            with as_failed():
                response = self._manager(address).urlopen(
                    method, address.url, headers=headers, redirect=False, retries=False, preload_content=False,
                    timeout=silence,
                )  # fmt: skip
        except Unconnected as failed:
            self._unconnected[address.origin] = (time.monotonic() + PAUSE, failed.detail)
            raise
        return Reply(response, address.url, authorized="Authorization" in headers)

    def _manager(self, address: Address) -> PoolManager:
        """Kept connections: one pool of them for each proxy, and for hosts that the user trusts unverified."""
        proxy = proxy_for(address, self._sources.proxy, self._environ)
        security: Security = "none"
        if address.secure:
            security = "encrypted" if trusts(address, self._sources.trusted_hosts) else "verified"
        with self._lock:
            if (proxy, security) not in self._managers:
                self._managers[proxy, security] = self._made(proxy, security)
            return self._managers[proxy, security]

    def _made(self, proxy: str | None, security: Security) -> PoolManager:
        from urllib3 import PoolManager, ProxyManager, disable_warnings, exceptions, make_headers

        if security == "encrypted":
            disable_warnings(exceptions.InsecureRequestWarning)  # the user asked for it
        context = None if security == "none" else self._context(verified=security == "verified")
        if proxy is None:
            return PoolManager(num_pools=32, maxsize=THREADS, ssl_context=context)
        at = _proxy(proxy)
        secret = make_headers(proxy_basic_auth=f"{at.user}:{at.password}") if at.user is not None else None
        return ProxyManager(
            at.url, num_pools=32, maxsize=THREADS, ssl_context=context, proxy_headers=secret,
            proxy_ssl_context=self._context(verified=True) if at.secure else None,
        )  # fmt: skip

    def _context(self, *, verified: bool) -> ssl.SSLContext:
        """Authorities: of the settings, of SSL_CERT_FILE or REQUESTS_CA_BUNDLE, else of the system."""
        import os
        import ssl

        named = (self._sources.cert, *(self._environ.get(name) for name in BUNDLES))
        bundle = next((one for one in named if one), None)
        try:
            if bundle is None:
                context = ssl.create_default_context()
            elif os.path.isdir(bundle):
                context = ssl.create_default_context(capath=bundle)
            else:
                context = ssl.create_default_context(cafile=bundle)
            if self._sources.client_cert:
                context.load_cert_chain(self._sources.client_cert)
        except (OSError, ValueError) as error:
            raise Failed("bad-certificate", _unreadable(bundle or self._sources.client_cert, error)) from error
        if not verified:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context


def _proxy(url: str) -> Address:
    try:
        return parse(url)
    except Failed as error:  # not http or https, such as SOCKS, which needs a package that is not ours
        what = quoted(shown(url))
        raise Failed("unreachable", Words(f"the proxy {what} is not used", f"不支持代理 {what}")) from error


def _unreadable(path: str | None, error: Exception) -> Words:
    reason = getattr(error, "strerror", None) or "unreadable"
    return same(f"{quoted(path or '')}: {reason}")


def _small(headers: Mapping[str, str]) -> bool:
    said = headers.get("content-length", "")
    return said.isdigit() and len(said) < 6 and int(said) <= CHUNK


def _same_host(first: Address, now: Address) -> bool:
    """Whether what was given for `first` may go to `now`: the same place, or the same host's own TLS."""
    upgraded = first.origin == f"http://{now.host}:80" and now.origin == f"https://{now.host}:443"
    return now.origin == first.origin or upgraded


def _redirected(address: Address, reply: Reply) -> Address:
    """Where a redirect leads. Raises Failed where it leaves TLS or the network."""
    reply.start()  # so that the connection can be used again
    reply.close()
    target = parse(linked(address.url, reply.headers["location"])[0] or "-")
    if address.secure and not target.secure:
        text = quoted(shown(target.url))
        raise damaged(f"it redirects from TLS to {text}", f"它从 TLS 重定向到 {text}")
    return target


def once_more(action: Callable[[], T]) -> T:
    """`action`, again where the connection broke off: a kept one may have been closed meanwhile."""
    try:
        return action()
    except Dropped:
        return action()


@contextmanager
def as_failed() -> Iterator[None]:
    """What urllib3 raises, in our words."""
    from http.client import HTTPException

    from urllib3 import exceptions

    try:
        yield
    except (exceptions.HTTPError, HTTPException, OSError, ValueError) as error:
        raise _failure(error) from error


def _failure(error: Exception) -> Failed:
    import ssl

    from urllib3 import exceptions as known

    cause = _cause(error, ssl.SSLCertVerificationError)
    if isinstance(cause, ssl.SSLCertVerificationError):
        return Failed("bad-certificate", same(cause.verify_message or "unverified"))
    if isinstance(error, known.ProtocolError):
        return Dropped("unreachable", Words("the connection broke off", "连接中断"))
    never = isinstance(error, (known.ProxyError, known.NewConnectionError, known.ConnectTimeoutError))
    return (Unconnected if never else Failed)("unreachable", _unreachable(error))


def _unreachable(error: Exception) -> Words:
    from urllib3 import exceptions as known

    if isinstance(error, known.ProxyError):
        return Words(f"the proxy: {_reason(error)}", f"代理：{_reason(error)}")
    if isinstance(error, known.NameResolutionError):
        return Words("its name does not resolve", "域名无法解析")
    if isinstance(error, known.TimeoutError) and not isinstance(error, known.NewConnectionError):
        return Words("no answer in time", "超时无响应")
    return same(f"TLS: {_reason(error)}" if isinstance(error, known.SSLError) else _reason(error))


def _cause(error: BaseException, kind: type[BaseException]) -> BaseException:
    """The first of `kind` among the errors that led to this one; else the first that the system gave."""
    found, inner = error, [error]
    for _ in range(8):
        arguments = [one for one in inner[-1].args if isinstance(one, BaseException)]
        further = inner[-1].__cause__ or inner[-1].__context__ or next(iter(arguments), None)
        if further is None:
            break
        inner.append(further)
    return next((one for one in inner if isinstance(one, kind)), found)


def _reason(error: Exception) -> str:
    """The system's own words for it, as `connection refused`; else what kind of error it is."""
    said = getattr(_cause(error, OSError), "strerror", None)
    return str(said)[:100] if said else type(error).__name__

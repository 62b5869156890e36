"""User names and passwords: each bound to the host it was given for."""

from __future__ import annotations

import os
from collections.abc import Mapping

from .address import Address, parse
from .trouble import Failed

NETRC_LIMIT = 1 << 20
"""Bytes of a netrc file."""


class Credentials:
    """What the user's settings say. Never written anywhere."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._known: list[tuple[Address, str]] = []
        self._netrc: dict[str, tuple[str, str]] | None = None

    def learn(self, url: str) -> None:
        """Take up what the address of an index holds."""
        try:
            address = parse(url)
        except Failed:
            return
        if address.user is not None and all(address != known for known, _ in self._known):
            self._known.append((address, address.url.partition("?")[0]))

    def header(self, address: Address) -> str | None:
        """The `Authorization` for a request to `address`; None where nobody gave any. Of several indices on one host
        the one counts whose address is the longest beginning of this."""
        found = [
            (_alike(prefix, address.url), known) for known, prefix in self._known if known.origin == address.origin
        ]
        if found:
            known = max(found, key=lambda pair: pair[0])[1]
            return basic(known.user or "", known.password)
        login = self._from_netrc().get(address.host)
        return basic(*login) if login else None

    def _from_netrc(self) -> dict[str, tuple[str, str]]:
        if self._netrc is None:
            self._netrc = read_netrc(self._environ)
        return self._netrc


def _alike(one: str, other: str) -> int:
    """Signs that two addresses share from the start on."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))


def basic(user: str, password: str) -> str:
    """RFC 7617, as UTF-8."""
    from base64 import b64encode

    return "Basic " + b64encode(f"{user}:{password}".encode()).decode("ascii")


def read_netrc(environ: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Host -> (login, password). Its `default` entry is left out: an index chooses the hosts of its files, and could
    so ask for it. A file that cannot be read says nothing: the index's refusal then names it."""
    import netrc

    path = environ.get("NETRC") or os.path.join(environ.get("HOME") or os.path.expanduser("~"), ".netrc")
    try:
        if os.path.getsize(path) > NETRC_LIMIT:
            return {}
        hosts = netrc.netrc(path).hosts
    except (OSError, ValueError, netrc.NetrcParseError):
        return {}
    return {host.lower(): (said[0], said[2] or "") for host, said in hosts.items() if host != "default"}

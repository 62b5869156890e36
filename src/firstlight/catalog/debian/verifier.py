"""What the machine's own apt verifies signatures with, and what that refuses."""

from __future__ import annotations

import re
import sys
from datetime import date, datetime, timezone
from importlib import import_module
from typing import Any, Literal

import msgspec

from ...facts.packages import packages
from ...facts.value import Unknown
from ...host.model import Host, Unread
from .apt_conf import truth

FIRST_SQV = (2, 9, 19)
"""apt that can call sqv; it does where /usr/bin/sqv is and APT::Key::GPGVCommand is not set (apt 3.0.4, libapt-pkg)."""
ASSERTS_KEYS = (2, 9, 0)
"""apt that refuses RSA below 2048 bits and DSA also with gpgv (APT::Key::Assert-Pubkey-Algo; 2.7.13 to 2.8 warn)."""
POLICIES = (
    "/etc/crypto-policies/back-ends/apt-sequoia.config",
    "/var/lib/crypto-config/profiles/current/apt-sequoia.config",
    "/etc/crypto-policies/back-ends/sequoia.config",
    "/var/lib/crypto-config/profiles/current/sequoia.config",
    "/usr/share/apt/default-sequoia.config",
)
"""The first that is there counts (methods/sqv.cc, SetPolicy)."""
SHA1_KEYS_UNTIL = datetime(2026, 2, 1, tzinfo=timezone.utc).timestamp()
"""apt 3.0.4's own default-sequoia.config, `sha1.second_preimage_resistance`."""
BROKEN = ("MD5", "SHA1", "RipeMD")
"""Digests that gpgv's method does not take for signatures of a Release (methods/gpgv.cc, Digests)."""
_FOREVER = float("inf")


class Verifier(msgspec.Struct, frozen=True, kw_only=True):
    """How the machine's apt verifies."""

    kind: Literal["gpgv", "sqv"]
    apt: tuple[int, ...] = ()
    """Its version; empty: not known."""
    weak_digests: frozenset[str] = frozenset(BROKEN)
    """Digests of a signature on a Release that it refuses."""
    sha1_keys_until: float = _FOREVER
    """Until when it takes keys that are bound by SHA-1 signatures; seconds since 1970."""
    weak_keys_from: float = _FOREVER
    """From when on it refuses RSA keys below 2048 bits and DSA keys."""
    source: str = ""
    """What told."""


def verifier_of(host: Host, settings: dict[str, list[str]]) -> Verifier:
    """`settings`: of apt.conf, names in lower case. Where the machine does not tell, gpgv, which refuses less."""
    found = packages(host)
    version = found.version("apt")
    apt = () if isinstance(version, Unknown) else _numbers(version)
    digests = frozenset(name for name in BROKEN if not _is_weak_only(name, settings))
    if apt < FIRST_SQV or settings.get("apt::key::gpgvcommand") or not _has_sqv(host, found.version("sqv")):
        weak = 0.0 if apt >= ASSERTS_KEYS else _FOREVER
        return Verifier(kind="gpgv", apt=apt, weak_digests=digests, weak_keys_from=weak, source=f"apt {version}")
    return _sequoia(host, apt)


def _has_sqv(host: Host, installed: object) -> bool:
    return not isinstance(installed, Unknown) or not isinstance(host.info("/usr/bin/sqv"), Unread)


def _is_weak_only(digest: str, settings: dict[str, list[str]]) -> bool:
    """apt's own names: `APT::Hashes::SHA1::Weak`."""
    name = {"RipeMD": "ripe-md/160"}.get(digest, digest.lower())
    said = settings.get(f"apt::hashes::{name}::weak", [""])[-1]
    return truth(said) is True and truth(settings.get(f"apt::hashes::{name}::untrusted", [""])[-1]) is not True


def _numbers(version: str) -> tuple[int, ...]:
    """`2.9.19ubuntu1` -> (2, 9, 19)."""
    found = re.match(r"(?:\d+:)?(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?", version, re.ASCII)
    return tuple(int(part) for part in found.groups() if part) if found else ()


def _sequoia(host: Host, apt: tuple[int, ...]) -> Verifier:
    for path in POLICIES:
        data = host.read(path)
        if not isinstance(data, Unread):
            return _policy(data.decode("utf-8", "replace"), apt, path)
    return Verifier(kind="sqv", apt=apt, sha1_keys_until=SHA1_KEYS_UNTIL, weak_keys_from=0.0, source="apt's default")


def _policy(text: str, apt: tuple[int, ...], path: str) -> Verifier:
    """Sequoia's configuration (docs.rs/sequoia-policy-config): a date, `always` or `never` for each algorithm, or apart
    for collisions and second preimages. What it leaves out keeps Sequoia's default."""
    tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError):
        table = {}
    hashes, keys = _table(table, "hash_algorithms"), _table(table, "asymmetric_algorithms")
    sha1 = hashes.get("sha1")
    apart = sha1 if isinstance(sha1, dict) else {"collision_resistance": sha1, "second_preimage_resistance": sha1}
    collisions = _until(apart.get("collision_resistance"), 0.0)
    return Verifier(
        kind="sqv",
        apt=apt,
        weak_digests=frozenset(name for name in BROKEN if name != "SHA1" or collisions < _FOREVER),
        sha1_keys_until=_until(apart.get("second_preimage_resistance"), 0.0),
        weak_keys_from=min(_until(keys.get("rsa1024"), 0.0), _until(keys.get("dsa2048"), 0.0)),
        source=path,
    )


def _table(table: dict[str, Any], name: str) -> dict[str, Any]:
    found = table.get(name)
    return found if isinstance(found, dict) else {}


def _until(value: object, default: float) -> float:
    if value == "always":
        return _FOREVER
    if isinstance(value, date):
        when = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
        return when.replace(tzinfo=timezone.utc).timestamp() if when.year > 1970 else 0.0
    return default

"""Debian versions and relations as a person reads them: no longer than is needed to tell them apart."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

LISTED = 3
"""Versions that are named one by one; of more only the first and the last."""
SIGNS = {"<<": "<", ">>": ">"}


class Needed(msgspec.Struct, frozen=True):
    """One alternative of a relation: `libc++-dev (= 1:15.0-56)`."""

    name: str
    sign: str = ""
    """`=`, `>=`, `<=`, `>>`, `<<`; empty: any version."""
    version: str = ""


def needed(relation: str) -> tuple[Needed, ...]:
    """The alternatives of a relation as a control file writes it. What is no relation comes back as a name."""
    return tuple(_one(part) for part in relation.split("|"))


def _one(text: str) -> Needed:
    name, bracket, rest = text.strip().partition("(")
    name = name.strip().partition("[")[0].strip()
    if not bracket:
        return Needed(name)
    rest = rest.strip()
    unsigned = rest.lstrip("<>=")
    version = unsigned.partition(")")[0].strip()
    return Needed(name, rest[: len(rest) - len(unsigned)] if version else "", version)


def short(version: str) -> str:
    """Without epoch, Debian revision, and what marks a repacked or rebuilt source: `1:14.0-55.7~deb12u1` -> `14`,
    `5.7.1-6+deb13u1` -> `5.7.1`."""
    upstream = version.partition(":")[2] or version
    head, dash, _ = upstream.rpartition("-")
    upstream = head if dash else upstream
    for mark in ("+dfsg", "+ds", "+git", "~"):
        upstream = upstream.partition(mark)[0] or upstream
    major, _, minor = upstream.partition(".")
    return major if minor == "0" and major.isdigit() else upstream


def distinct(versions: Sequence[str]) -> dict[str, str]:
    """Each version -> how it is shown beside the others: short where that tells all of them apart."""
    full = list(dict.fromkeys(versions))
    shorts = [short(one) for one in full]
    return dict(zip(full, shorts if len(set(shorts)) == len(full) else full, strict=True))


def collapsed(versions: Sequence[str], *, beside: Sequence[str] = ()) -> str:
    """Versions in rising order, as few as tell: `14`, `14, 15`, `14 … 19 (5)`; no shorter than tells them from those
    `beside`."""
    names = distinct([*versions, *beside])
    told = list(dict.fromkeys(names[one] for one in versions))
    if len(told) <= LISTED:
        return ", ".join(told)
    return f"{told[0]} … {told[-1]} ({len(told)})"


def wanted(relation: str, offered: Sequence[str] = ()) -> str:
    """A relation beside what is offered: `libc++-dev = 15.0`."""
    return " | ".join(_shown(one, offered) for one in needed(relation))


def _shown(one: Needed, offered: Sequence[str]) -> str:
    if not one.version:
        return one.name
    told = distinct([one.version, *offered])[one.version]
    return f"{one.name} {SIGNS.get(one.sign, one.sign)} {told}"


def rocm_release(version: str) -> str | None:
    """The ROCm release that a version of AMD's first generation names: `17.0.0.24193.60103-122~22.04` -> `6.1.3`.
    None: it names none."""
    upstream = version.partition(":")[2] or version
    number = upstream.rpartition("-")[0].rpartition(".")[2]
    if len(number) not in (5, 6) or not number.isdigit():
        return None
    major, minor, patch = int(number[:-4]), int(number[-4:-2]), int(number[-2:])
    return f"{major}.{minor}.{patch}" if 4 <= major <= 7 else None


def package(name: str, version: str) -> str:
    """A package with as much of its version as tells: its ROCm release where its version names one."""
    release = rocm_release(version)
    if release:
        own = short(version).rpartition(".")[0]
        return f"{name} {own}" if own == release else f"{name} {own} (ROCm {release})"
    return f"{name} {short(version)}" if version else name

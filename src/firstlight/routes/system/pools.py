"""The pool of a catalogue: each index parsed once and kept in the solver's own format under the hash of its bytes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence

import msgspec

from ...catalog.debian.compression import UnpackError, unpacked
from ...catalog.debian.control import DamagedError, stanzas
from ...catalog.debian.model import DebianCatalogue, Index, Lacking
from ...catalog.debian.status import GONE
from ...host.model import Host, Unread
from ..solver import Pool

FORMAT = "3"
"""Of what is kept; another one is made anew."""
LARGEST = 256 << 20
"""Bytes of an index as it lies on disk."""


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """A pool and where its packages come from."""

    pool: Pool
    indices: tuple[Index, ...]
    """In the order of the pool's repositories; the machine's own packages follow them."""
    installed: int
    """Number of that last repository."""
    key: str
    """Changes whenever one of the indices does."""
    lacking: tuple[Lacking, ...]


def load(catalogue: DebianCatalogue, host: Host, cache: str) -> Loaded:
    """`cache`: a folder of ours. A damaged file in it is made anew; one that cannot be written costs time only."""
    pool = Pool(catalogue.config.architectures)
    names = "-".join(catalogue.config.architectures)
    used: list[Index] = []
    lacking: list[Lacking] = []
    keys: list[str] = [FORMAT, names]
    for index in catalogue.indices:
        digest = _digest(host, index, cache)
        if isinstance(digest, Lacking):
            lacking.append(digest)
            continue
        failed = _one(pool, host, index, os.path.join(cache, f"{FORMAT}-{names}-{digest}.solv"))
        if failed:
            lacking.append(failed)
            continue
        used.append(index)
        keys.append(digest)
    number = pool.add(_there(catalogue), installed=True)
    return Loaded(pool=pool, indices=tuple(used), installed=number, key="\n".join(keys), lacking=tuple(lacking))


def _there(catalogue: DebianCatalogue) -> Iterator[dict[str, str]]:
    """What is installed, however well."""
    for one in catalogue.installed:
        if one.state not in GONE and one.state != "half-installed":
            yield one.fields


def _one(pool: Pool, host: Host, index: Index, kept: str) -> Lacking | None:
    if os.path.exists(kept) and pool.load(kept) is not None:
        return None
    data = _content(host, index)
    if isinstance(data, Lacking):
        return data
    try:
        number = pool.add(stanzas(unpacked(data, index.path)))
    except (UnpackError, DamagedError) as error:
        return Lacking(what=index.path, why=f"malformed: {error}")
    _keep(pool, number, kept)
    return None


def _keep(pool: Pool, number: int, path: str) -> None:
    """Whole or not at all."""
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        aside = f"{path}.{os.getpid()}"
        pool.save(number, aside)
        os.replace(aside, path)
    except OSError:  # no room, or a folder of someone else: the answer does not need it
        return


def _content(host: Host, index: Index) -> bytes | Lacking:
    if index.ours:
        try:
            with open(index.path, "rb") as file:
                return file.read(LARGEST)
        except OSError:
            return Lacking(what=index.path, why="unreadable")
    data = host.read(index.path, LARGEST)
    return Lacking(what=index.path, why=data.reason.value) if isinstance(data, Unread) else data


class _Seen(msgspec.Struct):
    size: int
    mtime: float
    digest: str


def _digest(host: Host, index: Index, cache: str) -> str | Lacking:
    """SHA-256 of the file as it lies; not reckoned anew while its size and time stay the same."""
    info = None if index.ours else host.info(index.path)
    note = os.path.join(cache, "seen", hashlib.sha256(f"{host.label}\n{index.path}".encode()).hexdigest())
    if info is not None and not isinstance(info, Unread) and info.mtime is not None:
        seen = _noted(note)
        if seen and (seen.size, seen.mtime) == (info.size, info.mtime):
            return seen.digest
    data = _content(host, index)
    if isinstance(data, Lacking):
        return data
    digest = hashlib.sha256(data).hexdigest()
    if info is not None and not isinstance(info, Unread) and info.mtime is not None:
        _note(note, _Seen(info.size, info.mtime, digest))
    return digest


def _noted(path: str) -> _Seen | None:
    try:
        with open(path, "rb") as file:
            return msgspec.json.decode(file.read(1000), type=_Seen)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None


def _note(path: str, seen: _Seen) -> None:
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        aside = f"{path}.{os.getpid()}"
        with open(aside, "wb") as file:
            file.write(msgspec.json.encode(seen))
        os.replace(aside, path)
    except OSError:
        return


def numbers(path: str) -> list[int] | None:
    """A list that was kept; None where there is none, or a damaged one."""
    try:
        with open(path, "rb") as file:
            return msgspec.json.decode(file.read(64 << 20), type=list[int])
    except (OSError, msgspec.MsgspecError, ValueError):
        return None


def keep_numbers(path: str, found: Sequence[int]) -> None:
    """See `numbers`."""
    try:
        aside = f"{path}.{os.getpid()}"
        with open(aside, "wb") as file:
            file.write(msgspec.json.encode(list(found)))
        os.replace(aside, path)
    except OSError:
        return

"""What single files say: their metadata and their size, through the cache."""

from __future__ import annotations

import io
import os
import time
from typing import IO, NamedTuple

import msgspec

from ..words import same
from .address import on_disk
from .archives import metadata_in_sdist, metadata_in_wheel
from .build_system import build_requires
from .core_metadata import LIMIT, read_metadata
from .disk import failure, opened
from .fetch import Network, TooLong
from .filenames import project_of, version_of
from .freshness import FOREVER, LONGEST, STALE, Validity, validity
from .hashes import check_hash
from .model import IndexFile, Metadata
from .parts import NoParts, part, total_size
from .statuses import check
from .store import Store
from .trouble import Failed, damaged, quoted
from .windows import Window

SDIST = 8 << 20
"""Bytes of the largest sdist that is read while planning."""
WHOLE = 1 << 20
"""Bytes of the largest wheel that is fetched whole where its server cannot send parts."""


class KeptMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """Metadata in the cache."""

    validity: Validity
    metadata: Metadata


class Told(NamedTuple):
    """What a distribution says of itself."""

    metadata: bytes
    build_requires: tuple[str, ...] = ()


class KeptSize(msgspec.Struct, frozen=True, kw_only=True):
    """A size in the cache."""

    validity: Validity
    size: int


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A file as its server shows it."""

    validity: Validity
    size: int | None

    def same_as(self, old: Validity) -> bool:
        """Whether it is the file that was read, for all that its server tells."""
        told = self.validity.etag or self.validity.modified
        return told is not None and self.validity.conditions() == old.conditions()


def metadata(network: Network, store: Store, file: IndexFile) -> Metadata:
    """Of a wheel or an sdist. Raises Failed."""
    project = project_of(file.filename)
    number = version_of(file.filename, project or "")
    if project is None or number is None:
        name = quoted(file.filename)
        raise damaged(f"{name} is neither a wheel nor an sdist", f"{name} 既不是 wheel 也不是 sdist")
    source = not file.filename.endswith(".whl")
    path = on_disk(file.url)
    if path is not None:
        return _read_told(_local(path, file, project, number), project, number, source=source)
    key = f"{file.url} {file.sha256} {file.metadata_sha256}"
    kept = store.read(key, KeptMetadata)
    if kept is not None and kept.validity.holds(time.time()):
        return kept.metadata
    try:
        seen = _seen(network, file)
        if kept is not None and seen.same_as(kept.validity):
            found = kept.metadata
        else:
            found = _read_told(_remote(network, file, seen.size, project, number), project, number, source=source)
    except Failed as failed:
        if kept is None or failed.kind not in STALE:
            raise
        return kept.metadata
    store.write(key, KeptMetadata(validity=seen.validity, metadata=found))
    return found


def _read_told(told: Told, project: str, number: str, *, source: bool) -> Metadata:
    found = read_metadata(told.metadata, project, number, source=source)
    return msgspec.structs.replace(found, build_requires=told.build_requires)


def _seen(network: Network, file: IndexFile) -> Seen:
    """What identifies the file: for good where a hash names it, else its server's validators."""
    now = time.time()
    if file.sha256 or file.metadata_sha256:
        return Seen(validity=Validity(as_of=now, until=FOREVER), size=file.size)
    answer = network.head(file.url)
    said = answer.headers.get("content-length", "") if answer.status == 200 else ""
    size = int(said[:18]) if said.isdigit() else None
    return Seen(validity=validity(answer.headers, now), size=size if size is not None else file.size)


def size_of(network: Network, store: Store, file: IndexFile) -> int:
    """Bytes of a file that its index does not state. Raises Failed."""
    path = on_disk(file.url)
    if path is not None:
        try:
            return os.path.getsize(path)
        except (OSError, ValueError) as error:
            raise failure(error) from error
    key = f"{file.url} {file.sha256}"
    kept = store.read(key, KeptSize)
    if kept is not None and kept.validity.holds(time.time()):
        return kept.size
    try:
        size = _asked_size(network, file.url)
    except Failed as failed:
        if kept is None or failed.kind not in STALE:
            raise
        return kept.size
    now = time.time()
    until = FOREVER if file.sha256 else now + LONGEST
    store.write(key, KeptSize(validity=Validity(as_of=now, until=until), size=size))
    return size


def _asked_size(network: Network, url: str) -> int:
    answer = network.head(url)
    said = answer.headers.get("content-length", "")
    if answer.status < 300 and said.isdigit():
        return int(said[:18])
    return total_size(network, url)  # signed addresses refuse HEAD


def _remote(network: Network, file: IndexFile, size: int | None, project: str, number: str) -> Told:
    if file.metadata and file.filename.endswith(".whl"):  # of an sdist, what it is built with counts too
        answer = network.get(_beside(file.url), limit=LIMIT)
        if answer.status not in (403, 404, 410):
            check(answer.status, answer.headers, answer.body, authorized=answer.authorized)
            check_hash(answer.body, file.metadata_sha256)
            return Told(answer.body)
    if not file.filename.endswith(".whl"):
        return _sdist(_whole(network, file, SDIST), file.filename)
    if size is None:
        size = _asked_size(network, file.url)
    window = Window(size, lambda offset, length: part(network, file.url, offset, length))
    try:
        return Told(metadata_in_wheel(window, project, number))
    except NoParts:
        return Told(metadata_in_wheel(io.BytesIO(_whole(network, file, WHOLE)), project, number))


def _whole(network: Network, file: IndexFile, limit: int) -> bytes:
    large = Failed("too-large", same(f"> {limit >> 20} MiB"))
    if (file.size or 0) > limit:
        raise large
    try:
        answer = network.get(file.url, limit=limit)
    except TooLong as error:
        raise large from error
    check(answer.status, answer.headers, answer.body, authorized=answer.authorized)
    check_hash(answer.body, file.sha256)
    return answer.body


def _local(path: str, file: IndexFile, project: str, number: str) -> Told:
    try:
        with opened(path) as local:
            if file.filename.endswith(".whl"):
                size = os.fstat(local.fileno()).st_size
                window = Window(size, lambda at, length: _read(local, at, length))
                return Told(metadata_in_wheel(window, project, number))
            data = local.read(SDIST + 1)
    except (OSError, ValueError) as error:
        raise failure(error) from error
    if len(data) > SDIST:
        raise Failed("too-large", same(f"> {SDIST >> 20} MiB"))
    check_hash(data, file.sha256)
    return _sdist(data, file.filename)


def _sdist(data: bytes, filename: str) -> Told:
    return Told(metadata_in_sdist(data, filename), build_requires(data, filename))


def _read(file: IO[bytes], offset: int, length: int) -> bytes:
    return os.pread(file.fileno(), length, offset)


def _beside(url: str) -> str:
    """The address of a file's metadata: `.metadata` after the path, before a query (PEP 658)."""
    path, mark, query = url.partition("?")
    return f"{path}.metadata{mark}{query}"

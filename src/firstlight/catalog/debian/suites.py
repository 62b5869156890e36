"""A suite that this machine has no source for: its Release and Packages, fetched into our own cache and checked."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from ...words import Words
from ..address import shown
from ..freshness import LONGEST, STALE
from ..model import Trouble
from ..trouble import Failed, damaged
from .control import DamagedError
from .lists import list_name, packages_paths, suite_uri
from .model import Index, ReleaseInfo
from .release import read_release

if TYPE_CHECKING:
    from ..fetch import Answer, Network

RELEASE_LIMIT = 16 << 20
PACKAGES_LIMIT = 256 << 20
SECONDS = 300.0
"""For one index."""
SUFFIXES = (".xz", ".zst", ".gz", ".bz2", "")
"""Smallest first."""
FOLDER = "apt"

Verify = Callable[[bytes, bytes], "Words | None"]
"""(InRelease or Release, detached signature or nothing) -> why it is not trusted; None: it is."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One source as `sources.list` would name it."""

    name: str
    """For people."""
    uri: str
    suite: str
    """Of a flat repository a folder that ends with `/`."""
    components: tuple[str, ...] = ()
    """Empty for a flat repository."""
    architecture: str


class FetchedSuite(msgspec.Struct, frozen=True, kw_only=True):
    """What was read of it."""

    indices: tuple[Index, ...]
    release: ReleaseInfo
    as_of: float
    """Seconds since 1970."""
    stale: bool = False
    """It could not be asked again: what it said last is used."""


class Suites:
    """Fetches suites. Files lie under names as apt's, in a folder of the user's cache; whatever is wrong with them,
    they are fetched again."""

    def __init__(self, network: Network, cache: str, *, now: Callable[[], float] | None = None) -> None:
        from time import time

        self._network = network
        self._folder = os.path.join(cache, FOLDER)
        self._now = now or time

    def fetch(self, asked: Asked, verify: Verify) -> FetchedSuite | Trouble:
        """The suite, if its Release is trusted by `verify` and each index is the one that it names."""
        address = suite_uri(asked.uri, asked.suite)
        try:
            return self._fetch(asked, address, verify)
        except Failed as failed:
            return failed.about(shown(address))

    def _fetch(self, asked: Asked, address: str, verify: Verify) -> FetchedSuite:
        signed, as_of, stale = self._release(address)
        _check(signed, verify)
        try:
            release = read_release(signed[0])
        except DamagedError as error:
            raise damaged(str(error), str(error)) from error
        indices = tuple(self._indices(asked, address, release))
        if not indices:
            raise damaged("its Release names no index of packages", "其 Release 没有列出软件包索引")
        return FetchedSuite(indices=indices, release=release, as_of=as_of, stale=stale)

    def _release(self, address: str) -> tuple[tuple[bytes, bytes], float, bool]:
        """((InRelease, nothing) or (Release, its signature), when it was fetched, whether it could not be renewed)."""
        kept = self._kept(f"{address}InRelease")
        if kept is not None and -60 <= self._now() - kept[1] < LONGEST:
            return (kept[0], self._beside(address, kept[0])), kept[1], False
        try:
            data, signature = self._ask_release(address)
        except Failed as failed:
            if kept is None or failed.kind not in STALE:
                raise
            return (kept[0], self._beside(address, kept[0])), kept[1], True
        self._keep(f"{address}InRelease", data)
        if signature:
            self._keep(f"{address}Release.gpg", signature)
        return (data, signature), self._now(), False

    def _beside(self, address: str, data: bytes) -> bytes:
        if data.startswith(b"-----BEGIN PGP SIGNED"):
            return b""
        kept = self._kept(f"{address}Release.gpg")
        return kept[0] if kept else b""

    def _ask_release(self, address: str) -> tuple[bytes, bytes]:
        answer = self._get(f"{address}InRelease", RELEASE_LIMIT)
        if answer.status == 200:
            return answer.body, b""
        plain = self._get(f"{address}Release", RELEASE_LIMIT)
        if plain.status != 200:
            raise _refused(plain)
        signature = self._get(f"{address}Release.gpg", RELEASE_LIMIT)
        return plain.body, signature.body if signature.status == 200 else b""

    def _indices(self, asked: Asked, address: str, release: ReleaseInfo) -> Iterator[Index]:
        for component in asked.components or ("",):
            for path in packages_paths(asked.suite, component, asked.architecture):
                if "/binary-all/" in path and not release.all_apart:
                    continue
                named = [f"{path}{suffix}" for suffix in SUFFIXES if f"{path}{suffix}" in release.hashes]
                if named:
                    yield Index(
                        uri=asked.uri, suite=asked.suite, component=component, architecture=asked.architecture,
                        path=self._index(address, named, release), release=release,
                        release_path=self._path(f"{address}InRelease"), trusted=True, ours=True,
                    )  # fmt: skip

    def _index(self, address: str, named: Sequence[str], release: ReleaseInfo) -> str:
        """Path of the index on disk; fetched if it is not the one that the Release names."""
        for name in named:
            path = self._path(f"{address}{name}")
            if _holds(path, *release.hashes[name]):
                return path
        trouble: Failed | None = None
        for name in named:
            digest, size = release.hashes[name]
            try:
                return self._keep(
                    f"{address}{name}", self._checked(address, name, digest, size, by_hash=release.by_hash)
                )
            except Failed as failed:
                if failed.kind != "not-there":
                    raise
                trouble = failed  # not every suffix that is named is served
        raise trouble or Failed("not-there")

    def _checked(self, address: str, name: str, digest: str, size: int, *, by_hash: bool) -> bytes:
        if size > PACKAGES_LIMIT:
            raise damaged(f"{name} has {size} bytes", f"{name} 有 {size} 字节")
        folder, _, _ = name.rpartition("/")
        places = [f"{folder}/by-hash/SHA256/{digest}".lstrip("/")] if by_hash else []
        answer = self._get(f"{address}{[*places, name][0]}", size)
        if answer.status == 404 and places:
            answer = self._get(f"{address}{name}", size)
        if answer.status != 200:
            raise _refused(answer)
        if len(answer.body) != size or sha256(answer.body).hexdigest() != digest:
            detail = Words(f"{name} is not what its Release names", f"{name} 与其 Release 所列不符")
            raise Failed("wrong-hash", detail)
        return answer.body

    def _get(self, url: str, limit: int) -> Answer:
        return self._network.get(url, limit=limit, seconds=SECONDS)

    def _path(self, url: str) -> str:
        return os.path.join(self._folder, list_name(url)[-240:])

    def _kept(self, url: str) -> tuple[bytes, float] | None:
        try:
            with open(self._path(url), "rb") as file:
                return file.read(RELEASE_LIMIT), os.fstat(file.fileno()).st_mtime
        except OSError:
            return None

    def _keep(self, url: str, data: bytes) -> str:
        """On disk under its name; whoever reads at the same time sees the old one or the new one. Raises Failed where
        the cache cannot be written."""
        from ...host.state import private

        path = self._path(url)
        part = f"{path}.{os.getpid()}-{os.urandom(4).hex()}"
        try:
            private(self._folder)
            with open(part, "xb") as file:
                file.write(data)
            os.replace(part, path)
        except OSError as error:
            raise Failed(
                "unreachable", Words(f"our cache: {error.strerror}", f"本程序的缓存：{error.strerror}")
            ) from error
        return path


def _check(signed: tuple[bytes, bytes], verify: Verify) -> None:
    why = verify(*signed)
    if why is not None:
        raise Failed("damaged-index", why)


def _holds(path: str, digest: str, size: int) -> bool:
    try:
        if os.path.getsize(path) != size:
            return False
        with open(path, "rb") as file:
            return sha256(file.read(size + 1)).hexdigest() == digest
    except OSError:
        return False


def _refused(answer: Answer) -> Failed:
    said = Words(f"HTTP {answer.status}", f"HTTP {answer.status}")
    if answer.status in (404, 410):
        return Failed("not-there")
    return Failed("denied", said) if answer.status in (401, 403) else Failed("server-error", said)

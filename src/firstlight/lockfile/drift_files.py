"""The installed files against their RECORD: missing, changed, added, links."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from typing import NamedTuple

from ..progress import Reporter
from ..words import Words
from .difference import Difference, DifferenceKind
from .drift_environment import InUse
from .drift_words import FILES
from .env_tree import CACHE, Seen
from .hashing import Digest, Wanted, digests
from .installed import Environment, Installed, claimed
from .record import Claim

KEY = "drift:files"
_READING = Words("comparing the installed files with their RECORD", "正在将已安装的文件与 RECORD 对比")
_READ = Words("{done} MiB of {all} MiB read", "已读取 {done} MiB，共 {all} MiB")
_OWN = ("_virtualenv.py", "_virtualenv.pth")
"""What uv and virtualenv put beside the packages as they make the environment."""

Claims = dict[str, list[tuple[Installed, Claim]]]


class Doubt(NamedTuple):
    """A file whose content must be read, and what it should be."""

    path: str
    seen: Seen
    owners: list[tuple[Installed, Claim]]


def file_differences(
    here: Environment, skip: frozenset[str], used: InUse, reporter: Reporter, *, deep: bool
) -> tuple[list[Difference], int, int]:
    """(differences, files compared, files read). `skip`: names of distributions whose files do not matter, as they are
    not in the lock. A file with its recorded size that nothing has touched since the environment was finished is taken
    for right unless `deep`; where it is not known when that was, all are read."""
    finished = used.finished
    claims = claimed(here.distributions)
    found = list(_unreadable(here))
    doubts: list[Doubt] = []
    links: set[str] = set()
    compared = 0
    for path, owners in claims.items():
        if all(one.name in skip for one, _ in owners) or f"/{CACHE}/" in path:
            continue
        compared += 1
        seen = here.tree.files.get(path)
        if seen is None or seen.kind != "file":
            found += _absent(here, path, owners[0][0], seen, links)
        elif not any(claim.size in (None, seen.size) for _, claim in owners):
            found.append(_other_size(here, Doubt(path, seen, owners), finished))
        elif _hashed(owners) and (deep or finished is None or _touched(seen) >= finished):
            doubts.append(Doubt(path, seen, owners))
    found += _changed(here, doubts, finished, reporter)
    if all(one.record.malformed is None for one in here.distributions):
        found += _added(here, claims, used)
    return found, compared, len(doubts)


def _touched(seen: Seen) -> float:
    """ctime also moves when a file gets another name, as uv links it into one more environment: then it is read for
    nothing. But no editing escapes it, while mtime can be set."""
    return max(seen.mtime, seen.ctime)


def _hashed(owners: list[tuple[Installed, Claim]]) -> bool:
    return all(claim.hash for _, claim in owners)


def _changed(
    here: Environment, doubts: list[Doubt], finished: float | None, reporter: Reporter
) -> Iterator[Difference]:
    wanted = [
        Wanted(os.path.join(here.tree.root, one.path), one.owners[0][1].hash.partition("=")[0], one.seen.size)
        for one in doubts
    ]
    if not wanted:
        return
    reporter.begin(KEY, _READING)
    for doubt, digest in zip(doubts, digests(wanted, _Told(reporter, wanted)), strict=True):
        algorithm = doubt.owners[0][1].hash.partition("=")[0]
        if digest.text is None:
            yield _file("unreadable", here, doubt.path, doubt.owners[0][0], unknown=digest.unread)
        elif not any(claim.hash == f"{algorithm}={digest.text}" for _, claim in doubt.owners):
            yield _other_content(here, doubt, algorithm, digest, finished)
    reporter.end(KEY, _READING, ok=True)


class _Told:
    """Says how far the reading is, at each tenth."""

    def __init__(self, reporter: Reporter, wanted: list[Wanted]) -> None:
        self.reporter, self.all = reporter, sum(one.size for one in wanted)
        self.done = self.said = 0

    def __call__(self, size: int) -> None:
        self.done += size
        if self.done * 10 // (self.all or 1) > self.said:
            self.said = self.done * 10 // (self.all or 1)
            self.reporter.detail(KEY, _READ.fill(done=self.done >> 20, all=self.all >> 20))


def _other_content(
    here: Environment, doubt: Doubt, algorithm: str, digest: Digest, finished: float | None
) -> Difference:
    one, claim = doubt.owners[0]
    return _file(
        "file-changed", here, doubt.path, one, lock=_shown(claim.hash), host=_shown(f"{algorithm}={digest.text}"),
        since=_moment(doubt.seen, finished), shared=doubt.seen.names > 1,
    )  # fmt: skip


def _other_size(here: Environment, doubt: Doubt, finished: float | None) -> Difference:
    one, claim = doubt.owners[0]
    sizes = f"{claim.size} bytes", f"{doubt.seen.size} bytes"
    return _file(
        "file-changed", here, doubt.path, one, lock=sizes[0], host=sizes[1], since=_moment(doubt.seen, finished),
        shared=doubt.seen.names > 1,
    )  # fmt: skip


def _moment(seen: Seen, finished: float | None) -> float | None:
    """When the content was written; where that is said to be before the environment was, when the file came."""
    if finished is None or seen.mtime >= finished:
        return seen.mtime
    return seen.ctime if seen.ctime >= finished else None


def _absent(here: Environment, path: str, one: Installed, seen: Seen | None, links: set[str]) -> Iterator[Difference]:
    """`links`: those in place of a folder that were told already."""
    folder = path.rpartition("/")[0]
    if seen is not None:
        host = _target(os.path.join(here.tree.root, path)) if seen.kind == "link" else "not a regular file"
        yield _file("file-link", here, path, one, lock="file", host=host, since=seen.ctime)
        return
    link = next((part for part in _above(path) if part in here.tree.files), None)
    if link is not None:
        if link not in links:
            links.add(link)
            host = _target(os.path.join(here.tree.root, link))
            yield _file("file-link", here, link, one, lock="folder", host=host, since=here.tree.files[link].ctime)
    elif not any(part in here.tree.unread for part in (*_above(path), "")):
        yield _file("file-missing", here, path, one, lock="file", since=here.tree.folders.get(folder))


def _above(path: str) -> Iterator[str]:
    """The folders that it lies in, the outermost first."""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)


def _target(path: str) -> str:
    try:
        return f"-> {os.readlink(path)}"
    except OSError:
        return "not a folder"


def _unreadable(here: Environment) -> Iterator[Difference]:
    for path, why in here.tree.unread.items():
        yield _file("unreadable", here, path, None, unknown=why)


def _added(here: Environment, claims: Claims, used: InUse) -> Iterator[Difference]:
    """What nobody claims beside the packages; a folder of such files is told once."""
    owned = {folder for path in claims for folder in _above(path)}
    owned |= {folder for one in here.distributions for folder in _above(f"{one.folder}/")}
    groups: dict[str, list[Seen]] = {}
    for path, seen in here.tree.files.items():
        if path in claims or path in owned or not path.startswith(f"{here.site}/") or _is_own(here, path, seen, used):
            continue
        top = next((folder for folder in _above(path) if folder not in owned and len(folder) > len(here.site)), None)
        groups.setdefault(f"{top}/" if top else path, []).append(seen)
    for path, several in groups.items():
        count = f"{len(several)} files" if path.endswith("/") else f"{several[0].size} bytes"
        yield _file("file-added", here, path, None, host=count, since=max(one.ctime for one in several))


def _is_own(here: Environment, path: str, seen: Seen, used: InUse) -> bool:
    name = path.removeprefix(f"{here.site}/")
    if any(
        path == one.folder or path.startswith(f"{one.folder}/") for one in here.distributions if "egg" in one.folder
    ):
        return True
    return (used.adopted or name in _OWN) and used.finished is not None and _touched(seen) <= used.finished


def _shown(hash: str) -> str:
    """`sha256:<hexadecimal>`, as tools print it."""
    name, _, digest = hash.partition("=")
    try:
        return f"{name}:{base64.urlsafe_b64decode(digest + '==').hex()}"
    except ValueError:
        return hash


def _short(here: Environment, path: str) -> str:
    return path.removeprefix(f"{here.site}/")


def _file(
    kind: DifferenceKind,
    here: Environment,
    path: str,
    one: Installed | None,
    *,
    lock: str | None = None,
    host: str | None = None,
    since: float | None = None,
    shared: bool = False,
    unknown: str | None = None,
) -> Difference:
    severity, effect = FILES["file-added-run" if kind == "file-added" and _runs_by_itself(here, path) else kind]
    words = effect.fill(name=one.name if one else "?", why=unknown or "")
    return Difference(
        kind=kind, what=_short(here, path) or ".", of=one.name if one else None, lock=lock, host=host, since=since,
        severity=severity, effect=words, shared=shared, unknown=unknown,
    )  # fmt: skip


def _runs_by_itself(here: Environment, path: str) -> bool:
    """What Python's `site` runs at each start."""
    name = _short(here, path)
    return "/" not in name and (name.endswith(".pth") or name in ("sitecustomize.py", "usercustomize.py"))

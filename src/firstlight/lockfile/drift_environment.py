"""The environment that is in use against the lock: which one it is, its Python, its distributions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import msgspec

from ..facts.distributions import normalised
from .difference import Difference, DifferenceKind
from .drift_words import DISTRIBUTIONS, ENVIRONMENT, PYTHON, Effect
from .env_tree import Seen, head
from .installed import Environment, Installed

CONFIGURATION = "pyvenv.cfg"


class InUse(msgspec.Struct, frozen=True, kw_only=True):
    """What `.firstlight/env` leads to, as far as it was made here."""

    folder: str | None
    """Absolute path; None: there is none, or the link leads elsewhere."""
    shown: str | None
    """What is told of it: the link's target; None: there is nothing."""
    id: str | None = None
    """Of what it was made from; None: it was not made here, or not finished."""
    pylock_sha256: str | None = None
    finished: float | None = None
    """When; seconds since the epoch."""
    adopted: bool = False
    """Not made here, but frozen as it was, when `finished` says: what lay in it then is no difference."""


def told(
    kind: DifferenceKind, what: str, effect: Effect, *, lock: str | None, host: str | None, since: float | None = None,
    why: str = "",
) -> Difference:  # fmt: skip
    """A difference whose effect needs no more than `why`."""
    words = effect[1].fill(why=why) if why else effect[1]
    return Difference(kind=kind, what=what, lock=lock, host=host, since=since, severity=effect[0], effect=words)


def which(wanted: str, pylock_sha256: str, used: InUse, locked_at: float | None) -> Iterator[Difference]:
    """Whether the environment is the lock's: `wanted` is the lock's id of it, `locked_at` when the pylock was
    written."""
    if used.folder is None:
        kind: DifferenceKind = "no-environment" if used.shown is None else "environment"
        effect = ENVIRONMENT["none" if used.shown is None else "link"]
        yield told(kind, ".firstlight/env", effect, lock=wanted, host=used.shown)
    elif used.id is None:
        yield told("environment", ".firstlight/env", ENVIRONMENT["foreign"], lock=wanted, host=used.shown)
    elif used.id != wanted or used.pylock_sha256 != pylock_sha256:
        newer = locked_at is not None and used.finished is not None and locked_at > used.finished
        effect = ENVIRONMENT["newer-lock" if newer else "other-lock"]
        since = locked_at if newer else None
        yield told("environment", ".firstlight/env", effect, lock=wanted, host=used.id, since=since)


def python_version(root: str) -> str | None:
    """Major and minor number of the environment's Python, by its pyvenv.cfg."""
    for name, value in _settings(root):
        if name in ("version", "version_info"):
            parts = value.split(".")
            if len(parts) >= 2 and all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts[:2]):
                return f"{parts[0]}.{parts[1]}"
    return None


def _settings(root: str) -> Iterator[tuple[str, str]]:
    try:
        text = head(os.path.join(root, CONFIGURATION), 1 << 16).decode("utf-8", "replace")
    except OSError:
        return
    for line in text.splitlines():
        name, _, value = line.partition("=")
        yield name.strip(), value.strip()


def python_differences(here: Environment, python: str, wanted: str, finished: float | None) -> Iterator[Difference]:
    """`python`: the version that is here."""
    if python != wanted:
        yield told("python", "python", PYTHON["version"], lock=wanted, host=python)
    start = os.path.join(here.tree.root, "bin", "python")
    if not (os.path.isfile(start) and os.access(start, os.X_OK)):
        yield told("python", "bin/python", PYTHON["gone"], lock=wanted, host=None)
    for path in (CONFIGURATION, "bin/python"):
        seen = here.tree.files.get(path)
        if seen and finished is not None and seen.mtime > finished:
            yield told("python", path, PYTHON["changed"], lock="file", host=_shown(here, path, seen), since=seen.mtime)


def _shown(here: Environment, path: str, seen: Seen) -> str:
    if seen.kind != "link":
        return f"{seen.size} bytes"
    try:
        return f"-> {os.readlink(os.path.join(here.tree.root, path))}"
    except OSError:
        return "link"


def distribution_differences(
    here: Environment, locked: Mapping[str, str], finished: float | None
) -> Iterator[Difference]:
    """Missing, of another version, installed again, extra; and those whose RECORD cannot be used. `locked`: name ->
    version."""
    wanted = {normalised(name): version for name, version in locked.items()}
    found: dict[str, list[Installed]] = {}
    for one in here.distributions:
        found.setdefault(one.name, []).append(one)
    for name, version in wanted.items():
        if name not in found:
            gone = here.tree.folders.get(here.site)
            since = gone if finished is not None and gone is not None and gone > finished else None
            yield told("distribution-missing", name, DISTRIBUTIONS["distribution-missing"], lock=version, host=None,
                       since=since)  # fmt: skip
    for name, several in found.items():
        yield from _of_name(name, several, wanted.get(name), finished)
    for one in here.distributions:
        yield from _record_problems(one)


def _of_name(name: str, several: list[Installed], version: str | None, finished: float | None) -> Iterator[Difference]:
    for one in several:
        if version is None or (len(several) > 1 and not _same(one.version, version)):
            kind: DifferenceKind = "distribution-extra"
        elif not _same(one.version, version):
            kind = "distribution-version"
        elif finished is not None and one.recorded is not None and one.recorded > finished and not one.record.malformed:
            kind = "distribution-reinstalled"
        else:
            continue
        since = one.recorded if one.recorded is not None else one.since
        yield told(kind, name, DISTRIBUTIONS[kind], lock=version, host=one.version, since=since)


def _same(one: str, other: str) -> bool:
    """Whether two texts are one version (PEP 440: `1.0` and `1.0.0`)."""
    if one == other:
        return True
    from packaging.version import InvalidVersion, Version

    try:
        return Version(one) == Version(other)
    except InvalidVersion:
        return False


def _record_problems(one: Installed) -> Iterator[Difference]:
    if one.record.malformed is not None and not one.folder.endswith(".egg-info"):
        yield told("record-unreadable", one.name, DISTRIBUTIONS["record-unreadable"], lock=one.version, host=None,
                   since=one.recorded or one.since, why=one.record.malformed)  # fmt: skip
    for path in one.record.outside:
        found = told("record-outside", path, DISTRIBUTIONS["record-outside"], lock=None, host=path, since=one.recorded)
        yield msgspec.structs.replace(found, of=one.name)

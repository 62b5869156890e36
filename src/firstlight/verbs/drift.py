"""Why there and not here: the project's lock against this host and its environment."""

from __future__ import annotations

import os
import time

import msgspec

from ..host import Host, open_host
from ..host.model import HostKind, Unread, text
from ..lockfile import Lock
from ..lockfile.difference import Checked, Difference, DifferenceKind, Drift, Severity
from ..lockfile.drift import compare_environment, compare_host, read_locked, together
from ..lockfile.drift_environment import InUse
from ..lockfile.drift_remedy import remedies
from ..lockfile.files import backend_of, path_of, read
from ..progress import Reporter
from ..project.model import Backend, Project
from ..project.settings import Flags
from ..project.toml_file import bad_value
from ..steps.environments import environment_id
from ..steps.in_use import in_use
from ..steps.places import Places
from ..words import Lang, Words
from .answer import Answer
from .facts import read as read_facts
from .place import wanted

_NOT_CAPTURED = Words(
    "a recorded machine: only what the lock says of the host was compared, as its environment was not captured",
    "这是录制的机器：其环境未被录制，因此只对比了锁文件中关于主机的条件",
)


class DriftRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Which machine and project, and whether every file is read."""

    host: str = "live"
    project: str | None = None
    flags: Flags = Flags()
    deep: bool = False
    lang: Lang = "en"


class DifferenceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One difference. `lock` and `host` are the two sides, null where there is nothing; `unknown` says why the host's
    side cannot be told, and is null where it can."""

    kind: DifferenceKind
    what: str
    of: str | None
    lock: str | None
    host: str | None
    since: str | None
    severity: Severity
    effect: str
    unknown: str | None


class CheckedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """How much was compared. `hashed` of the `files` were read whole; the others have their recorded size and were not
    touched since the sync."""

    conditions: int
    variables: int
    distributions: int
    files: int
    hashed: int


class RemedyAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One command, in the project's folder."""

    argv: tuple[str, ...]


class DriftAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.drift/1"):
    """All differences, the worst first. `environment` is the one in use, null where there is none or it was not
    captured: `why` says so. `left_out` counts differences beyond those listed."""

    backend: Backend
    environment: str | None
    differences: tuple[DifferenceAnswer, ...]
    left_out: int
    checked: CheckedAnswer
    remedy: tuple[RemedyAnswer, ...]
    why: str | None

    @property
    def exit_code(self) -> int:
        """1 if anything differs; 3 if nothing is known to, and something cannot be told."""
        if any(one.unknown is None for one in self.differences):
            return 1
        return 3 if self.differences else 0


def drift(request: DriftRequest, reporter: Reporter) -> DriftAnswer:
    """Compare; change nothing. Raises UnreadableInput where there is no lock, or a damaged one."""
    project = wanted(request.project, request.flags)
    lock = read(project.root)
    places = Places(project.root)
    backend = backend_of(lock, _backend(project, lock, places))
    locked = read_locked(project.root, backend)
    host = open_host(request.host)
    found = compare_host(lock, locked, read_facts(host, project.root), _booted(host))
    if host.kind not in (HostKind.LIVE, HostKind.OVERLAY):
        pylock = Drift(differences=locked.differences, checked=Checked())
        return _answer(backend.backend, None, together(found, pylock), request.lang, why=_NOT_CAPTURED)
    used = in_use(places, backend, host)
    inside = compare_environment(locked, environment_id(backend), used, os.environ, reporter, deep=request.deep)
    return _answer(backend.backend, used, together(found, inside), request.lang)


def _backend(project: Project, lock: Lock, places: Places) -> Backend:
    """The one that is wanted; if none was named, that of the environment in use; else the one that was locked last."""
    if not lock.backends:
        raise bad_value(path_of(project.root), "backend", "holds no environment")
    active = (places.active_name() or "").split("-")[0]
    used = next((one.backend for one in lock.backends if one.backend == active), None)
    return project.goal.backend or used or lock.backends[0].backend


def _booted(host: Host) -> float | None:
    """proc(5): `btime` of /proc/stat, seconds since the epoch."""
    found = text(host, "/proc/stat")
    lines = [] if isinstance(found, Unread) else found.splitlines()
    said = next((line.split()[1:] for line in lines if line.startswith("btime ")), [])
    return float(said[0]) if said and said[0].isascii() and said[0].isdigit() and len(said[0]) < 12 else None


def _answer(backend: Backend, used: InUse | None, found: Drift, lang: Lang, why: Words | None = None) -> DriftAnswer:
    name = used.shown if used and used.folder else None
    return answer(backend, name, found, lang, why)


def answer(
    backend: Backend, environment: str | None, found: Drift, lang: Lang, why: Words | None = None
) -> DriftAnswer:
    """The differences with their words in one language."""
    return DriftAnswer(
        backend=backend,
        environment=environment,
        differences=tuple(_difference(one, lang) for one in found.differences),
        left_out=found.left_out,
        checked=CheckedAnswer(**msgspec.structs.asdict(found.checked)),
        remedy=tuple(RemedyAnswer(argv=argv) for argv in remedies(found.differences, environment)),
        why=why.say(lang) if why else None,
    )


def _difference(one: Difference, lang: Lang) -> DifferenceAnswer:
    return DifferenceAnswer(
        kind=one.kind,
        what=one.what,
        of=one.of,
        lock=one.lock,
        host=one.host,
        since=moment(one.since),
        severity=one.severity,
        effect=one.effect.say(lang),
        unknown=one.unknown,
    )


def moment(since: float | None) -> str | None:
    """ISO 8601, UTC; a file may bear any time at all."""
    try:
        return None if since is None else time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(since))
    except (OverflowError, ValueError, OSError):
        return None

"""The solver's answer to one candidate as a route with its verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from ...catalog.debian.model import DebianCatalogue
from ..model import CANNOT_TELL, Because, Deb, Route, RouteVerdict, System
from ..sizes import minutes
from . import reasons
from .chains import Near, Told, explained
from .harm import Before, harms
from .model import Change, Solved
from .vendors import Candidate

Older = Callable[[str, str], bool]
ROCM_PARTS = ("hipcc", "libamdhip64", "libhsa-runtime64", "librocblas", "libhipblaslt", "libmiopen", "librccl",
              "rocminfo", "libamd-comgr", "rocm-device-libs", "rocm-smi", "amd-smi")  # fmt: skip
"""Beginnings of names of the distributions' packages whose versions are those of ROCm."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer is told with."""

    catalogue: DebianCatalogue
    older: Older
    label: str = ""
    version_id: str = ""
    codename: str = ""
    megabits: float | None = None
    release: str | None = None
    """Codename, where it is not the machine's own."""
    near: Near | None = None
    notes: tuple[Because, ...] = ()
    """That hold whatever the verdict is."""


def closed(candidate: Candidate, *because: Because, release: str | None = None) -> Route:
    """A route that is not open, with why."""
    unsure = bool(because) and because[0].kind in (*CANNOT_TELL, *UNSURE)
    verdict: RouteVerdict = "unknown" if unsure else "blocked"
    return _route(candidate, verdict, because, System(part=candidate.part, asked=candidate.asked, release=release))


UNSURE = ("no-index", "no-key", "unverified", "release-not-known", "not-known-here")
"""Refusals that say nothing about whether apt would have an answer."""


def route_of(candidate: Candidate, solved: Solved, setting: Setting) -> Route:
    """Works, harmful with the harm by name, or blocked with the chain."""
    if not solved.possible:
        told = Told(
            release=setting.label, version_id=setting.version_id, codename=setting.codename, near=setting.near
        )  # fmt: skip
        return closed(candidate, *explained(solved.problems, told), *setting.notes, release=setting.release)
    before = _before(setting.catalogue)
    away = [name.rstrip("-") for name in candidate.asked if name.endswith("-")]
    harm = harms(solved.changes, away, before, setting.older)
    system = _system(candidate, solved.changes, setting)
    fetch = _sum(one.size for one in solved.changes if one.after)
    route = _route(
        candidate, "harmful" if harm else "works", (*_works(solved.changes, candidate), *setting.notes), system
    )
    return msgspec.structs.replace(
        route, harm=harm, download_bytes=fetch, disk_bytes=_disk(solved.changes, setting.catalogue),
        minutes=minutes(fetch, setting.megabits), versions=_versions(candidate, system),
    )  # fmt: skip


def _route(candidate: Candidate, verdict: RouteVerdict, because: Sequence[Because], system: System) -> Route:
    return Route(
        name=candidate.name, tier=candidate.tier, backend=candidate.backend, verdict=verdict, because=tuple(because),
        system=system,
    )  # fmt: skip


def _before(catalogue: DebianCatalogue) -> Before:
    there = [one for one in catalogue.installed if one.state == "installed"]
    return Before(
        installed={one.name: one.fields.get("version", "") for one in there},
        essential=frozenset(one.name for one in there if one.fields.get("essential") == "yes"),
        manual=frozenset(one.name for one in there if not one.auto),
    )


def _works(changes: Sequence[Change], candidate: Candidate) -> tuple[Because, ...]:
    if not changes:
        return (reasons.satisfied(candidate.asked),)
    new = sum(1 for one in changes if one.before is None)
    origins = list(dict.fromkeys(one.origin for one in changes if one.origin))
    mixed = _mixed(changes) if candidate.tier == "distro" else ()
    return (reasons.solved(new, len(changes) - new, origins), *mixed)


def _mixed(changes: Sequence[Change]) -> tuple[Because, ...]:
    """Where the parts of ROCm come from more than one of its releases, which is usual in a distribution."""
    parts: dict[str, list[str]] = {}
    for one in changes:
        if one.after and one.name.startswith(ROCM_PARTS):
            parts.setdefault(_release_of(one.after), []).append(one.name)
    if len(parts) < 2:
        return ()
    return (reasons.mixed(list(parts.items())),)


def _release_of(version: str) -> str:
    """`1:6.0+git20231212.4510c28+dfsg-3+b2` -> `6.0`."""
    upstream = (version.partition(":")[2] or version).partition("-")[0].partition("+")[0]
    return ".".join(upstream.split(".")[:2])


def _system(candidate: Candidate, changes: Sequence[Change], setting: Setting) -> System:
    native = setting.catalogue.config.architectures[0]
    debs = [_deb(one) for one in sorted(changes, key=lambda one: (one.name, one.architecture))]
    moved = [one for one in debs if one.before is not None and one.after is not None]
    lowered = [one for one in moved if setting.older(one.after or "", one.before or "")]
    return System(
        part=candidate.part, asked=candidate.asked, exact=tuple(_exact(one, native) for one in debs),
        install=tuple(one for one in debs if one.before is None),
        upgrade=tuple(one for one in moved if one not in lowered),
        downgrade=tuple(lowered),
        remove=tuple(one for one in debs if one.after is None),
        release=setting.release,
    )  # fmt: skip


def _deb(one: Change) -> Deb:
    return Deb(
        name=one.name, architecture=one.architecture, before=one.before, after=one.after, origin=one.origin,
        filename=one.filename, size=one.size, installed_size=one.installed_size, sha256=one.sha256, held=one.held,
        auto=one.auto,
    )  # fmt: skip


def _exact(one: Deb, native: str) -> str:
    """In apt-get's syntax; the architecture where it is not the native one."""
    name = one.name if one.architecture in (native, "all", "") else f"{one.name}:{one.architecture}"
    return f"{name}={one.after}" if one.after is not None else f"{name}-"


def _sum(sizes: Iterable[int | None]) -> int | None:
    listed = list(sizes)
    return None if None in listed else sum(one or 0 for one in listed)


def _disk(changes: Sequence[Change], catalogue: DebianCatalogue) -> int | None:
    """Bytes more on disk; fewer are negative. By Installed-Size, which packages state in KiB."""
    had = {one.name: _kib(one.fields) for one in catalogue.installed}
    more = _sum(one.installed_size for one in changes if one.after)
    return None if more is None else more - sum(had.get(one.name, 0) for one in changes if one.before)


def _kib(fields: Mapping[str, str]) -> int:
    size = fields.get("installed-size", "")
    return int(size) * 1024 if size.isdigit() and len(size) < 12 else 0


def _versions(candidate: Candidate, system: System) -> dict[str, str]:
    """Of what was asked for by name."""
    names = {name.partition("=")[0].partition("/")[0].partition(":")[0] for name in candidate.asked}
    changed = (*system.install, *system.upgrade, *system.downgrade)
    return {one.name: one.after for one in changed if one.name in names and one.after}

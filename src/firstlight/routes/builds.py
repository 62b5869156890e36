"""Builds of torch that one place offers, in our order of preference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from ..knowledge.versions import version_key
from ..project.model import Backend
from .wheelhouse import HeldWheel


class Build(msgspec.Struct, frozen=True, kw_only=True):
    """One version of torch for one backend."""

    version: str
    """With its local part: `2.14.0+rocm10.1.0`."""
    backend: Backend
    number: str | None
    """Version of ROCm or CUDA; None: only its metadata tells."""
    wheels: tuple[HeldWheel, ...]

    @property
    def release(self) -> str:
        """Without the local part."""
        return self.version.partition("+")[0]


def builds(wheels: Iterable[HeldWheel], backend: Backend | None = None, number: str | None = None) -> tuple[Build, ...]:
    """All of them, the preferred one first. `backend` and `number` are what the place itself is known to be for: it
    counts for wheels whose version says nothing. The newest torch comes first; of one torch the newest ROCm or CUDA
    by its numbers: as PEP 440 compares local versions, `+rocm10` would sort below `+rocm7` (ROCm/TheRock #7183)."""
    groups: dict[str, list[HeldWheel]] = {}
    for wheel in wheels:
        groups.setdefault(wheel.version, []).append(wheel)
    found = (_build(version, held, backend, number) for version, held in groups.items())
    return tuple(sorted((one for one in found if one is not None), key=_preference, reverse=True))


def _build(version: str, held: Sequence[HeldWheel], backend: Backend | None, number: str | None) -> Build | None:
    first = held[0]
    if "+" not in version and backend is not None:
        return Build(version=version, backend=backend, number=number, wheels=tuple(held))
    if first.backend is None and backend is not None:  # a local version of the maker's own: `+gfx906.1`
        return Build(version=version, backend=backend, number=number, wheels=tuple(held))
    if first.backend is None:
        return None
    return Build(version=version, backend=first.backend, number=first.backend_version, wheels=tuple(held))


def _preference(build: Build) -> tuple[object, ...]:
    from packaging.version import Version

    version = Version(build.version)
    stage = version.local or ""
    return (
        not version.is_prerelease and not _is_preview(stage),
        Version(version.public),
        version_key(build.number or ""),
        not _is_preview(stage),
        stage,
    )


def _is_preview(local: str) -> bool:
    """AMD's nightlies and candidates: `rocm10.2.0a20260918`, `rocm7.13.0rc1`."""
    last = local.split(".")[:3][-1] if local.startswith("rocm") else ""
    return any(sign.isalpha() for sign in last.removeprefix("rocm")) and not last.startswith(("git", "lw"))


def best_of_each(found: Sequence[Build]) -> tuple[tuple[Build, ...], tuple[Build, ...]]:
    """(the first build of each release, the others). A resolver that compares local versions as PEP 440 does must not
    see the others."""
    kept: dict[str, Build] = {}
    for build in found:
        kept.setdefault(build.release, build)
    chosen = tuple(build for build in found if kept[build.release] is build)
    return chosen, tuple(build for build in found if kept[build.release] is not build)

"""Which builds of torch the wanted packages of its family go with: `torchvision==0.28.*` brings torch 2.13."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..catalog.model import IndexFile, Metadata, Page
from ..project.model import Goal
from .builds import Build
from .family import BUILDS
from .interpreters import tags
from .model import Because
from .pins import Place
from .reasons import belongs_to_none
from .wheelhouse import HeldWheel, held_wheel

if TYPE_CHECKING:
    from packaging.requirements import Requirement

LOOKED_AT = 24
"""Wheels of one package whose metadata is read, newest first."""


def belonging(allowed: Sequence[Build], goal: Goal, place: Place) -> tuple[Build, ...] | Because:
    """Those of `allowed` that have a wheel of each wanted package here; a Because for a package that none has."""
    left = tuple(allowed)
    for requirement in _wanted(goal):
        files = list(_offered(requirement, place))
        if not files:
            continue  # the index has no such package at all: that is the resolver's to say
        fit = tuple(build for build in left if any(_goes(held, file, build, place) for held, file in files))
        if not fit:
            return belongs_to_none(str(requirement), ", ".join(build.version for build in left[:6]))
        left = fit
    return left


def _wanted(goal: Goal) -> Iterator[Requirement]:
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    for text in goal.packages:
        requirement = Requirement(text)
        name = canonicalize_name(requirement.name)
        if name in BUILDS and name != "torch" and not requirement.url:
            yield requirement


def _offered(requirement: Requirement, place: Place) -> Iterator[tuple[HeldWheel, IndexFile]]:
    """Its wheels for this Python that may be taken, newest first."""
    from packaging.version import Version

    page = place.catalog.page(place.index, requirement.name.lower())
    if not isinstance(page, Page):
        return
    allowed = tags(place.python, place.arch, place.libc)
    held = ((held_wheel("", one.filename, place.arch), one) for one in page.files if one.yanked is None)
    fit = [
        (wheel, file)
        for wheel, file in held
        if wheel is not None
        and not allowed.isdisjoint(wheel.tags)
        and requirement.specifier.contains(wheel.version, prereleases=True)
    ]
    yield from sorted(fit, key=lambda pair: Version(Version(pair[0].version).public), reverse=True)[:LOOKED_AT]


def _goes(held: HeldWheel, file: IndexFile, build: Build, place: Place) -> bool:
    """Whether it was built for the same ROCm or CUDA, and asks for this torch or for none in particular."""
    mine, torchs = held.version.partition("+")[2], build.version.partition("+")[2]
    if mine and torchs and mine != torchs:
        return False
    about = place.catalog.metadata(file)
    return not isinstance(about, Metadata) or all(
        one.specifier.contains(build.version, prereleases=True) for one in _torch_of(about)
    )


def _torch_of(about: Metadata) -> Iterator[Requirement]:
    from packaging.requirements import InvalidRequirement, Requirement

    for text in about.requires:
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue
        if requirement.name.lower() == "torch" and requirement.marker is None:
            yield requirement

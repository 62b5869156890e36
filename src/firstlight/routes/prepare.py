"""An offer -> what to ask the resolver, so that it can only answer with builds that may be taken."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..catalog.model import Metadata, Page
from ..facts.model import Facts
from ..project.model import Goal
from .belongs import belonging
from .builds import Build, builds
from .family import BUILDS, ROCM_TRITON, is_family
from .fitting import fits
from .gpus import targets
from .listing import Listing
from .model import Because
from .offer import Offer, excluded, is_split
from .pins import Pins, Place, pins, served
from .wheelhouse import held_wheel

MANY = 40
"""Versions that are left out one by one; beyond it the best one is asked for by name."""
TRIES = 3
"""Builds whose own index is asked for what they need, before the place is given up."""


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """One question to the resolver."""

    torch: str
    """Requirement."""
    packages: tuple[str, ...]
    """The user's, with what they need for this chip."""
    names: tuple[str, ...] = ()
    """Further requirements that must come from the route's own index."""
    sdists: tuple[Metadata, ...] = ()
    hashed: bool = True
    """Whether the index states a hash for each file of the family."""
    targets: tuple[str, ...] = ()
    """Chips for which its device wheels are asked for."""


def prepare(offered: Offer, listed: Listing, goal: Goal, facts: Facts, place: Place | None) -> Prepared | Because:
    """`place`: None for a folder, which is not asked anything. The reason of the best build where none will do."""
    if place is None or not listed.files:
        return Prepared(torch=_torch(goal, offered), packages=goal.packages)
    allowed = _choice(offered, goal, place)
    if isinstance(allowed, Because):
        return allowed
    reasons: list[Because] = []
    for build in allowed[:TRIES]:
        found = _pins(build, offered, listed, facts, place)
        if not isinstance(found, Because):
            return _with(found, build, offered, goal, place)
        reasons.append(found)
    return reasons[0]


def _choice(offered: Offer, goal: Goal, place: Place) -> tuple[Build, ...] | Because:
    """Builds to try, best first. One that is asked for exactly must be one that the wanted packages belong to; else
    the resolver finds that out by itself."""
    if not is_split(offered.allowed[0]) and len(offered.numbers) < 2:
        return offered.allowed
    return belonging(offered.allowed, goal, place)


def _pins(build: Build, offered: Offer, listed: Listing, facts: Facts, place: Place) -> Pins | Because:
    wheel = next((one for one in build.wheels if fits([one], offered.python, place.arch, place.libc)), build.wheels[0])
    wanted = targets(build.backend, facts)
    return pins(listed.files[wheel.filename], wanted, place, split=is_split(build))


def _with(found: Pins, build: Build, offered: Offer, goal: Goal, place: Place) -> Prepared:
    """A build whose needs were read is asked for exactly where they hold for no other: it is split, or its index is
    mixed."""
    exact = bool(found.extras) or len(offered.numbers) > 1 or build is not offered.allowed[0]
    torch = f"torch{_in_brackets(found.extras)}=={build.version}" if exact else _torch(goal, offered)
    packages, names = _packages(found, offered, goal, place)
    return Prepared(
        torch=torch, packages=packages, names=tuple(dict.fromkeys((*found.names, *names))), sdists=found.sdists,
        hashed=found.hashed, targets=found.targets,
    )  # fmt: skip


def _torch(goal: Goal, offered: Offer) -> str:
    """In the wanted range, without the builds that must not be taken."""
    best = offered.allowed[0].version
    ambiguous = any("+" not in version for version in offered.others)
    if len(offered.others) > MANY or ambiguous:
        return f"torch=={best}"
    said = [part for part in (goal.torch or "").split(",") if part.strip()]
    return "torch" + ",".join([*said, *(f"!={version}" for version in offered.others)])


def _packages(found: Pins, offered: Offer, goal: Goal, place: Place) -> tuple[tuple[str, ...], list[str]]:
    """The user's packages of the family ask for the same chip's code, and not for builds of another ROCm or CUDA;
    and the names that this brings in."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    packages: list[str] = []
    names: list[str] = []
    for text in goal.packages:
        requirement = Requirement(text)
        name = canonicalize_name(requirement.name)
        if not is_family(name) or requirement.url or name == "torch":
            packages.append(text)
            continue
        requirement.name = _served_as(name, found, place)
        names.append(requirement.name)
        if name in BUILDS:
            devices = [f"amd-{name}-device-{target}" for target in found.targets]
            names += served(devices, place) if devices else []
            requirement.extras |= set(found.extras)
        without = ",".join(f"!={version}" for version in _wrong(name, offered, place))
        requirement.specifier &= without
        packages.append(str(requirement))
    return tuple(packages), names


def _served_as(name: str, found: Pins, place: Place) -> str:
    """PyTorch's indices for ROCm have Triton under another name, which their torch asks for."""
    other = [one for one in found.names if name == "triton" and one in ROCM_TRITON]
    return other[0] if other and not served([name], place) else name


def _wrong(name: str, offered: Offer, place: Place) -> Sequence[str]:
    page = place.catalog.page(place.index, name)
    if name not in BUILDS or len(offered.numbers) < 2 or not isinstance(page, Page):
        return ()
    held = (held_wheel("", one.filename, place.arch) for one in page.files if "linux" in one.filename)
    return excluded(offered, name, builds(one for one in held if one is not None))


def _in_brackets(extras: Sequence[str]) -> str:
    return f"[{','.join(extras)}]" if extras else ""

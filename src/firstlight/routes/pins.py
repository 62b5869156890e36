"""What a build of torch needs of its own index: read from its metadata before anything is resolved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from ..catalog.index import Catalog
from ..catalog.model import IndexFile, Metadata, Page, Trouble
from .family import OWN_IF_SERVED, may_be_own
from .interpreters import tags
from .model import Because
from .reasons import no_device_wheel, no_wheel_for_python, not_offered
from .wheelhouse import held_wheel

if TYPE_CHECKING:
    from packaging.requirements import Requirement

DEVICE = "device-"
"""How AMD's extras begin that bring code for one GPU target: `device-gfx1151` (ROCm/TheRock RELEASES.md)."""
LONGEST = 60
"""Family packages that are looked at for one build."""


class Pins(msgspec.Struct, frozen=True, kw_only=True):
    """Beside torch itself."""

    extras: tuple[str, ...] = ()
    """Of torch."""
    names: tuple[str, ...] = ()
    """Requirements that must come from the route's own index."""
    sdists: tuple[Metadata, ...] = ()
    """Of packages that it publishes as sdists only: what they require, so that nothing is built to know it."""
    targets: tuple[str, ...] = ()
    """GPU targets for which it has device wheels, of those wanted; empty for a build that holds all code itself."""
    hashed: bool = True
    """Whether the index states a hash for each file."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """An index, and the machine that wheels of it must fit."""

    catalog: Catalog
    index: str
    python: str
    """`3.12`"""
    arch: str
    libc: str


def pins(torch: IndexFile, targets: Sequence[str], place: Place, *, split: bool) -> Pins | Because:
    """`targets` of the GPUs to compute on. `split`: its code is in wheels of its own, so without its metadata nothing
    can be told; of another build that is left to the resolver, unless what there is of it is wrong."""
    about = place.catalog.metadata(torch)
    if isinstance(about, Trouble):
        closes = split or about.kind in ("damaged-index", "wrong-hash", "unreachable")
        return Because(about.kind, about.subject, about.text) if closes else Pins(hashed=torch.sha256 is not None)
    offered = [extra.removeprefix(DEVICE) for extra in about.extras if extra.startswith(f"{DEVICE}gfx")]
    wanted = tuple(target for target in targets if target in offered)
    if offered and not wanted:
        return no_device_wheel(torch.filename, targets, offered)
    extras = tuple(f"{DEVICE}{target}" for target in wanted)
    return _walk(about, extras, wanted, torch, place)


def _walk(
    about: Metadata, extras: tuple[str, ...], targets: tuple[str, ...], torch: IndexFile, place: Place
) -> Pins | Because:
    names: dict[str, str] = {}
    sdists: list[Metadata] = []
    hashed = torch.sha256 is not None
    left = list(_needs(about, extras, place))
    place.catalog.warm((place.index, one.name) for one in left)
    while left and len(names) < LONGEST:
        requirement = left.pop(0)
        name = _normal(requirement.name)
        if name in names:
            continue
        found = _offered(requirement, place)
        if isinstance(found, Because):
            if name in OWN_IF_SERVED and found.kind == "not-there":
                continue
            return found
        hashed = hashed and found.sha256 is not None
        names[name] = name
        if not found.filename.endswith(".whl"):
            inner = place.catalog.metadata(found)
            if isinstance(inner, Trouble):
                return Because(inner.kind, inner.subject, inner.text)
            more = (*sorted(requirement.extras), *(f"{DEVICE}{one}" for one in targets if DEVICE + one in inner.extras))
            sdists.append(inner)
            names[name] = f"{name}[{','.join(dict.fromkeys(more))}]" if more else name
            left += list(_needs(inner, more, place))
    return Pins(extras=extras, names=tuple(names.values()), sdists=tuple(sdists), targets=targets, hashed=hashed)


def _needs(about: Metadata, extras: Iterable[str], place: Place) -> Iterator[Requirement]:
    """Requirements of the family that hold on this machine. A package may require itself, for its extras."""
    from packaging.requirements import InvalidRequirement, Requirement

    for text in about.requires:
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue
        if (
            may_be_own(_normal(requirement.name))
            and _normal(requirement.name) not in (about.name, "torch")
            and _holds(requirement, extras, place)
        ):
            yield requirement


def _holds(requirement: Requirement, extras: Iterable[str], place: Place) -> bool:
    if requirement.marker is None:
        return True
    here = {
        "python_version": place.python, "python_full_version": f"{place.python}.0", "sys_platform": "linux",
        "platform_system": "Linux", "os_name": "posix", "platform_machine": place.arch,
        "implementation_name": "cpython", "platform_python_implementation": "CPython",
    }  # fmt: skip
    return any(requirement.marker.evaluate({**here, "extra": extra}) for extra in ("", *extras))


def _offered(requirement: Requirement, place: Place) -> IndexFile | Because:
    """A file of the index that answers the requirement here: a wheel, or else an sdist."""
    page = place.catalog.page(place.index, _normal(requirement.name))
    if isinstance(page, Trouble):
        if page.kind == "not-there":
            return not_offered(str(requirement), page.subject)
        return Because(page.kind, page.subject, page.text)
    fitting = [one for one in page.files if one.yanked is None and _answers(one, requirement)]
    if not fitting:
        return not_offered(str(requirement), page.project)
    allowed = tags(place.python, place.arch, place.libc)
    wheels = [one for one in fitting if one.filename.endswith(".whl")]
    best = next((one for one in wheels if not allowed.isdisjoint(_tags(one.filename))), None)
    sdist = next((one for one in fitting if not one.filename.endswith(".whl")), None)
    if best is not None or sdist is not None:
        return best or sdist or fitting[0]
    return no_wheel_for_python([place.python], _pythons(wheels), None, (place.python,))


def _answers(file: IndexFile, requirement: Requirement) -> bool:
    from packaging.utils import InvalidSdistFilename, parse_sdist_filename
    from packaging.version import InvalidVersion

    if file.filename.endswith(".whl"):
        held = held_wheel("", file.filename, None)
        return held is not None and requirement.specifier.contains(held.version, prereleases=True)
    try:
        return requirement.specifier.contains(parse_sdist_filename(file.filename)[1], prereleases=True)
    except (InvalidSdistFilename, InvalidVersion):
        return False


def _tags(filename: str) -> frozenset[str]:
    held = held_wheel("", filename, None)
    return held.tags if held else frozenset()


def _pythons(wheels: Sequence[IndexFile]) -> list[str]:
    return sorted({tag.split("-")[0] for wheel in wheels for tag in _tags(wheel.filename)})


def _normal(name: str) -> str:
    from packaging.utils import canonicalize_name

    return canonicalize_name(name)


def served(names: Iterable[str], place: Place) -> list[str]:
    """Those of `names` for which the index has a page."""
    asked = list(names)
    place.catalog.warm((place.index, name) for name in asked)
    return [name for name in asked if isinstance(place.catalog.page(place.index, name), Page)]

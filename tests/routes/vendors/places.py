"""Which index lies at which path, in which form: the paths are those of the vendors' hosts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from firstlight.knowledge.sources import builtin_indices

from . import amd, hostile, pypi, pytorch
from .distribution import Dist

Form = Literal["pytorch", "amd", "bare", "json"]
"""`pytorch`: HTML with hashes and PEP 658; `amd`: HTML with hashes; `bare`: HTML without; `json`: PEP 691 and PEP 700
with PEP 658, and HTML for who does not take JSON."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """One index."""

    name: str
    path: str
    """`/whl/cu130`; without a slash at its end."""
    form: Form
    make: Callable[[], tuple[Dist, ...]]


def _places() -> dict[str, Place]:
    found = [Place(name="pypi", path="/simple", form="json", make=pypi.index)]
    for one in builtin_indices():
        path = urlsplit(one.url).path.rstrip("/")
        label = path.rpartition("/")[2]
        if one.tier == "upstream":
            found.append(Place(name=one.name, path=path, form="pytorch", make=_pytorch(label)))
    multi = ("amd-rocm7.14", "/rocm/whl-multi-arch", lambda: amd.index(amd.LINE_7))
    next_ = ("amd-rocm10", "/rocm/whl-next", lambda: amd.index(amd.LINE_10))
    nightly = ("amd-nightly", "/nightlies/whl-multi-arch", lambda: amd.index(amd.LINE_NIGHTLY, amd.NIGHTLY))
    for name, path, make in (multi, next_, nightly):
        found.append(Place(name=name, path=path, form="bare" if name == "amd-rocm7.14" else "amd", make=make))
    found.append(Place(name="amd-rocm10-bare", path="/bare/rocm/whl-next", form="bare", make=next_[2]))
    found.append(Place(name="evil", path="/evil/simple", form="json", make=hostile.malicious))
    found.append(Place(name="mixed", path="/mirror/wheels", form="amd", make=hostile.mixed))
    return {one.name: one for one in found}


def _pytorch(label: str) -> Callable[[], tuple[Dist, ...]]:
    if label == "cpu":
        return pytorch.cpu
    return (lambda: pytorch.cuda(label)) if label.startswith("cu") else (lambda: pytorch.rocm(label))


PLACES = _places()


@cache
def held(name: str) -> dict[str, tuple[Dist, ...]]:
    """Files of an index by project."""
    projects: dict[str, list[Dist]] = {}
    for one in PLACES[name].make():
        projects.setdefault(one.name, []).append(one)
    return {project: tuple(files) for project, files in projects.items()}


@cache
def by_filename(name: str) -> dict[str, Dist]:
    return {one.filename: one for files in held(name).values() for one in files}

"""Exactly these versions, found again: which files the places that we know offer under them. Nothing is resolved."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

import msgspec

from ..errors import UnreadableInput
from ..host.scratch import scratch
from ..project.known import known_host, known_index
from ..project.model import Source, Sources
from ..project.urls import local_path, without_credentials
from .family import backend_of_local
from .model import TIERS, Because, Tier
from .platforms import uv_platform
from .pylock import Offered, offers_of
from .reasons import no_temporary_folder
from .refusals import refusal
from .wheels import INSTALL_SECONDS, only_wheels, uv

SDIST_ONLY = ("rocm",)
"""Published in no other form (ROCm/TheRock RELEASES.md). Of all else only wheels count: what one builds oneself is
another file each time."""
EVERYWHERE = ("offline", "denied", "bad-certificate", "disk-full", "server-error", "unwritable-cache", "unreachable",
              "uv-too-old", "failed")  # fmt: skip
"""Refusals that say nothing about one name."""


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """One place that is asked."""

    source: Source
    flat: bool
    """A folder or page of wheels rather than an index."""
    tier: Tier
    trusted: bool = True
    """Whether a file is taken by its name and version; else only one that is shown to be the installed one."""


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """What the files must fit. No interpreter of it is run."""

    python: str
    """`3.11`, or `3.11.7`."""
    arch: str
    libc: str


Offers = Mapping[str, "tuple[Offered, ...] | Because"]
"""Name -> files of exactly the version that was asked for, or why there are none."""


def family_spots(sources: Sources, local: str | None) -> tuple[Spot, ...]:
    """Where the torch family may come from, if torch's local version is `local`: folders of wheels, indices that the
    user named, the built-in one for that build; and the main index for a torch without a local version alone."""
    houses = [Spot(source=one, flat=True, tier="local") for one in sources.wheelhouses]
    if sources.no_index:
        return tuple(houses)
    main = sources.default_indices[-1] if sources.default_indices else None
    kept = [one for one in sources.torch_indices if one != main and _is_for(one, local)]
    last = [main] if main is not None and local is None else []
    return (*houses, *(Spot(source=one, flat=one.kind == "folder", tier=tier_of(one)) for one in (*kept, *last)))


def _is_for(source: Source, local: str | None) -> bool:
    """Of the known indices those that serve this build; whatever else the user named may hold anything."""
    known = known_index(source.name)
    if known is None:
        return True
    if local is None:
        return False
    backend, number = backend_of_local(local)
    line = known.backend_version
    return backend == known.backend and (line == number or (number or "").startswith(f"{line}."))


def other_spots(sources: Sources) -> tuple[Spot, ...]:
    """Where all else may come from: the main index; then the user's further ones, for what it does not have; then
    folders of wheels, for the very file that is installed."""
    alone = sources.no_index
    houses = (Spot(source=one, flat=True, tier="local", trusted=alone) for one in sources.wheelhouses)
    indices = () if alone else reversed(sources.default_indices)
    return (*(Spot(source=one, flat=one.kind == "folder", tier=tier_of(one)) for one in indices), *houses)


def tier_of(source: Source) -> Tier:
    """Who answers for what it serves; for a place that nobody knows, whoever named it here."""
    if not source.url:
        return "upstream"
    host = without_credentials(source.url).partition("://")[2].partition("/")[0].partition(":")[0].lower()
    known = known_host(host)
    return next((tier for tier in TIERS if known is not None and tier == known.tier), "local")


def find_again(wanted: Mapping[str, str], spot: Spot, sources: Sources, machine: Machine) -> Offers:
    """`wanted`: normalised name -> version, both checked; an empty one is the newest. One run of uv, and one more for
    each name that is refused. Never raises for what the place answers."""
    # `===`: `==1.0` would take 1.0+cpu too
    lines = {name: f"{name}==={version}" if version else name for name, version in wanted.items()}
    alone = msgspec.structs.replace(sources, default_indices=() if spot.flat else (spot.source,))
    return _answers(lines, spot, alone, machine)


AT_ADDRESS = Spot(
    source=Source(name="address", url="", kind="index", origin="direct_url.json"), flat=False, tier="community"
)
"""Where what was installed by its address is asked for."""


def find_by_url(name: str, url: str, sources: Sources, machine: Machine) -> tuple[Offered, ...] | Because:
    """The file at an address, which is fetched if uv does not have it yet."""
    return _answers({name: f"{name} @ {url}"}, AT_ADDRESS, sources, machine)[name]


def _answers(lines: Mapping[str, str], spot: Spot, sources: Sources, machine: Machine) -> Offers:
    found: dict[str, tuple[Offered, ...] | Because] = {}
    left = dict(lines)
    try:
        with scratch() as folder:
            while left:
                found.update(_ask(left, spot, sources, machine, folder))
                left = {name: line for name, line in left.items() if name not in found}
    except OSError as error:
        reason = no_temporary_folder(error.strerror or str(error))
        found.update(dict.fromkeys(left, reason))
    return found


def _ask(lines: Mapping[str, str], spot: Spot, sources: Sources, machine: Machine, folder: str) -> Offers:
    """At least one of the names is answered."""
    asked, output = os.path.join(folder, "requirements.in"), os.path.join(folder, "pylock.toml")
    with open(asked, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines.values())
    links = [_address(spot.source)] if spot.flat else []
    # where an index states no hash, uv fetches the file to make one
    outcome = uv(_argv(asked, output, spot, machine), sources, INSTALL_SECONDS, links=links, planning=True)
    if outcome.code != 0:
        return _refused(lines, refusal(outcome.stderr, spot.source.name, timed_out=outcome.timed_out))
    with open(output, encoding="utf-8") as file:
        text = file.read()
    return _offered(lines, text, spot)


def _address(source: Source) -> str:
    return local_path(source.url) or source.url


def _argv(asked: str, output: str, spot: Spot, machine: Machine) -> list[str]:
    platform = uv_platform(machine.arch, machine.libc)
    return [
        "pip", "compile", "--quiet", "--no-deps", "--no-header", "--no-annotate",
        "--format", "pylock.toml", "--output-file", output, *only_wheels(SDIST_ONLY),
        "--python-version", machine.python, *(["--python-platform", platform] if platform else []),
        *(["--no-index"] if spot.flat else []), "--python", sys.executable, asked,
    ]  # fmt: skip


def _offered(wanted: Mapping[str, str], text: str, spot: Spot) -> Offers:
    """Names that the answer leaves out are not there."""
    try:
        listed = offers_of(text, spot.source.name)
    except UnreadableInput as error:
        return dict.fromkeys(wanted, Because("damaged-index", spot.source.name, error.what))
    nothing = _nothing(spot.source.name)
    return {name: listed.get(name) or nothing for name in wanted}


def _nothing(subject: str) -> Because:
    return refusal("there is no version of it", subject)[0]


def _refused(wanted: Mapping[str, str], chain: Sequence[Because]) -> Offers:
    """uv names the first package that it cannot have. What concerns the place itself concerns every name."""
    first, *rest = chain
    words = {word.split("=")[0].strip("`,.()") for link in rest for word in link.text.en.split()}
    named = [name for name in wanted if name in words]
    if len(wanted) == 1 or not named or first.kind in EVERYWHERE:
        return dict.fromkeys(named if first.kind == "offline" and named else wanted, first)
    return dict.fromkeys(named, first)

"""Each distribution of an environment -> the file that it can be had from again, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from urllib.parse import unquote

import msgspec

from ..project.model import Sources
from ..routes.again import AT_ADDRESS, Machine, Offers, Spot, family_spots, find_again, find_by_url, other_spots
from ..routes.family import is_family
from ..routes.interpreters import tags
from ..routes.model import Because, Tier, Wheel
from ..routes.pylock import Offered
from .adopt_compare import Claims, is_changed, is_this, metadata_sha256, recorded
from .adopt_reading import Installed, OriginKind
from .lost import CANNOT_TELL
from .model import Lost

GONE: Mapping[OriginKind, str] = {
    "editable": "editable", "folder": "from-a-folder", "version-control": "from-version-control",
    "conda": "from-conda", "no-wheel": "not-from-a-wheel", "twice": "installed-twice", "malformed": "malformed",
}  # fmt: skip
"""Origins from which no file can be had again, and how the lock says so."""
STATED = ("only-source", "no-wheel-for-python", "no-wheel-for-platform", "python-too-old")

Agrees = Callable[[Wheel, str], "bool | None"]
"""Whether a wheel on the network has a METADATA of that sha256; None: that cannot be told without the whole wheel."""
AT_ONCE = 8


class Again(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was found."""

    wheel: Wheel
    tier: Tier
    proven: bool
    """Whether it was shown to be the very file that is installed; else it bears its name, version and tags."""


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """All that finding needs to know."""

    sources: Sources
    machine: Machine
    agrees: Agrees


def find_all(every: Sequence[Installed], search: Search) -> dict[str, Again | Lost]:
    """By name. The torch family is looked for where it is published, all else in the default indices."""
    found: dict[str, Again | Lost] = {}
    left: dict[str, tuple[Installed, Claims | None]] = {}
    for one in every:
        claims = recorded(one) if one.origin.kind not in GONE else None
        why = GONE.get(one.origin.kind) or _spoilt(one, claims)
        if why:
            before = found.get(one.name)  # of two over each other both versions are named
            versions = [before.version] if isinstance(before, Lost) else []
            found[one.name] = Lost(name=one.name, version=", ".join([*versions, one.version]), why=why)
        else:
            left[one.name] = one, claims
    local = _local(every)
    family = {name: pair for name, pair in left.items() if is_family(name)}
    others = {name: pair for name, pair in left.items() if name not in family}
    for some, spots in ((family, family_spots(search.sources, local)), (others, other_spots(search.sources))):
        found.update(_Round(some, search).through(spots))
    return found


def _spoilt(one: Installed, claims: Claims | None) -> str | None:
    if one.origin.kind == "archive" and not one.origin.url.partition("#")[0].endswith(".whl"):
        return "built-from-source"
    if claims is None:
        return "no-record"
    return "changed" if is_changed(one, claims) else None


def _local(every: Iterable[Installed]) -> str | None:
    """Local part of torch's version, which names its index."""
    version = next((one.version for one in every if one.name == "torch"), "")
    return version.partition("+")[2].lower() or None


class _Round:
    """One group of distributions, on its way through the places."""

    def __init__(self, some: Mapping[str, tuple[Installed, Claims | None]], search: Search) -> None:
        self.some, self.search = some, search
        self.found: dict[str, Again] = {}
        self.why: dict[str, str] = {}

    def through(self, spots: Sequence[Spot]) -> dict[str, Again | Lost]:
        """Of a name that several places offer, the first one's that is not proven to be another file."""
        for spot in spots:
            wanted = {name: one.version for name, (one, _) in self.some.items() if name not in self.found}
            if wanted:
                self._take(find_again(wanted, spot, self.search.sources, self.search.machine), spot)
        self._by_address()
        return {name: self.found.get(name) or self._lost(one) for name, (one, _) in self.some.items()}

    def _by_address(self) -> None:
        """What was installed from an address may still be there."""
        for name, (one, _) in self.some.items():
            url = one.origin.url
            if name in self.found or one.origin.kind != "archive" or not _is_address(url):
                continue
            stated = f"#sha256={one.origin.sha256}" if one.origin.sha256 else ""
            offered = find_by_url(name, url.partition("#")[0] + stated, self.search.sources, self.search.machine)
            self._take({name: offered}, AT_ADDRESS)

    def _take(self, offers: Offers, spot: Spot) -> None:
        from concurrent.futures import ThreadPoolExecutor

        there = {name: offered for name, offered in offers.items() if not isinstance(offered, Because)}
        with ThreadPoolExecutor(AT_ONCE) as pool:
            chosen = pool.map(lambda name: self._chosen(name, there[name], spot), there)
            found = dict(zip(there, chosen, strict=True))
        for name, offered in offers.items():
            again = found.get(name)
            if isinstance(offered, Because):
                self._because(name, offered.kind)
            elif again is None:
                self._because(name, "other-file")
            elif again.proven or self._is_trusted(name, spot):
                self.found[name] = again

    def _is_trusted(self, name: str, spot: Spot) -> bool:
        """A further index counts for what the main one does not have; whether it has it must be known."""
        return spot.trusted and not (spot.tier == "local" and self.why.get(name) in CANNOT_TELL)

    def _because(self, name: str, kind: str) -> None:
        """The reason that says most: another file was there; it is not known; only source is there; nothing is."""
        kind = kind if kind in (*CANNOT_TELL, *STATED, "other-file") else "not-offered"
        order = ("not-offered", *STATED, *CANNOT_TELL, "other-file")
        self.why[name] = max(self.why.get(name, "not-offered"), kind, key=order.index)

    def _lost(self, one: Installed) -> Lost:
        why = self.why.get(one.name, "not-offered")
        if why == "not-offered" and one.origin.kind == "archive":
            why = "from-an-archive"
        return Lost(name=one.name, version=one.version, why=why)

    def _chosen(self, name: str, offered: Sequence[Offered], spot: Spot) -> Again | None:
        one, claims = self.some[name]
        first: Again | None = None
        for file in _ordered(one, offered, self.search.machine):
            same = self._is_same(one, claims, file)
            again = Again(wheel=file.wheel, tier=spot.tier, proven=bool(same))
            if same:
                return again
            if same is None and first is None and _may_be(one, file.wheel, spot):
                first = again
        return first

    def _is_same(self, one: Installed, claims: Claims | None, file: Offered) -> bool | None:
        """By the hash that its installer recorded of the file; by RECORD of one that is here; by METADATA."""
        if one.origin.sha256 is not None:
            return one.origin.sha256 == file.wheel.sha256
        if file.wheel.is_source:
            return None
        if file.path is not None:
            return is_this(file.path, one, claims)
        mine = metadata_sha256(one)
        # the same METADATA is no proof of the same file, another one is proof of another
        return False if mine is not None and self.search.agrees(file.wheel, mine) is False else None


def _is_address(url: str) -> bool:
    """That of a wheel, in one word: it goes into a line that uv reads."""
    plain = url.isascii() and url.isprintable() and not any(sign.isspace() for sign in url)
    return plain and url.startswith(("https://", "http://")) and url.partition("#")[0].endswith(".whl")


def _may_be(one: Installed, wheel: Wheel, spot: Spot) -> bool:
    """Without any proof: of what was installed from an archive, only a file of that name; of what bears other tags
    (it was built here), none but PyTorch's, some of which were renamed after they were built."""
    if one.origin.kind == "archive" and unquote(one.origin.url.split("#")[0].rpartition("/")[2]) != wheel.filename:
        return False
    theirs = _tags(wheel.filename)
    return not theirs or bool(theirs & one.tags) or is_family(one.name) or spot is AT_ADDRESS


def _ordered(one: Installed, offered: Sequence[Offered], machine: Machine) -> list[Offered]:
    """Files with just the tags that the installed wheel had, then those that share some, then those that fit."""
    fit = tags(".".join(machine.python.split(".")[:2]), machine.arch, machine.libc)
    ranks = [(_rank(one, _tags(file.wheel.filename), fit), at) for at, file in enumerate(offered)]
    return [offered[at] for rank, at in sorted(ranks) if rank < 3]


def _rank(one: Installed, theirs: frozenset[str], fit: frozenset[str]) -> int:
    if theirs and theirs == one.tags:
        return 0
    if theirs & one.tags:
        return 1
    # `linux_x86_64` stands in wheels that were renamed for an index after they were built
    return 2 if not theirs or theirs & fit else 3


def _tags(filename: str) -> frozenset[str]:
    """None of an sdist, and of what is no wheel's name."""
    from packaging.utils import InvalidWheelFilename, parse_wheel_filename
    from packaging.version import InvalidVersion

    try:
        return frozenset(str(tag) for tag in parse_wheel_filename(filename)[3])
    except (InvalidWheelFilename, InvalidVersion):
        return frozenset()

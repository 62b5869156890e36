"""One machine's package manager, asked many questions: its own sources, and others as if they were added."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial

import msgspec

from ...catalog.debian.apt_conf import read_config
from ...catalog.debian.catalogue import read_catalogue
from ...catalog.debian.lists import LISTS, release_names
from ...catalog.debian.model import DebianCatalogue, Index, Lacking, PinRule
from ...catalog.debian.suites import Asked, Suites
from ...catalog.model import Trouble
from ...catalog.parallel import in_parallel
from ...facts.model import Facts, Unknown
from ...host.model import Host, HostKind, Unread
from ...host.state import user_cache
from ...knowledge.repositories import Distribution, Suite, VendorRepository, vendors
from ...project.model import Backend, Sources
from ..model import Because, Route
from . import reasons
from .ask import Solver
from .elsewhere import mapped
from .model import Request
from .near import near
from .solved import Setting, closed, route_of
from .trusting import Trusting
from .vendors import Candidate, Where, candidates, is_configured, of_vendor, where
from .versions import encoded

CONFIGURED = "apt-configured"
"""Name of the route through the machine's own sources, of packages that were named."""
AT_ONCE = 4


def older(one: str, other: str) -> bool:
    """Whether the first version is the lower one, by Debian's rules."""
    return _key(one) < _key(other)


def _key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in encoded(version).split("."))


class Session:
    """Nothing is read before something is asked. Catalogues and solvers are kept: a second question costs little."""

    def __init__(
        self, host: Host, facts: Facts, sources: Sources, *, release: Distribution | None = None,
        cache: str | None = None, cached: bool = False,
    ) -> None:  # fmt: skip
        """`release`: another release of a distribution, right after it was installed. `cached`: nothing is fetched that
        our own cache does not hold."""
        from ...catalog.fetch import Network

        self.at = _with_architecture(where(facts, release), host)
        self._host, self._facts, self._sources = host, facts, sources
        self._release = release
        self._cache = cache if cache is not None else user_cache(os.environ)
        network = Network(msgspec.structs.replace(sources, offline=True) if cached else sources, os.environ)
        self._suites = Suites(network, self._cache)
        self._trusting = Trusting(host, facts, sources)
        self._own: DebianCatalogue | None = None
        self._known: dict[str, tuple[Index, ...] | Because] = {}
        self._notes: list[Because] = []
        self._solvers: dict[tuple[str, ...], Solver] = {}

    @property
    def has_apt(self) -> bool:
        """Whether anything of apt is known of the machine."""
        found = self._facts.repositories
        return not isinstance(found, Unknown) and bool(found)

    def routes(self, backends: Sequence[Backend]) -> tuple[Route, ...]:
        """What distributions and vendors offer for these backends, judged."""
        if not self.has_apt:
            return ()
        return self._judged(list(candidates(backends, self._facts, self.at)))

    def packages(self, names: Sequence[str]) -> tuple[Route, ...]:
        """The machine's own sources first; then vendors' that it lacks, where their packages are meant."""
        own = Candidate(name=CONFIGURED, tier="local", backend="cpu", part="packages", asked=tuple(names))
        if not self.has_apt:
            return (closed(own, self._without_apt()),)
        first = self._judged([own])[0]
        if first.verdict in ("works", "harmful"):
            return (first,)
        further = [self._with(repository, names) for repository in vendors() if self._meant(repository, names)]
        return (first, *self._judged(further))

    def judged(self, name: str) -> Route | None:
        """One candidate by the name of its route; None: there is none so called, or knowledge alone says no."""
        found = [one for one in candidates(("rocm", "cuda"), self._facts, self.at) if one.name == name]
        if not found:
            found = [of_vendor(one, self._facts, self.at, configured=False) for one in vendors() if one.name == name]
        open_ = [one for one in found if one.closed is None]
        return self._judged(open_)[0] if open_ else None

    def _judged(self, found: Sequence[Candidate]) -> tuple[Route, ...]:
        """What has to be fetched is, at the same time; the solver is asked one question after the other."""
        in_parallel([partial(self._warm, one) for one in found], AT_ONCE)
        return tuple(map(self._route, found))

    def _warm(self, candidate: Candidate) -> None:
        repository, suite = candidate.repository, candidate.suite
        if repository is not None and suite is not None and not candidate.configured and candidate.closed is None:
            self._fetched(repository, suite)

    def _route(self, candidate: Candidate) -> Route:
        codename = self._release.codename if self._release else None
        if candidate.closed is not None:
            return closed(candidate, candidate.closed, release=codename)
        base = self._catalogue()
        lacks = self._lacks(base)
        if lacks is not None and not base.indices:
            return closed(candidate, lacks, release=codename)
        ground = self._ground(candidate, base)
        if isinstance(ground, Because):
            return closed(candidate, ground, release=codename)
        catalogue, notes = ground
        solver = self._solver(catalogue)
        solved = solver.ask(Request(wanted=candidate.asked))
        setting = Setting(
            catalogue=catalogue, older=older, label=self.at.label, version_id=self.at.version_id,
            codename=self.at.release.codename if self.at.release else "", megabits=self._sources.megabits,
            release=codename, notes=notes,
            near=lambda name: near(name, solver.loaded.pool.all_names()),
        )  # fmt: skip
        route = route_of(candidate, solved, setting)
        if route.verdict == "blocked" and lacks is not None:
            return closed(candidate, lacks, *route.because, release=codename)
        return route

    def _ground(
        self, candidate: Candidate, base: DebianCatalogue
    ) -> tuple[DebianCatalogue, tuple[Because, ...]] | Because:
        """The catalogue that the candidate is asked of, and what has to be known of it."""
        notes: list[Because] = [reasons.fresh(self.at.label), *self._notes] if self._release else []
        notes += self._driver(candidate)
        repository, suite = candidate.repository, candidate.suite
        if repository is None or candidate.configured:
            return base, tuple(notes)
        if suite is None:
            return reasons.release_unknown(repository, self.at.label)
        fetched = self._fetched(repository, suite)
        if isinstance(fetched, Because):
            return fetched
        address = self._remapped(repository.name, repository.address(suite))
        notes.append(reasons.without_source(repository, address, suite.suite or "/"))
        pins = base.pins
        if repository.pin is not None and repository.origin:
            pins = (*pins, _pin(repository))
            notes.append(reasons.with_pin(repository))
        return _with(base, fetched, pins), tuple(notes)

    def _driver(self, candidate: Candidate) -> list[Because]:
        """Whether a driver serves the GPU already."""
        if candidate.part != "driver" or self._release is not None:
            return []
        amd, nvidia = self._facts.driver.amd, self._facts.driver.nvidia
        if candidate.backend == "rocm" and amd.loaded is True:
            kind = amd.kind if isinstance(amd.kind, str) else "amdgpu"
            return [reasons.driver_serves(f"amdgpu, {kind}", amd.version if isinstance(amd.version, str) else "")]
        if candidate.backend == "cuda" and nvidia.loaded is True:
            return [reasons.driver_serves("nvidia", nvidia.version if isinstance(nvidia.version, str) else "")]
        return []

    def _fetched(self, repository: VendorRepository, suite: Suite) -> tuple[Index, ...] | Because:
        if repository.name not in self._known:
            address, place = repository.address(suite), suite.place
            asked = Asked(
                name=repository.name, uri=self._remapped(repository.name, address), suite=suite.suite or "/",
                components=() if repository.flat else repository.components,
                architecture=self.at.architecture or "amd64",
            )  # fmt: skip
            found = self._suites.fetch(asked, self._trusting.of_key(repository.name, repository.key, place))
            self._known[repository.name] = (
                _refused(found, repository.name) if isinstance(found, Trouble) else found.indices
            )
        return self._known[repository.name]

    def _remapped(self, name: str, url: str) -> str:
        """Where the user's settings take a source from."""
        return next((one.url for one in self._sources.repositories if one.name == name), url)

    def _catalogue(self) -> DebianCatalogue:
        if self._own is None:
            self._own = self._read()
        return self._own

    def _read(self) -> DebianCatalogue:
        found = [] if isinstance(self._facts.repositories, Unknown) else self._facts.repositories
        native = self.at.architecture
        if self._release is None:
            return self._trusted(read_catalogue(self._host, found, self._facts.apt, native=native))
        other = mapped(found, self._facts, self._release, self._remapped)
        told = read_catalogue(self._host, [one.repository for one in other], self._facts.apt, native=native)
        here = {(one.uri, one.suite) for one in told.indices}
        lacking: list[Lacking] = []
        extra: list[Index] = []
        for one in other:
            for suite in one.repository.suites:
                if (one.repository.uris[0], suite) in here:
                    continue
                got = self._suites.fetch(
                    Asked(name=one.name, uri=one.repository.uris[0], suite=suite,
                          components=tuple(one.repository.components), architecture=native or "amd64"),
                    self._trusting.of_source(one.repository, one.name, one.key),
                )  # fmt: skip
                if not isinstance(got, Trouble):
                    extra += got.indices
                elif got.kind == "not-there" and not one.needed:
                    self._notes.append(reasons.suite_not_served(one.repository.uris[0], suite))
                else:
                    lacking.append(Lacking(what=f"{one.repository.uris[0]} {suite}", why=got.text.en))
        return DebianCatalogue(
            config=told.config, pins=told.pins, installed=(), indices=(*told.indices, *extra), lacking=tuple(lacking)
        )

    def _trusted(self, catalogue: DebianCatalogue) -> DebianCatalogue:
        return self._trusting.marked(catalogue)

    def _lacks(self, catalogue: DebianCatalogue) -> Because | None:
        """What a no would hang on; None: all is there that apt itself would use."""
        if self._host.kind is HostKind.RECORDED and not catalogue.indices:
            return reasons.no_index("/var/lib/apt/lists", "not-captured")
        for one in catalogue.lacking:
            if one.why == "no-index" and not self._has_release(one.what):
                return reasons.no_index(one.what, one.why)
            if self._release is not None:
                return reasons.no_index(one.what, one.why)
        return None

    def _has_release(self, what: str) -> bool:
        """apt keeps the Release of a suite also where it has no index for this architecture."""
        uri, _, suite = what.partition(" ")
        names = self._host.names(LISTS)
        return not isinstance(names, Unread) and any(one in names for one in release_names(uri, suite))

    def _solver(self, catalogue: DebianCatalogue) -> Solver:
        key = tuple(f"{one.path} {one.ours}" for one in catalogue.indices) + tuple(map(repr, catalogue.pins))
        if key not in self._solvers:
            self._solvers[key] = Solver(catalogue, self._host, os.path.join(self._cache, "system"))
        return self._solvers[key]

    def _with(self, repository: VendorRepository, names: Sequence[str]) -> Candidate:
        made = of_vendor(repository, self._facts, self.at, configured=False)
        shut = (
            made.closed if made.closed and made.closed.kind not in ("no-code-for-chip", "needs-inbox-driver") else None
        )
        return Candidate(
            name=f"apt-{repository.name}", tier="vendor", backend=repository.backend, part="packages",
            asked=tuple(names), repository=repository, suite=made.suite, closed=shut,
        )  # fmt: skip

    def _meant(self, repository: VendorRepository, names: Sequence[str]) -> bool:
        """Whether one of the names is of the vendor's kind, and the machine does not have its source."""
        if not repository.offered or is_configured(repository, self._facts, self.at):
            return False
        return any(name.startswith(_BEGINNINGS[repository.generation]) for name in names)

    def _without_apt(self) -> Because:
        found = self._facts.repositories
        told = isinstance(found, Unknown) and found.unknown != "absent"
        return reasons.not_captured("/etc/apt") if told else reasons.no_apt()


_BEGINNINGS: dict[str, tuple[str, ...]] = {
    "rocm": ("rocm", "hip", "roc", "miopen", "rccl", "comgr", "hsa-"),
    "amdrocm": ("amdrocm",),
    "amdgpu": ("amdgpu",),
    "cuda": ("cuda", "nvidia", "libcu", "libnvidia", "libnccl"),
}


def _with_architecture(at: Where, host: Host) -> Where:
    """A private root has no processor: apt's and dpkg's own files tell."""
    if at.architecture is not None:
        return at
    config, lacking = read_config(host)
    return at if lacking else msgspec.structs.replace(at, architecture=config.architectures[0])


def _pin(repository: VendorRepository) -> PinRule:
    return PinRule(
        packages=("*",), kind="release", value=f"o={repository.origin}", priority=repository.pin or 0,
        file="(as its maker documents)",
    )  # fmt: skip


def _with(base: DebianCatalogue, extra: Sequence[Index], pins: Sequence[PinRule]) -> DebianCatalogue:
    return msgspec.structs.replace(base, indices=(*base.indices, *extra), pins=tuple(pins))


def _refused(trouble: Trouble, name: str) -> Because:
    kind = "unverified" if trouble.kind == "damaged-index" else trouble.kind
    return reasons.not_fetched(kind, name, trouble.text)

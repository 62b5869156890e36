"""Every way through the package manager that answers the goal's system part, before any of them is judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from ...facts.compute import to_compute_on
from ...facts.model import Facts, Repository, Unknown
from ...knowledge.repositories import (
    Distribution,
    Suite,
    VendorRepository,
    distribution,
    distributions,
    requests,
    vendors,
)
from ...project.model import Backend
from ..gpus import targets
from ..model import Because, Part, Tier
from . import reasons

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
"""uname -m -> Debian's name."""
Source = Literal["configured", "extra"]


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One way."""

    name: str
    """Of the route."""
    tier: Tier
    backend: Backend
    part: Part
    asked: tuple[str, ...] = ()
    """In apt-get's syntax."""
    repository: VendorRepository | None = None
    """A vendor's; None: what the machine has."""
    suite: Suite | None = None
    configured: bool = False
    """Whether the vendor's source is on the machine already."""
    closed: Because | None = None
    """Why it need not be judged."""


class Where(msgspec.Struct, frozen=True, kw_only=True):
    """What it is judged for."""

    architecture: str | None
    """Debian's name; None: not known."""
    release: Distribution | None
    """None: not known to us."""
    label: str
    """Of the release, for people."""
    version_id: str = ""


def where(facts: Facts, release: Distribution | None = None) -> Where:
    """The machine's own release, or another one."""
    machine = facts.arch if isinstance(facts.arch, str) else ""
    if release is None:
        release = own_release(facts)
        named = facts.os.pretty_name if isinstance(facts.os.pretty_name, str) else ""
        label, version = (release.label if release else named), facts.os.version_id
        return Where(
            architecture=ARCHITECTURES.get(machine), release=release, label=label,
            version_id=version if isinstance(version, str) else "",
        )  # fmt: skip
    return Where(
        architecture=ARCHITECTURES.get(machine), release=release, label=release.label, version_id=release.version or ""
    )


def own_release(facts: Facts) -> Distribution | None:
    """The machine's release, if it is one that is known to us."""
    codename, id = facts.os.codename, facts.os.id
    if isinstance(codename, str) and codename:
        return distribution(codename)
    pretty = facts.os.pretty_name
    if id == "debian" and isinstance(pretty, str) and pretty.endswith("/sid"):
        return distribution("sid")
    version = facts.os.version_id
    return distribution(f"{id} {version}") if isinstance(version, str) and isinstance(id, str) else None


def candidates(backends: Sequence[Backend], facts: Facts, at: Where) -> Iterator[Candidate]:
    """What distributions and vendors offer for these backends, in the order of the tables."""
    for backend in ("rocm", "cuda"):
        if backend not in backends:
            continue
        yield from _of_distribution(backend, at)
        for repository in vendors():
            configured = is_configured(repository, facts, at)
            if repository.backend == backend and (repository.offered or configured):
                yield of_vendor(repository, facts, at, configured=configured)


def _of_distribution(backend: Backend, at: Where) -> Iterator[Candidate]:
    rows = [one for one in requests() if one.backend == backend]
    for name in dict.fromkeys(one.name for one in rows):
        same = [one for one in rows if one.name == name]
        fit = next((one for one in same if at.release and at.release.codename in one.codenames), None)
        closed = None if fit else reasons.not_the_distributions(at.label or "?", name)
        yield Candidate(
            name=name, tier="distro", backend=backend, part=(fit or same[0]).part, asked=fit.packages if fit else (),
            closed=closed,
        )  # fmt: skip


def of_vendor(repository: VendorRepository, facts: Facts, at: Where, *, configured: bool) -> Candidate:
    """A vendor's repository on a release; closed where its own list says no."""
    suite = repository.suite(at.release.codename, at.architecture or "") if at.release else None
    asked = tuple(_packages(repository, facts))
    return Candidate(
        name=repository.name, tier="vendor", backend=repository.backend, part=repository.part, asked=asked,
        repository=repository, suite=suite, configured=configured,
        closed=_closed(repository, suite, facts, at, asked, configured=configured),
    )  # fmt: skip


def _packages(repository: VendorRepository, facts: Facts) -> Iterator[str]:
    found = targets(repository.backend, facts)
    for name in repository.packages:
        if "{target}" not in name:
            yield name
        for target in found:
            if "{target}" in name and target in repository.targets:
                yield name.replace("{target}", target)
    if not found and repository.meta:
        yield repository.meta


def _closed(
    repository: VendorRepository, suite: Suite | None, facts: Facts, at: Where, asked: Sequence[str],
    *, configured: bool,
) -> Because | None:  # fmt: skip
    if at.architecture is None:
        return reasons.not_captured("arch")
    if at.architecture not in repository.architectures:
        return reasons.not_for_architecture(repository, at.architecture)
    apu = next((gpu for gpu in to_compute_on(facts.gpus, "amd") if gpu.apu), None)
    if not repository.apus and apu is not None:
        return reasons.inbox_driver(repository, apu.target or "?")
    if not asked:
        found = targets(repository.backend, facts)
        return reasons.no_package_for_target(repository, found[0] if found else "?")
    if suite is None and not configured:
        return _unserved(repository, at)
    return None


def _unserved(repository: VendorRepository, at: Where) -> Because:
    if not repository.complete or at.release is None:
        return reasons.release_unknown(repository, at.label or "?")
    codenames = {one.codename for one in repository.suites}
    served = [one.label for one in distributions() if one.codename in codenames]
    return reasons.not_for_release(repository, at.label, served)


def is_configured(repository: VendorRepository, facts: Facts, at: Where) -> bool:
    """Whether an enabled source of the machine is this repository, at its own address."""
    suite = repository.suite(at.release.codename, at.architecture or "") if at.release else None
    address = repository.address(suite) if suite else repository.url.partition("{place}")[0]
    wanted = _plain(address)
    found = [] if isinstance(facts.repositories, Unknown) else facts.repositories
    return any(
        _plain(uri) == wanted or ("{place}" in repository.url and suite is None and _plain(uri).startswith(wanted))
        for one in found
        if _enabled(one)
        for uri in one.uris
    )


def _enabled(one: Repository) -> bool:
    return one.enabled and "deb" in one.types


def _plain(url: str) -> str:
    """An address as far as it tells two places apart."""
    return url.partition("://")[2].rstrip("/").lower()

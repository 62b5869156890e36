"""The host against the conditions that the lock names, and the variables that it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ..facts.model import Facts, Unknown
from ..facts.value import Fact
from ..host.model import HostKind
from ..routes.model import Wheel
from .build import Build
from .difference import Difference, DifferenceKind
from .drift_host_words import UNKNOWN, arch_effect, driver_effect, gpus_effect, kernel_effect, libc_effect
from .drift_words import VARIABLE, Effect
from .model import BackendLock, HostConditions


def driver_of(facts: Facts) -> Fact[str]:
    """The one that a lock names: NVIDIA's, else AMD's where it is not the kernel's own."""
    nvidia = facts.driver.nvidia.version
    return facts.driver.amd.version if isinstance(nvidia, Unknown) else nvidia


def host_differences(
    said: HostConditions, build: Build, locked: Sequence[Wheel], facts: Facts, booted: float | None
) -> tuple[list[Difference], int]:
    """(differences, conditions that were compared). What the lock does not name is no condition. `booted`: since when
    the kernel runs."""
    found: list[Difference] = []
    conditions = 0
    compared: tuple[tuple[DifferenceKind, str | None, Fact[str], Callable[[str], Effect], float | None], ...] = (
        ("arch", None if said.arch == "unknown" else said.arch, facts.arch, arch_effect, None),
        ("libc", said.libc, facts.os.libc, lambda here: libc_effect(here, facts, locked), None),
        ("kernel", said.kernel, facts.kernel.release, lambda here: kernel_effect(here, build, facts), booted),
    )
    for kind, wanted, fact, effect, since in compared:
        if wanted is None:
            continue
        conditions += 1
        if isinstance(fact, Unknown):
            found.append(_unknown(kind, wanted, fact))
        elif fact != wanted:
            severity, words = effect(fact)
            found.append(Difference(kind=kind, what=kind, lock=wanted, host=fact, since=since, severity=severity,
                                    effect=words))  # fmt: skip
    conditions += 2 if said.driver is not None else 1
    found += _driver(said, build, facts)
    found += _gpus(said, build, facts)
    return found, conditions


def _unknown(kind: DifferenceKind, wanted: str, fact: Unknown) -> Difference:
    why = f"{fact.unknown}: {fact.source}"
    severity, words = UNKNOWN
    return Difference(kind=kind, what=kind, lock=wanted, host=None, severity=severity, effect=words.fill(why=why),
                      unknown=why)  # fmt: skip


def _driver(said: HostConditions, build: Build, facts: Facts) -> Iterator[Difference]:
    fact = driver_of(facts)
    if said.driver is None:
        # of ROCm's driver, none is named where the kernel's own was used
        if isinstance(fact, Unknown) or build.backend != "rocm":
            return
    elif isinstance(fact, Unknown) and not _is_gone(facts):
        yield _unknown("driver", said.driver, fact)
        return
    here = None if isinstance(fact, Unknown) else fact
    if here != said.driver:
        severity, words = driver_effect(here, build)
        yield Difference(kind="driver", what="driver", lock=said.driver, host=here, severity=severity, effect=words)


def _is_gone(facts: Facts) -> bool:
    """No driver names its version: none is loaded, or it is the kernel's own."""
    versions = (facts.driver.nvidia.version, facts.driver.amd.version)
    return all(isinstance(one, Unknown) and one.unknown == "absent" for one in versions)


def _gpus(said: HostConditions, build: Build, facts: Facts) -> Iterator[Difference]:
    """Which targets, not how many of each: that is what the environment depends on."""
    here = tuple(dict.fromkeys(gpu.target for gpu in facts.gpus if gpu.target))
    gone = [target for target in said.targets if target not in here]
    new = [target for target in here if target not in said.targets]
    if not gone and not new:
        return
    nameless = [gpu for gpu in facts.gpus if gpu.target is None and gpu.vendor != "intel"]
    wanted = ", ".join(said.targets) or None
    if not new and (why := _not_told(facts) if not facts.gpus else nameless and nameless[0].unknown.get("target", "?")):
        severity, words = UNKNOWN
        reason = f"{why}: gpus"
        yield Difference(kind="gpus", what="gpus", lock=wanted, host=", ".join(here) or None, severity=severity,
                         effect=words.fill(why=reason), unknown=reason)  # fmt: skip
        return
    severity, words = gpus_effect(here, new, build, facts)
    yield Difference(kind="gpus", what="gpus", lock=wanted, host=", ".join(here) or None, severity=severity,
                     effect=words)  # fmt: skip


def _not_told(facts: Facts) -> str | None:
    """A bare tree, or a recording without /sys, says nothing of the GPUs that it does not show."""
    drivers = (facts.driver.amd.loaded, facts.driver.nvidia.loaded)
    blank = all(isinstance(one, Unknown) and one.unknown == "not-captured" for one in drivers)
    return "not-captured" if facts.origin.kind is HostKind.TREE or blank else None


def variable_differences(backend: BackendLock, here: Mapping[str, str]) -> Iterator[Difference]:
    """Those that the lock needs, unset or of another value here."""
    for name, value in sorted(backend.variables.items()):
        found = here.get(name)
        if found != value:
            severity, words = VARIABLE
            yield Difference(kind="variable", what=name, lock=value, host=found, severity=severity, effect=words)

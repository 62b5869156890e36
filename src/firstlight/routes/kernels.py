"""Whether a ROCm version and the running kernel go together on the machine's chips."""

from __future__ import annotations

from ..facts.compute import to_compute_on
from ..facts.model import Facts, Unknown
from ..knowledge import releases, rules
from ..knowledge.versions import version_key
from .model import Because
from .reasons import kernel_pair_breaks, kernel_pair_doubtful, not_named_by_amd


def kernel_reason(rocm: str | None, facts: Facts) -> tuple[Because | None, Because | None]:
    """(what blocks, what only gives pause), by the pairs in knowledge/kernels.toml. Nothing known: (None, None)."""
    release = facts.kernel.release
    if rocm is None or isinstance(release, Unknown):
        return None, None
    pause = None
    for target in dict.fromkeys(gpu.target for gpu in to_compute_on(facts.gpus, "amd") if gpu.target):
        outcomes = _outcomes(target, rocm, release, facts)
        if outcomes and outcomes == {"fails"}:
            return kernel_pair_breaks(target, rocm, release, _goes(target, rocm, release, facts)), None
        if outcomes - {"ok"} or (not outcomes and _lacks_fixes(target, release, facts)):
            pause = kernel_pair_doubtful(target, rocm, release, _fixed(target))
    return None, pause


def unnamed(rocm: str | None, facts: Facts) -> tuple[Because, ...]:
    """A note for each chip here that AMD's list of the ROCm release does not name; none where no list was read."""
    if rocm is None:
        return ()
    targets = dict.fromkeys(gpu.target.split(":")[0] for gpu in to_compute_on(facts.gpus, "amd") if gpu.target)
    line = _releases(rocm)[-1]
    left = [target for target in targets if rules.official(target, line) is False]
    return tuple(not_named_by_amd(one, rocm, dropped=rules.rocm_dropped(one, line) is True) for one in left)


def _outcomes(target: str, rocm: str, release: str, facts: Facts) -> set[str]:
    fixed = rules.kernel_fixed(target, release, os_id=_known(facts.os.id), version_id=_known(facts.os.version_id))
    if fixed is None:
        return set()
    return {pair for one in _releases(rocm) if (pair := rules.kernel_pair(target, one, fixed=fixed)) is not None}


def _goes(target: str, rocm: str, release: str, facts: Facts) -> str | None:
    """The first newer ROCm that is known to go with a kernel that has the fixes; None on an older kernel."""
    rule = rules.kernel_minimum(target)
    if rule is None or _lacks_fixes(target, release, facts):
        return None
    starts = (first for pair in rule.pairs if pair.fixed == "ok" for first, _ in pair.rocm)
    return min((one for one in starts if version_key(one) > version_key(rocm)), key=version_key, default=None)


NAMES = {"ubuntu-hwe-24.04": " (Ubuntu 24.04 HWE)", "ubuntu-oem": " (Ubuntu OEM)"}


def _fixed(target: str) -> str:
    """`6.18.4, 6.17.0-19 (Ubuntu 24.04 HWE), ...`: the first kernels with the fixes."""
    rule = rules.kernel_minimum(target)
    return ", ".join(f"{one.release}{NAMES.get(one.flavour, '')}" for one in reversed(rule.fixed if rule else ()))


def _lacks_fixes(target: str, release: str, facts: Facts) -> bool:
    return (
        rules.kernel_fixed(target, release, os_id=_known(facts.os.id), version_id=_known(facts.os.version_id)) is False
    )


def _releases(rocm: str) -> list[str]:
    """An index named by two numbers holds any of that line's releases: which one, its name does not tell."""
    if rocm.count(".") >= 2:
        return [rocm]
    line = [one.version for one in releases.rocm() if one.version.startswith(f"{rocm}.")]
    return line or [rocm]


def _known(fact: str | Unknown | None) -> str | None:
    return None if fact is None or isinstance(fact, Unknown) else fact

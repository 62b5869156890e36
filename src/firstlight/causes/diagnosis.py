"""All causes judged on one machine, root causes first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from ..facts.model import Facts
from .catalogue import catalogue
from .model import Cause, Finding, Severity, judge_all

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust

LAYERS = (
    "hardware", "kernel", "driver", "firmware", "permissions", "container", "virtualisation", "apt", "library",
    "wheel", "python", "network", "memory", "performance",
)  # fmt: skip
"""Families from the machine's bottom up: what is broken below is mended before what stands on it. How much memory
there is, and how fast, matters once something runs."""
_SEVERITIES: tuple[Severity, ...] = ("blocking", "degrading", "advice")


def diagnose(facts: Facts, trust: Trust | None = None) -> tuple[Finding, ...]:
    """Every cause of the catalogue judged: found ones first, each root with its consequences directly under it; then
    those that cannot be told, then those that are ruled out. Pure: equal facts give equal findings. `trust`: of the
    machine's apt sources (`judge_trust`); None: it was not looked at."""
    return arrange(catalogue(), judge_all(catalogue(), facts, trust))


def arrange(causes: tuple[Cause, ...], findings: list[Finding]) -> tuple[Finding, ...]:
    """`findings` with their roots named, in order. Linear in their number but for the sorting."""
    found = {one.id: one for one in findings if one.verdict == "found"}
    parents = {cause.id: [id for id in cause.follows if id in found] for cause in causes if cause.id in found}
    roots = {id: _root(id, parents) for id in found}
    own = {cause.id: cause.severity for cause in causes}
    linked = [_with_root(one, found[roots[one.id]], own[roots[one.id]]) for one in found.values()]
    worst = {root: min(_severity(one) for one in linked if roots[one.id] == root) for root in set(roots.values())}
    linked.sort(key=lambda one: (worst[roots[one.id]], _rank(found[roots[one.id]]), one.follows or "", _rank(one)))
    rest = [one for one in findings if one.verdict != "found"]
    rest.sort(key=lambda one: (one.verdict == "clear", _severity(one), _rank(one)))
    return (*linked, *rest)


def _root(id: str, parents: Mapping[str, list[str]]) -> str:
    """What stands above all else that `id` follows from. A ring has the least id as its root."""
    seen = [id]
    while parents[seen[-1]]:
        above = parents[seen[-1]][0]
        if above in seen:
            return min(seen[seen.index(above) :])
        seen.append(above)
    return seen[-1]


def _with_root(finding: Finding, root: Finding, usual: Severity) -> Finding:
    """Where the facts make the root milder than it usually is (another GPU does the work), so are its consequences."""
    if finding.id == root.id:
        return finding
    if _severity(root) > _SEVERITIES.index(usual) and _severity(finding) < _severity(root):
        finding = msgspec.structs.replace(finding, severity=root.severity)
    return msgspec.structs.replace(finding, follows=root.id)


def _severity(finding: Finding) -> int:
    return _SEVERITIES.index(finding.severity)


def _rank(finding: Finding) -> tuple[int, int, str]:
    """Layer, then what proves more (the more specific), then the id."""
    layer = LAYERS.index(finding.family) if finding.family in LAYERS else len(LAYERS)
    return (layer, -len(finding.evidence), finding.id)

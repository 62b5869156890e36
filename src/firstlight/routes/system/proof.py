"""From the solver's rules that cannot hold together to chains: the wanted package first, the fact last."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence

from ..solver import Pool, Rule
from .model import Link, LinkKind

Describe = Callable[[int], tuple[str, str, str]]
Pinned = Callable[[Sequence[int]], str | None]
"""Of packages that are no candidates: the file of the pin that makes them so; empty where it is not known; None where
the highest version wins, as it does without pins."""


def chains(
    problems: Sequence[Sequence[Rule]], pool: Pool, describe: Describe, held: Mapping[str, int], pinned: Pinned
) -> Iterator[tuple[Link, ...]]:
    """One chain for each problem."""
    for rules in problems:
        chain = _Proof(rules, pool, describe, held, pinned).chain()
        if chain:
            yield chain


class _Proof:
    def __init__(
        self, rules: Sequence[Rule], pool: Pool, describe: Describe, held: Mapping[str, int], pinned: Pinned
    ) -> None:
        self._pool, self._describe, self._held, self._pinned = pool, describe, held, pinned
        self._rules = rules
        self._needs = [rule for rule in rules if rule.kind == "requires"]
        self._facts = [rule for rule in rules if rule.kind in ("missing", "conflicts", "same-name")]

    def chain(self) -> tuple[Link, ...]:
        """Breadth first from what was asked for to the nearest fact, so that the shortest is told."""
        fact = self._fact()
        if fact is None:
            return ()
        path = self._path(fact.package)
        return (*(self._need(rule) for rule in path), self._last(fact))

    def _fact(self) -> Rule | None:
        order = {"missing": 0, "conflicts": 1, "same-name": 2}
        return min(self._facts, key=lambda rule: order[rule.kind], default=None)

    def _path(self, goal: int) -> list[Rule]:
        """Requirements from a package that nothing in the proof requires to the one that fails."""
        into: dict[int, Rule] = {}
        queue = deque([goal])
        seen = {goal}
        while queue:
            package = queue.popleft()
            for rule in self._needs:
                if package in self._pool.fulfilling(rule.relation) and rule.package not in seen:
                    seen.add(rule.package)
                    into[rule.package] = rule
                    queue.append(rule.package)
        path: list[Rule] = []
        start = next(reversed(list(into)), None)
        while start is not None and start in into and len(path) < 50:
            path.append(into[start])
            start = next((one for one in self._pool.fulfilling(into[start].relation) if one in seen), None)
            if start == goal:
                break
        return path

    def _need(self, rule: Rule) -> Link:
        name, version, _ = self._describe(rule.package)
        return Link(wanted=(name, version), relation=self._said(rule), kind="needs")

    def _said(self, rule: Rule) -> str:
        """The relation as the control file writes it."""
        return self._pool.shown(rule.relation)

    def _last(self, rule: Rule) -> Link:
        name, version, _ = self._describe(rule.package)
        other = self._describe(rule.other) if rule.other else ("", "", "")
        if rule.kind == "missing":
            relation = self._said(rule)
            offered = tuple(self._describe(id) for id in self._pool.offered(rule.relation))
            shut_out = self._pool.held_back(rule.relation)
            file = self._pinned(shut_out) if shut_out else None
            kind: LinkKind = "not-offered" if not offered else "version-not-offered" if file is None else "pinned"
            return Link(wanted=(name, version), relation=relation, kind=kind, offered=offered, by=file or "")
        if rule.kind == "same-name":
            why: LinkKind = "held" if other[0] in self._held or name in self._held else "needs-removal"
            return Link(wanted=(name, version), relation=f"{other[0]} (= {other[1]})", kind=why, by=other[0])
        relation = self._said(rule) or other[0]
        return Link(wanted=(name, version), relation=relation, kind="conflicts", by=f"{other[0]} {other[1]}")

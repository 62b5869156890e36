"""Candidates: of each package the one version that apt would take (apt-pkg/policy.cc, GetCandidateVer)."""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence

from ...catalog.debian.model import DebianCatalogue, PinRule
from ...catalog.debian.preferences import FORCED, INSTALLED, fits, index_priority, names, version_fits
from .pools import Loaded, keep_numbers, numbers


class Policy:
    """Priorities of versions, and the candidates that follow from them."""

    def __init__(self, catalogue: DebianCatalogue, loaded: Loaded, cache: str) -> None:
        self._catalogue, self._loaded, self._pool = catalogue, loaded, loaded.pool
        config, pins = catalogue.config, catalogue.pins
        self._general = [index_priority(one, config, pins) for one in loaded.indices]
        self._special = [
            pin for pin in pins if "*" not in pin.packages or len(pin.packages) > 1 or pin.kind == "version"
        ]
        self.disabled = self._without_installed(cache)
        self.candidates: dict[int, int] = {}
        """Of names that are installed: number of the name -> package."""
        self._with_installed()

    def priority(self, id: int) -> int:
        """Of a package in an index, or of an installed one."""
        row = self._pool.row(id)
        pinned = self._pinned(id) if self._special else None
        if pinned is not None:
            return pinned
        return INSTALLED if row.repo == self._loaded.installed else self._general[row.repo]

    def pin_against(self, ids: Sequence[int]) -> str | None:
        """The file of the pin by which one of these is no candidate; empty: it cannot be told which; None: by none, the
        winner has the higher version."""
        for id in ids:
            row = self._pool.row(id)
            mine = self.priority(id)
            others = self._pool.called(self._pool.name(row.name, row.architecture))
            if mine <= 0 or any(self.priority(one) > mine for one in others if one not in self.disabled):
                return self._file(id) or next((file for one in others if (file := self._file(one))), "")
        return None

    def _file(self, id: int) -> str:
        """Of the first pin that decides about a version."""
        row = self._pool.row(id)
        for pin in self._catalogue.pins:
            if (pin.packages == ("*",) or names(pin, row.name, row.name)) and self._means(pin, id):
                return pin.file
        return ""

    def _pinned(self, id: int) -> int | None:
        """By the first stanza that names the package and fits this version of it."""
        said = self._pool.said(id)
        row = self._pool.row(id)
        source = said["source"].partition(" ")[0] or row.name
        same = [one for one in self._pool.called(self._pool.name(row.name, row.architecture)) if self._alike(one, id)]
        for pin in self._special:
            if names(pin, row.name, source) and any(self._means(pin, one) for one in same):
                return pin.priority
        return None

    def _alike(self, one: int, other: int) -> bool:
        return self._pool.row(one).version == self._pool.row(other).version

    def _means(self, pin: PinRule, id: int) -> bool:
        row = self._pool.row(id)
        if pin.kind == "version":
            return version_fits(pin, row.version)
        if row.repo == self._loaded.installed:
            return pin.kind == "release" and pin.value in ("a=now", "now")
        return fits(pin, self._loaded.indices[row.repo])

    def _without_installed(self, cache: str) -> frozenset[int]:
        """All that would be no candidate on an empty machine. Kept: it depends on indices and preferences only."""
        text = f"{self._loaded.key}\n{self._general}\n{self._special}"
        path = os.path.join(cache, f"candidates-{hashlib.sha256(text.encode()).hexdigest()}.json")
        kept = numbers(path)
        if kept is None:
            kept = sorted(self._compared())
            keep_numbers(path, kept)
        return frozenset(kept)

    def _compared(self) -> Iterable[int]:
        groups: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
        for number in range(len(self._loaded.indices)):
            for id, name, version in self._pool.packages(number):
                groups[name].append((self._general[number], version, id))
        for rows in groups.values():
            if len(rows) > 1 or self._special or rows[0][0] < 0:
                yield from self._losers(rows)

    def _losers(self, rows: list[tuple[int, int, int]]) -> Iterable[int]:
        if self._special:
            rows = [(self.priority(id), version, id) for _, version, id in rows]
        merged: dict[int, int] = {}
        for priority, version, _ in rows:
            merged[version] = max(priority, merged.get(version, priority))
        best = self._best((priority, version) for version, priority in merged.items())
        winner = next((id for _, version, id in rows if version == best), None)
        return [id for _, _, id in rows if id != winner]

    def _best(self, versions: Iterable[tuple[int, int]]) -> int | None:
        """Number of the version with the highest priority, of equal ones the highest version; one that is never to be
        taken (0 and below) does not count."""
        rows = [(priority, self._pool.version_of(version), version) for priority, version in versions if priority > 0]
        return max(rows)[2] if rows else None

    def _with_installed(self) -> None:
        """Where a version is there: no older one is a candidate, unless a pin forces it."""
        disabled = set(self.disabled)
        for id, name, version in self._pool.packages(self._loaded.installed):
            others = [one for one in self._rows(name) if one[2] != id]
            have = self._pool.version_of(version)
            rows: dict[int, int] = {version: INSTALLED}
            for priority, number, _ in others:
                if number == version:
                    rows[version] = max(priority, rows[version])
                elif priority >= FORCED or self._pool.version_of(number) > have:
                    rows[number] = max(priority, rows.get(number, priority))
            best = self._best((priority, number) for number, priority in rows.items())
            winner = id if best in (version, None) else next(one for _, number, one in others if number == best)
            disabled |= {one for _, _, one in others if one != winner}
            disabled.discard(winner)
            self.candidates[name] = winner
        self.disabled = frozenset(disabled)

    def _rows(self, name: int) -> list[tuple[int, int, int]]:
        """(priority, number of the version, package) of all packages with the name."""
        return [(self.priority(id), version, id) for id, version in self._pool.of_name(name)]

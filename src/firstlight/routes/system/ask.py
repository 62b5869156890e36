"""What `apt-get install` would do, asked of the solver: the same candidates, holds and words, and the same verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ...catalog.debian.model import DebianCatalogue, Index
from ...catalog.debian.preferences import is_release
from ...host.model import Host
from ..solver import Jobs, Outcome, Row
from .model import Change, Link, LinkKind, Request, Solved
from .policy import Policy
from .pools import Loaded, load
from .proof import chains

MACHINE = "dpkg"
"""Origin of what is installed and offered by no index."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """One word of a request, understood."""

    word: str
    install: tuple[int, ...] = ()
    remove: tuple[int, ...] = ()
    problem: Link | None = None
    release: str = ""


class Solver:
    """Answers any number of requests about one catalogue."""

    def __init__(self, catalogue: DebianCatalogue, host: Host, cache: str) -> None:
        """`cache`: a folder of ours for what was parsed."""
        self.catalogue = catalogue
        self.loaded: Loaded = load(catalogue, host, cache)
        self._pool = self.loaded.pool
        self._pool.disable(())
        self._policy = Policy(catalogue, self.loaded, cache)
        self._held = self._holds()
        self._before = {(row.name, row.architecture): row for row in self._pool.rows(self.loaded.installed)}

    def _holds(self) -> dict[str, int]:
        """Packages on hold: the solver's name -> package."""
        held = {
            self._pool.name(one.name, one.fields.get("architecture", ""))
            for one in self.catalogue.installed
            if one.held
        }
        return {name: id for name in held for id in self._pool.called(name) if self._is_there(id)}

    def _is_there(self, id: int) -> bool:
        return self._pool.row(id).repo == self.loaded.installed

    def ask(self, request: Request) -> Solved:
        """What would change, or why it cannot be. Raises nothing for what is asked."""
        words = [self._understood(word) for word in request.wanted]
        refused = tuple((one.problem,) for one in words if one.problem)
        if refused:
            return Solved(possible=False, problems=refused)
        install = tuple(id for one in words for id in one.install)
        remove = tuple(id for one in words for id in one.remove)
        self._pool.disable(self._policy.disabled - set(install) - self._of_releases(words))
        named = {self._pool.row(id).name for id in (*install, *remove)}
        lock = tuple(id for name, id in self._held.items() if self._pool.row(id).name not in named)
        jobs = Jobs(install=install, remove=remove, lock=lock, recommends=self.catalogue.config.recommends)
        outcome = self._pool.solve(jobs)
        if not outcome.possible:
            return Solved(
                possible=False,
                problems=tuple(
                    chains(outcome.problems, self._pool, self.describe, self._held, self._policy.pin_against)
                ),
            )
        return Solved(possible=True, changes=tuple(self._changes(outcome, set(install))))

    def _of_releases(self, words: Sequence[Wanted]) -> set[int]:
        """`name/suite` also lets what it needs come from there."""
        found: set[int] = set()
        for one in words:
            for number, index in enumerate(self.loaded.indices):
                if one.release and is_release(one.release, index):
                    found |= {id for id, _, _ in self._pool.packages(number)}
        return found

    def _understood(self, word: str) -> Wanted:
        """apt-get(8), install: `name=version`, `name/suite`, `name:arch`, `name-`, `name+`; the whole word is a name
        where there is such a package."""
        if self._known(word):
            return self._install(word, word)
        if word[-1:] == "-" and self._known(word[:-1]):
            return self._remove(word, word[:-1])
        plain = word[:-1] if word[-1:] == "+" else word
        name, equals, version = plain.partition("=")
        if equals:
            return self._exactly(word, name, version)
        name, slash, release = plain.partition("/")
        if slash:
            return self._from_release(word, name, release)
        return self._install(word, plain)

    def _solver_name(self, name: str) -> str:
        name, _, architecture = name.partition(":")
        native = self.catalogue.config.architectures[0]
        return self._pool.name(name, architecture if architecture not in ("", "any", "native") else native)

    def _known(self, name: str) -> bool:
        return bool(self._pool.called(self._solver_name(name)))

    def _install(self, word: str, name: str) -> Wanted:
        ids = self._pool.called(self._solver_name(name))
        candidate = next((id for id in ids if id not in self._policy.disabled), None)
        if candidate is not None:
            return Wanted(word=word, install=(candidate,))
        if ids and (there := next((id for id in ids if self._is_there(id)), None)):
            return Wanted(word=word, install=(there,))
        self._pool.disable(self._policy.disabled)
        providers = {self._pool.row(id).name: id for id in self._pool.providing(self._solver_name(name))}
        if len(providers) == 1:
            return Wanted(word=word, install=(*providers.values(),))
        return Wanted(word=word, problem=self._none(word, ids, tuple(providers.values())))

    def _none(self, word: str, ids: Sequence[int], providers: Sequence[int]) -> Link:
        """No such name, no version that may be taken, or several packages that stand for it."""
        kind: LinkKind = "no-candidate" if ids or providers else "not-offered"
        return Link(wanted=("", ""), relation=word, kind=kind, offered=tuple(map(self.describe, ids or providers)))

    def _exactly(self, word: str, name: str, version: str) -> Wanted:
        ids = self._pool.called(self._solver_name(name))
        fit = [id for id in ids if self._pool.row(id).version == version]
        if fit:
            there = next((id for id in fit if self._is_there(id)), fit[0])
            return Wanted(word=word, install=(there,))
        relation = f"{name} (= {version})"
        kind: LinkKind = "version-not-offered" if ids else "not-offered"
        offered = tuple(map(self.describe, ids))
        return Wanted(word=word, problem=Link(wanted=("", ""), relation=relation, kind=kind, offered=offered))

    def _from_release(self, word: str, name: str, release: str) -> Wanted:
        ids = self._pool.called(self._solver_name(name))
        fit = [id for id in ids if (index := self._index(id)) and is_release(release, index)]
        if fit:
            return Wanted(word=word, install=(fit[0],), release=release)
        kind: LinkKind = "version-not-offered" if ids else "not-offered"
        offered = tuple(map(self.describe, ids))
        return Wanted(word=word, problem=Link(wanted=("", ""), relation=word, kind=kind, offered=offered))

    def _index(self, id: int) -> Index | None:
        repo = self._pool.row(id).repo
        return self.loaded.indices[repo] if repo < len(self.loaded.indices) else None

    def _remove(self, word: str, name: str) -> Wanted:
        there = tuple(id for id in self._pool.called(self._solver_name(name)) if self._is_there(id))
        return Wanted(word=word, remove=there)

    def describe(self, id: int) -> tuple[str, str, str]:
        """Name, version, origin."""
        row = self._pool.row(id)
        index = self._index(id)
        return row.name, row.version, index.label if index else MACHINE

    def _changes(self, outcome: Outcome, asked: set[int]) -> Iterator[Change]:
        before = self._before
        for id in outcome.remove:
            row = self._pool.row(id)
            yield self._change(row, row.version, None)
        for id in outcome.install:
            row = self._pool.row(id)
            old = before.get((row.name, row.architecture)) or self._renamed(row)
            yield self._change(row, old.version if old else None, row.version, auto=id not in asked)

    def _renamed(self, row: Row) -> Row | None:
        """A package may change from one architecture to `all`, and back."""
        native = self.catalogue.config.architectures[0]
        other = {"all": native, native: "all"}.get(row.architecture)
        return self._before.get((row.name, other)) if other else None

    def _change(self, row: Row, before: str | None, after: str | None, *, auto: bool = False) -> Change:
        said = self._pool.said(row.id)
        held = any(self._pool.row(id).name == row.name for id in self._held.values())
        return Change(
            name=row.name, architecture=row.architecture, before=before, after=after,
            origin=self.describe(row.id)[2] if after else "", size=_number(said["size"]) if after else None,
            installed_size=_number(said["installed-size"], 1024), sha256=said["sha256"] if after else "",
            filename=said["filename"] if after else "", held=held, auto=auto,
        )  # fmt: skip


def _number(text: str, times: int = 1) -> int | None:
    return int(text) * times if text.isascii() and text.isdigit() and len(text) < 16 else None

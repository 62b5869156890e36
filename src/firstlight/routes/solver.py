"""libsolv, behind which no other file looks: pools of packages, kept in its format, and answers with their reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from .system.encoding import EITHER, Encoder
from .system.primary import PART, RAW, primary
from .system.versions import decoded, encoded

RuleKind = Literal["job", "unknown-job", "requires", "missing", "conflicts", "same-name", "update", "other"]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One package of the pool."""

    id: int
    name: str
    version: str
    architecture: str
    repo: int
    """Number of the index that it is in; see `Pool.repos`."""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """Why something is impossible: one relation of one package."""

    kind: RuleKind
    package: int = 0
    other: int = 0
    relation: str = ""
    """In the solver's own names."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What would be there afterwards, or the rules that cannot hold together."""

    possible: bool
    install: tuple[int, ...] = ()
    remove: tuple[int, ...] = ()
    problems: tuple[tuple[Rule, ...], ...] = ()


class Jobs(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked."""

    install: tuple[int, ...] = ()
    remove: tuple[int, ...] = ()
    lock: tuple[int, ...] = ()
    unknown: tuple[str, ...] = ()
    recommends: bool = True


class Pool:
    """Packages of several indices, and of the machine."""

    def __init__(self, architectures: tuple[str, ...]) -> None:
        import solv

        self._solv = solv
        self._pool = solv.Pool()
        self._encoder = Encoder(architectures)
        self._raw = solv.SOLVABLE_SUMMARY
        self.repos: list[int] = []
        self._disabled: frozenset[int] | None = None
        self._by_name: dict[int, list[int]] = {}
        self._relations: dict[str, int] = {}
        """Of the rules that were read: their words -> the solver's number."""

    def name(self, name: str, architecture: str) -> str:
        """The solver's name of a package."""
        return self._encoder.name(name, architecture)

    def add(self, packages: Iterable[dict[str, str]], *, installed: bool = False) -> int:
        """A repository of stanzas; returns its number. What has no sound name, version or architecture is left out.
        Raises OSError where there is no room for the text in between."""
        from tempfile import TemporaryFile

        repo = self._pool.add_repo(f"repo{len(self.repos)}")
        with TemporaryFile() as text:
            text.writelines(primary(packages, self._encoder))
            text.flush()
            text.seek(0)
            file = self._solv.xfopen_fd(None, text.fileno())
            repo.add_rpmmd(file, None, 0)
            file.close()
        return self._kept(repo, installed=installed)

    def _kept(self, repo: Any, *, installed: bool) -> int:
        if installed:
            self._pool.installed = repo
        self.repos.append(repo.id)
        return len(self.repos) - 1

    def save(self, number: int, path: str) -> None:
        """A repository in libsolv's own format. Raises OSError."""
        file = self._solv.xfopen(path, "w")
        if file is None:
            raise OSError(f"{path} cannot be written")
        written = self._repo(number).write(file)
        file.close()
        if not written:
            raise OSError(f"{path} cannot be written")

    def load(self, path: str, *, installed: bool = False) -> int | None:
        """The number of a repository that was saved; None if the file is damaged."""
        file = self._solv.xfopen(path)
        if file is None:
            return None
        repo = self._pool.add_repo(f"repo{len(self.repos)}")
        read = repo.add_solv(file)
        file.close()
        if not read:
            repo.free(True)
            return None
        return self._kept(repo, installed=installed)

    def _repo(self, number: int) -> Any:
        return self._pool.id2repo(self.repos[number])

    def rows(self, number: int) -> Iterator[Row]:
        """All packages of a repository, in its order."""
        for one in self._repo(number).solvables_iter():
            yield self._row(one)

    def packages(self, number: int) -> list[tuple[int, int, int]]:
        """(number, number of the name, number of the version) of each package: what is quickly compared."""
        return [(one.id, one.nameid, one.evrid) for one in self._repo(number).solvables]

    def row(self, id: int) -> Row:
        """One package."""
        return self._row(self._pool.id2solvable(id))

    def _row(self, one: Any) -> Row:
        name, version, architecture = self._said(one)[:3]
        repo = self.repos.index(one.repo.id)
        return Row(id=one.id, name=name, version=version, architecture=architecture, repo=repo)

    def _said(self, one: Any) -> list[str]:
        return (one.lookup_str(self._raw) or PART * (len(RAW) - 1)).split(PART)

    def said(self, id: int) -> dict[str, str]:
        """The fields of a package that are kept."""
        return dict(zip(RAW, self._said(self._pool.id2solvable(id)), strict=True))

    def disable(self, ids: Iterable[int]) -> None:
        """Packages that are no candidates; all others are."""
        wanted = frozenset(ids)
        if wanted != self._disabled:
            self._pool.set_disabled_list(sorted(wanted))
            self._pool.createwhatprovides()
            self._disabled = wanted

    def called(self, name: str) -> list[int]:
        """Packages with the solver's name, whether candidates or not; best version first is not promised."""
        number = self._pool.str2id(name, False)
        if not number:
            return []
        return self._named(number)

    def of_name(self, number: int) -> list[tuple[int, int]]:
        """(package, number of its version) of all with the name of that number, candidates or not."""
        return [(id, self._pool.id2solvable(id).evrid) for id in self._named(number)]

    def _named(self, number: int) -> list[int]:
        """Also those that are no candidates. While some are shut out, libsolv looks through all packages for that."""
        found = self._by_name.get(number)
        if found is None:
            found = self._by_name[number] = self._searched(number) if self._disabled else self._indexed(number)
        return found

    def _indexed(self, number: int) -> list[int]:
        return [one.id for one in self._pool.whatprovides(number) if one.nameid == number]

    def _searched(self, number: int) -> list[int]:
        how = self._solv.Selection
        flags = how.SELECTION_NAME | how.SELECTION_WITH_DISABLED
        return [one.id for one in self._pool.select(self._pool.id2str(number), flags).solvables()]

    def providing(self, name: str) -> list[int]:
        """Candidates that provide a name, and the installed ones."""
        number = self._pool.str2id(name, False)
        return [one.id for one in self._pool.whatprovides(number)] if number else []

    def fulfilling(self, relation: str) -> list[int]:
        """Candidates, and installed packages, that fulfil a relation which a rule names."""
        number = self._relations.get(relation)
        return [one.id for one in self._pool.whatprovides(number)] if number else []

    def offered(self, relation: str) -> list[int]:
        """All packages with a name that the relation names, candidates or not."""
        found: list[int] = []
        for one in self._parts(relation):
            number = self._pool.str2id(one.partition(" ")[0].removeprefix("v:"), False)
            found += self._named(number) if number else []
        return found

    def held_back(self, relation: str) -> list[int]:
        """Packages that would fulfil it, and are no candidates."""
        number = self._relations.get(relation)
        if not number:
            return []
        self.disable(())
        return [one.id for one in self._pool.whatprovides(number)]

    def shown(self, relation: str) -> str:
        """A relation of the solver as a control file writes it."""
        return " | ".join(self._shown(one) for one in self._parts(relation))

    def _parts(self, relation: str) -> list[str]:
        return [one.strip(" ()") for one in relation.replace(EITHER, " | ").split(" | ")]

    def _shown(self, part: str) -> str:
        name, _, rest = part.partition(" ")
        operator, _, version = rest.partition(" ")
        plain = name.removeprefix("v:")
        sign = {"<": "<<", ">": ">>"}.get(operator, operator)
        return f"{plain} ({sign} {self._written(plain, version)})" if operator else plain

    def _written(self, name: str, version: str) -> str:
        """As some index writes it; else as far as it can be told from its numbers."""
        number = self._pool.str2id(name, False)
        rows = (self.row(id) for id in (self._named(number) if number else ()))
        return next((row.version for row in rows if encoded(row.version) == version), decoded(version))

    def version_of(self, number: int) -> tuple[int, ...]:
        """A version's number as what sorts like it."""
        return tuple(map(int, self._pool.id2str(number).split(".")))

    def all_names(self) -> Iterator[str]:
        """Of every package, perhaps more than once."""
        for one in self._pool.solvables_iter():
            yield one.name

    def solve(self, jobs: Jobs) -> Outcome:
        """The packages to install and to remove, or why there is no answer."""
        solv = self._solv
        solver = self._pool.Solver()
        for flag in ("ALLOW_UNINSTALL", "ALLOW_DOWNGRADE", "ALLOW_VENDORCHANGE", "ALLOW_ARCHCHANGE"):
            solver.set_flag(getattr(solv.Solver, f"SOLVER_FLAG_{flag}"), 1)
        solver.set_flag(solv.Solver.SOLVER_FLAG_IGNORE_RECOMMENDED, 0 if jobs.recommends else 1)
        problems = solver.solve(list(self._jobs(jobs)))
        if problems:
            # the rules point into the solver: they are read while it lives
            return Outcome(possible=False, problems=tuple(tuple(self._rules(one)) for one in problems[:10]))
        changes = solver.transaction()
        return Outcome(
            possible=True,
            install=tuple(one.id for one in changes.newsolvables()),
            remove=tuple(one.id for one in changes.steps() if one.isinstalled() and self._gone(changes, one)),
        )

    def _gone(self, changes: Any, one: Any) -> bool:
        return bool(changes.steptype(one, 0) == self._solv.Transaction.SOLVER_TRANSACTION_ERASE)

    def _jobs(self, jobs: Jobs) -> Iterator[Any]:
        job = self._solv.Job
        for ids, what in (
            (jobs.install, job.SOLVER_INSTALL), (jobs.remove, job.SOLVER_ERASE), (jobs.lock, job.SOLVER_LOCK),
        ):  # fmt: skip
            for id in ids:
                yield self._pool.Job(what | job.SOLVER_SOLVABLE, id)
        for name in jobs.unknown:
            yield self._pool.Job(job.SOLVER_INSTALL | job.SOLVER_SOLVABLE_NAME, self._pool.str2id(name))

    def _rules(self, problem: Any) -> Iterator[Rule]:
        for rule in problem.findallproblemrules():
            for info in rule.allinfos():
                yield self._rule(info)

    def _rule(self, info: Any) -> Rule:
        return Rule(
            kind=_kind(self._solv.Solver, info.type),
            package=info.solvable.id if info.solvable else 0,
            other=info.othersolvable.id if info.othersolvable else 0,
            relation=self._noted(info.dep) if info.dep else "",
        )

    def _noted(self, relation: Any) -> str:
        text = str(relation)
        self._relations[text] = relation.id
        return text


def _kind(solver: Any, type: int) -> RuleKind:
    kinds: dict[int, RuleKind] = {
        solver.SOLVER_RULE_JOB: "job",
        solver.SOLVER_RULE_JOB_NOTHING_PROVIDES_DEP: "unknown-job",
        solver.SOLVER_RULE_JOB_UNKNOWN_PACKAGE: "unknown-job",
        solver.SOLVER_RULE_PKG_REQUIRES: "requires",
        solver.SOLVER_RULE_PKG_NOTHING_PROVIDES_DEP: "missing",
        solver.SOLVER_RULE_PKG_CONFLICTS: "conflicts",
        solver.SOLVER_RULE_PKG_SELF_CONFLICT: "conflicts",
        solver.SOLVER_RULE_PKG_SAME_NAME: "same-name",
        solver.SOLVER_RULE_UPDATE: "update",
    }
    return kinds.get(type, "other")

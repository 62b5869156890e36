"""Climb the ladder: host rungs from facts, then the worker's rungs in the environment's own Python."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ..facts.model import Facts
from ..progress import Reporter
from ..project.model import Backend
from ..words import same
from .hostrungs import host_rung, of_vendor, usable
from .limits import Limits
from .model import HOST_RUNGS, RUNGS, Ladder, Rung
from .needs import needs, order
from .titles import REASONS, TITLES
from .worker.outcome import Job, Task


def climb(
    *,
    python: str,
    backend: Backend,
    facts: Facts | None,
    command: tuple[str, ...] = (),
    cwd: str,
    variables: Mapping[str, str],
    reporter: Reporter,
    limits: Limits | None = None,
    only: tuple[str, ...] = (),
    collectives_on_cpu: int = 0,
) -> Ladder:
    """Try every claim, in order. Nothing here raises for what the machine or the environment is like.

    `python`: the environment's interpreter. `facts`: of this machine; without them the host rungs are unknown.
    `variables`: set for the worker and the own command, over this process's own. `cwd`: where the own command runs.
    `only`: these rungs, and `import`, alone; what they need counts as passed. Raises ValueError for another word.
    `collectives_on_cpu`: as many processes try the collectives where there are not two GPUs; else they are left out.
    Costs about 2 s beyond the import of torch and the training on a CPU; minutes at a GPU's first use.
    """
    chosen = order(tuple({*only, "import"}) if only else RUNGS)
    climbing = Climbing(reporter)
    for rung in HOST_RUNGS if backend != "cpu" else ():
        if rung in chosen:
            climbing.host(rung, backend, facts, python)
    limits = limits or Limits()
    expected = usable(facts, backend)
    tasks = [
        Task(rung, limits.of(rung, backend, expected or 1), list(needs(rung)))
        for rung in chosen
        if rung not in HOST_RUNGS
    ]
    job = Job(
        backend=backend,
        tasks=tasks,
        failed=[],
        command=list(command),
        cwd=cwd,
        expected_devices=expected,
        apu_targets=[gpu.target for gpu in of_vendor(facts, backend) if gpu.apu and gpu.target] if facts else [],
        generic=generic_targets() if backend == "rocm" else {},
        collectives_on_cpu=collectives_on_cpu,
    )
    climbing.worker(absolute(python), job, variables)
    return Ladder(backend=backend, rungs=tuple(climbing.rungs))


def _whole(rung: Rung, python: str, job: Job) -> Rung:
    if rung.id != "code-for-chip" or job.backend == "cpu":
        return rung
    from .code_files import with_files  # reads binaries

    return with_files(rung, python)


class Climbing:
    """The ladder as far as it was climbed."""

    def __init__(self, reporter: Reporter) -> None:
        self.reporter = reporter
        self.rungs: list[Rung] = []
        self.failed: list[str] = []
        self.trying = ""

    def host(self, rung: str, backend: Backend, facts: Facts | None, python: str) -> None:
        """One rung from facts."""
        self.begin(rung)
        blocker = next((need for need in needs(rung) if need in self.failed), None)
        self.end(after(rung, blocker) if blocker else host_rung(rung, backend, facts, python))

    def worker(self, python: str, job: Job, variables: Mapping[str, str]) -> None:
        """All rungs of the job. A worker that dies in a rung has failed that rung; a new one goes on after it."""
        from .session import climb_worker, rung_of

        pending = [task.id for task in job.tasks]
        while pending:
            tasks = [task for task in job.tasks if task.id in pending or task.id == "import"]
            ended = 0
            for event in climb_worker(python, job._replace(tasks=tasks, failed=self.failed), variables):
                if event.id not in pending:
                    continue
                if event.event == "begin":
                    self.begin(event.id)
                else:
                    self.end(_whole(rung_of(event), python, job))
                    pending.remove(event.id)
                    ended += 1
                    if event.id == "code-for-chip":  # a worker that is started again must know it as well
                        job = job.learned(event.evidence)
            if not ended or "import" in self.failed:
                break
        for rung in pending:  # the worker cannot even start
            blocker = next((need for need in needs(rung) if need in self.failed), None)
            unknown = Rung(id=rung, verdict="unknown", ms=0.0, evidence={}, reason="no-answer")
            self.end(after(rung, blocker) if blocker else unknown)

    def begin(self, rung: str) -> None:
        """Tell that it is tried."""
        self.trying = rung
        if rung != "own-command":  # it has the screen to itself
            self.reporter.begin(rung, TITLES[rung])

    def end(self, rung: Rung) -> None:
        """Keep it and tell how it ended."""
        if self.trying != rung.id:
            self.begin(rung.id)
        self.rungs.append(rung)
        if rung.verdict == "fail":
            self.failed.append(rung.id)
        ok = {"pass": True, "fail": False}.get(rung.verdict)
        text = REASONS.get(rung.reason or "", same(rung.reason or "")) if ok is not True else TITLES[rung.id]
        self.reporter.end(rung.id, text, ok=ok)


def generic_targets() -> dict[str, list[str]]:
    """Members of each of LLVM's generic targets."""
    from ..knowledge.tables import raw

    return {str(row["name"]): [str(member) for member in row["members"]] for row in raw("amd/generic")["generic"]}


def absolute(python: str) -> str:
    """The worker starts in another folder. Links stay: a virtual environment is known by its link."""
    return os.path.abspath(python) if os.sep in python else python


def after(rung: str, failed: str) -> Rung:
    """A rung that was not tried, since one that it needs failed."""
    return Rung(id=rung, verdict="skip", ms=0.0, evidence={"failed": failed}, reason="after-failure")

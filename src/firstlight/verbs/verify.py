"""Does it work? The ladder of checks, each a claim that was tried."""

from __future__ import annotations

import os

import msgspec

from ..checks import Ladder, climb
from ..checks.model import Rung, RungVerdict
from ..errors import CannotTell
from ..facts import Facts
from ..host import open_host
from ..lockfile import Lock
from ..lockfile.files import backend_of, path_of
from ..lockfile.files import read as read_lock
from ..lockfile.model import BackendLock
from ..progress import Reporter
from ..project.model import Backend, Project
from ..project.settings import Flags
from ..steps.environments import environment_id
from ..steps.places import Places, env_python
from ..words import Words
from .answer import Answer
from .facts import read
from .place import here, wanted

_NO_ENVIRONMENT = Words("there is no environment in {root} to verify", "{root} 中没有可验证的环境")
_MAKE_ONE = Words("make one with `firstlight up`", "请用 `firstlight up` 创建")


class VerifyRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Which project, which backend, and a command for the last rung."""

    project: str | None = None
    flags: Flags = Flags()
    command: tuple[str, ...] = ()


class RungAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One check and how it ended."""

    id: str
    verdict: RungVerdict
    ms: float
    evidence: dict[str, object]
    reason: str | None
    text: str


class VerifyAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.verify/1"):
    """All rungs, in order."""

    backend: Backend
    python: str
    rungs: tuple[RungAnswer, ...]
    first_failure: str | None

    @property
    def exit_code(self) -> int:
        """1 if a rung failed, 3 if one could not be judged."""
        if self.first_failure:
            return 1
        return 3 if any(rung.verdict == "unknown" for rung in self.rungs) else 0


def verify(request: VerifyRequest, reporter: Reporter) -> VerifyAnswer:
    """Climb the ladder in the project's environment. Raises CannotTell where there is none."""
    project = wanted(request.project, request.flags)
    python = env_python(project)
    if python is None or not os.path.exists(path_of(project.root)):
        raise CannotTell(_NO_ENVIRONMENT.fill(root=project.root), next=_MAKE_ONE)
    facts = read(open_host("live"), project.root)
    return climbed(_made_from(project, read_lock(project.root)), python, facts, request.command, reporter)


def climbed(
    backend: BackendLock, python: str, facts: Facts, command: tuple[str, ...], reporter: Reporter
) -> VerifyAnswer:
    """The ladder of the environment whose interpreter is `python`. The own command runs in the working folder."""
    ladder = climb(
        python=python,
        backend=backend.backend,
        facts=facts,
        command=command,
        cwd=here(),
        variables=backend.variables,
        reporter=reporter,
    )
    return answer(ladder, python)


def answer(ladder: Ladder, python: str) -> VerifyAnswer:
    """The ladder as it was climbed."""
    return VerifyAnswer(
        backend=ladder.backend,
        python=python,
        rungs=tuple(_rung(rung) for rung in ladder.rungs),
        first_failure=ladder.first_failure,
    )


def _made_from(project: Project, lock: Lock) -> BackendLock:
    """What the environment in use was made from; the backend that was asked for, if one was."""
    active = (Places(project.root).active_name() or "").split(".")[0]
    same = next((one for one in lock.backends if environment_id(one) == active), lock.backends[0])
    return backend_of(lock, project.goal.backend) if project.goal.backend else same


def _rung(rung: Rung) -> RungAnswer:
    return RungAnswer(
        id=rung.id, verdict=rung.verdict, ms=rung.ms, evidence=rung.evidence, reason=rung.reason, text=rung.text
    )

"""From an unknown machine to a verified training step: doctor, plan, lock if there is none, sync, verify."""

from __future__ import annotations

import os

import msgspec

from ..facts import Facts
from ..host import open_host
from ..host.model import HostKind
from ..lockfile import Lock
from ..lockfile.agreement import agree
from ..lockfile.files import backend_of, path_of
from ..lockfile.files import read as read_lock
from ..progress import Reporter
from ..project.model import Backend, Project
from ..project.settings import Flags
from ..routes.declared_fetch import have_declared
from ..routes.model import Plan
from ..routes.wanted import wanted as called_for
from ..words import Lang, Words
from .answer import Answer
from .doctor import DoctorAnswer, judge
from .facts import read
from .lock import frozen
from .place import wanted
from .plan import PlanAnswer, judged
from .plan import answer as plan_answer
from .sync import SyncAnswer, applied
from .verify import VerifyAnswer, climbed

_LOOKING = Words("finding out what this machine is", "正在了解这台机器")
_JUDGED = Words("what stands in the way was judged", "已判断有哪些阻碍")
_RECORDED = Words("a recorded machine is only asked, never changed", "录制的机器只用于查询，不会被改动")
_BLOCKED = Words(
    "nothing was installed: {backend} is blocked on this machine; mend what doctor found, then run it again",
    "没有安装任何东西：{backend} 在这台机器上受阻；请按 doctor 的结果修复后重新运行",
)
_NO_ROUTE = Words("nothing was installed: no route works here", "没有安装任何东西：没有可行的路线")
_NO_ENVIRONMENT = Words("the environment could not be made, so nothing was verified", "环境没有建成，因此没有进行验证")


class UpRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Which machine and project, what was said on top of its files, and a command for the last rung."""

    host: str = "live"
    project: str | None = None
    flags: Flags = Flags()
    consent: bool = False
    command: tuple[str, ...] = ()
    lang: Lang = "en"


class UpAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.up/1"):
    """The answers of the stages. `plan` is null where a lock already says what to install; `sync` and `verify` are
    null where it went no further: `why` says so."""

    doctor: DoctorAnswer
    plan: PlanAnswer | None
    sync: SyncAnswer | None
    verify: VerifyAnswer | None
    why: str | None

    @property
    def exit_code(self) -> int:
        """Of the last stage that was reached; 1 where something blocks the way."""
        if self.verify is not None:
            return self.verify.exit_code
        if self.sync is not None and self.sync.exit_code:
            return self.sync.exit_code
        if self.doctor.blocks:
            return 1
        return (self.plan.exit_code if self.plan else 0) or self.doctor.exit_code


def up(request: UpRequest, reporter: Reporter) -> UpAnswer:
    """All stages, as far as they lead. Raises FirstlightError where a stage fails for a reason of its own."""
    project = wanted(request.project, request.flags)
    host = open_host(request.host)
    reporter.begin("doctor", _LOOKING)
    facts = read(host, project.root)
    doctor = judge(host, facts, request.lang)
    reporter.end("doctor", _JUDGED, ok=True)
    if host.kind is not HostKind.LIVE:
        plan = plan_answer(judged(project, facts, reporter), request.lang, project.goal)
        return _ended(doctor, plan, _RECORDED.say(request.lang))
    return _on_this_machine(request, project, facts, doctor, reporter)


def _on_this_machine(
    request: UpRequest, project: Project, facts: Facts, doctor: DoctorAnswer, reporter: Reporter
) -> UpAnswer:
    found = _locked(project, facts)
    plan = None
    if found is None or doctor.blocks_anew(found[1]):
        have_declared(project)
        solved = judged(project, facts, reporter)
        plan = plan_answer(solved, request.lang, project.goal)
        backend = _backend_of(solved)
        if backend != "cpu" and doctor.blocks_anew(backend):
            return _ended(doctor, plan, _BLOCKED.say(request.lang, backend=backend or "GPU"))
        if found is None:
            if solved.chosen is None and project.goal.route is None:
                return _ended(doctor, plan, _NO_ROUTE.say(request.lang))
            lock = frozen(project, facts, solved, consent=request.consent)
            found = lock, lock.backends[0].backend
    sync = applied(project, *found, reporter)
    if sync.exit_code or sync.python is None:
        why = _NO_ENVIRONMENT.say(request.lang)
        return UpAnswer(doctor=doctor, plan=plan, sync=sync, verify=None, why=why)
    # what the environment brings (ROCm's libraries, its torch) was not there when the machine was read first
    now = read(open_host("live"), project.root)
    verify = climbed(backend_of(found[0], sync.backend), sync.python, now, request.command, reporter)
    return UpAnswer(doctor=doctor, plan=plan, sync=sync, verify=verify, why=None)


def _backend_of(plan: Plan) -> Backend | None:
    """Of the chosen route; where both vendors' GPUs are here, the plan itself has none."""
    return next((route.backend for route in plan.routes if route.name == plan.chosen), plan.backend)


def _locked(project: Project, facts: Facts) -> tuple[Lock, Backend] | None:
    """The lock with the backend that this machine calls for, if it holds one. Raises UsageError if it was made for
    something else than what is wanted now."""
    if not os.path.exists(path_of(project.root)):
        return None
    lock = read_lock(project.root)
    held = {one.backend: one for one in lock.backends}
    backend = next((one for one in called_for(project.goal, facts).backends if one in held), None)
    if backend is None:
        return None
    agree(project.goal, lock, held[backend])
    return lock, backend


def _ended(doctor: DoctorAnswer, plan: PlanAnswer, why: str) -> UpAnswer:
    return UpAnswer(doctor=doctor, plan=plan, sync=None, verify=None, why=why)

"""One answer of each noun, made by hand, for tests of schemas and words."""

from __future__ import annotations

import io
from collections.abc import Callable

from msgspec.structs import replace

from firstlight.binaries.answer import Asked
from firstlight.binaries.answer import answer as judge
from firstlight.binaries.loading import Machine, loading
from firstlight.checks.model import Ladder, Rung
from firstlight.errors import UsageError
from firstlight.host.manifest import LeftOut
from firstlight.knowledge.repositories import distributions
from firstlight.lockfile.model import BackendLock, HostConditions, Lock, Lost
from firstlight.routes.model import Because, Harm, Plan, Route, Wheel
from firstlight.routes.system.matrix import Cell, Matrix, Row, State, Told
from firstlight.verbs import doctor, error, export, lock, matrix, plan, verify
from firstlight.verbs.answer import Answer
from firstlight.verbs.capture import CaptureAnswer
from firstlight.verbs.catalogue import catalogue
from firstlight.verbs.causes import CausesRequest, causes
from firstlight.verbs.completion import CompletionAnswer
from firstlight.verbs.doctor import DoctorAnswer
from firstlight.verbs.explain import ExplainRequest, explain
from firstlight.verbs.inspect_answer import InspectAnswer, answered
from firstlight.verbs.matrix import MatrixAnswer
from firstlight.verbs.plan import PlanAnswer
from firstlight.verbs.rollback_system import RollbackSystemAnswer, SystemStepAnswer
from firstlight.verbs.schema import nouns
from firstlight.verbs.sync import StepAnswer, SyncAnswer
from firstlight.verbs.up import UpAnswer
from firstlight.verbs.verify import VerifyAnswer
from firstlight.words import Lang, Words

from ..binaries import made
from ..text.differences import drift_answer, rollback_answer
from ..text.findings import CLEAR, GTT_SMALL, NO_PERMISSION, TORCH_SEES_NONE, UNJUDGED

GIB = 1 << 30
EXPLAINED = b"  Name:                    gfx1012\nRuntimeError: HIP error: invalid device function\nKilled\n"
WHEEL = Wheel(
    name="torch", version="2.13.0+cpu", filename="torch-2.13.0+cpu-cp311-cp311-linux_x86_64.whl", sha256="ab" * 32,
    size=190 << 20, url="https://user:secret@example.org/torch.whl", source="pytorch-cpu",
)  # fmt: skip
WORKS = Route(
    name="pytorch-cpu", tier="upstream", backend="cpu", verdict="works",
    because=(Because("fits", "torch", Words("torch 2.13.0+cpu fits this machine", "torch 2.13.0+cpu 适合本机")),),
    versions={"torch": "2.13.0+cpu"}, python="/usr/bin/python3", python_version="3.11", wheels=(WHEEL,),
    download_bytes=190 << 20, disk_bytes=700 << 20, minutes=1.5, age_days=40,
)  # fmt: skip
BLOCKED = Route(
    name="pip-index-rocm7.2", tier="community", backend="rocm", verdict="blocked",
    because=(
        Because("wanted", "torch", Words("torch >=2.13 is wanted", "需要 torch >=2.13")),
        Because("no-wheel-for-python", "3.9", Words("it has no wheel for Python 3.9", "没有 Python 3.9 的 wheel")),
    ),
)  # fmt: skip
HARMFUL = Route(
    name="system-rocm", tier="distro", backend="rocm", verdict="harmful", because=(),
    harm=(Harm("clang-18", Words("removed beside the toolchain that you use", "会被移除，而你的工具链正在使用它")),),
)  # fmt: skip
CHOSEN = Plan(
    backend="cpu", routes=(BLOCKED, HARMFUL, WORKS), chosen="pytorch-cpu", why=Words("best by tier", "按层级最优")
)
NONE = Plan(backend="rocm", routes=(BLOCKED,), chosen=None, why=Words("no route works here", "没有可用的路线"))
PASSED = Ladder(
    backend="cpu",
    rungs=(
        Rung(id="import", verdict="pass", ms=1912.4, evidence={"version": "2.13.0+cpu", "path": "/env/torch"}),
        Rung(
            id="matmul", verdict="pass", ms=210.0, evidence={"cases": 96, "bound_rule": "x", "share_of_bound": 0.14123}
        ),
        Rung(id="memory", verdict="pass", ms=351.0, evidence={"allocated_bytes": 256 << 20, "chunks": 8}),
        Rung(id="own-command", verdict="skip", ms=0.0, evidence={}, reason="none-given"),
    ),
)
FAILED = Ladder(
    backend="rocm",
    rungs=(
        Rung(id="device-node", verdict="pass", ms=0.2, evidence={"gpus": 1}),
        Rung(id="access", verdict="unknown", ms=0.1, evidence={}, reason="not-known"),
        Rung(
            id="import", verdict="fail", ms=402.0, evidence={"exit": 1}, reason="import-error",
            text="ImportError: libamdhip64.so.7: cannot open shared object file: No such file or directory",
        ),
        Rung(id="matmul", verdict="skip", ms=0.0, evidence={"failed": "import"}, reason="after-failure"),
    ),
)  # fmt: skip
LOCK = Lock(
    version=1,
    goal={"backend": "cpu"},
    host=HostConditions(arch="x86_64", libc="glibc 2.36", targets=()),
    backends=(
        BackendLock(
            backend="cpu", route="pytorch-cpu", tier="upstream", python="3.11", pylock="pylock.cpu.toml",
            pylock_sha256="cd" * 32, variables={}, local=(),
        ),
    ),
)  # fmt: skip


def doctor_answer(lang: Lang) -> DoctorAnswer:
    return doctor.answer("box", (NO_PERMISSION, GTT_SMALL, TORCH_SEES_NONE, UNJUDGED, CLEAR), lang)


def plan_answer(lang: Lang, of: Plan = CHOSEN) -> PlanAnswer:
    return plan.answer(of, lang)


def verify_answer(ladder: Ladder = PASSED) -> VerifyAnswer:
    return verify.answer(ladder, "/home/alice/p/.firstlight/env/bin/python")


def sync_answer(*states: str) -> SyncAnswer:
    kinds = ("place-wheel", "place-wheel", "make-environment", "install", "activate")
    steps = [
        StepAnswer(kind=kind, subject=f"subject-{at}", state=states[at] if at < len(states) else states[-1], ms=12.0)  # type: ignore[arg-type]
        for at, kind in enumerate(kinds)
    ]
    return SyncAnswer(backend="cpu", python="/home/alice/p/.firstlight/env/bin/python", steps=tuple(steps))


def capture_answer() -> CaptureAnswer:
    left_out = (LeftOut("/etc/shadow", "secret"), LeftOut("/var/lib/apt/lists/x", "index"))
    return CaptureAnswer(
        path="m.tar.zst", bytes=3 << 20, files=212, read=("/proc/cmdline", "/dev/kfd"), left_out=left_out
    )


def up_answer(lang: Lang) -> UpAnswer:
    clean = doctor.answer("live", (CLEAR,), lang)
    return UpAnswer(doctor=clean, plan=plan_answer(lang), sync=sync_answer("done"), verify=verify_answer(), why=None)


def stopped_answer(lang: Lang) -> UpAnswer:
    why = Words("nothing was installed", "没有安装任何东西").say(lang)
    return UpAnswer(doctor=doctor_answer(lang), plan=plan_answer(lang, NONE), sync=None, verify=None, why=why)


def adopted_answer(lang: Lang) -> lock.LockAnswer:
    """Of a hand-made environment, something of which cannot be had again."""
    gone = (
        Lost(name="mine", version="0.1.0", why="editable"), Lost(name="flash-attn", version="2.8.3", why="other-file"),
    )  # fmt: skip
    held = replace(LOCK.backends[0], route="adopted", tier="local", adopted=True, lost=gone)
    found = lock.answer("/home/alice/p", replace(LOCK, backends=(held,)), lang)
    return replace(found, environment="/home/alice/torch-env", left_out=("MIOPEN_USER_DB_PATH",))


def export_answer(lang: Lang) -> export.ExportAnswer:
    """Of a lock for an AMD machine."""
    files = (
        export.ExportedFileAnswer(path="wheels/torch.whl", bytes=3 << 30, sha256="ab" * 32, state="fetched"),
        export.ExportedFileAnswer(path="wheels/filelock.whl", bytes=1 << 14, sha256="cd" * 32, state="kept"),
        export.ExportedFileAnswer(path="MANIFEST", bytes=170, sha256="ef" * 32, state="written"),
    )
    held = replace(LOCK.backends[0], backend="rocm", targets=("gfx1151",))
    return export.ExportAnswer(
        path="/media/stick", backends=("rocm",), manifest="/media/stick/MANIFEST", bytes=(3 << 30) + (1 << 14) + 170,
        files=files, needs=tuple(export.needs(replace(LOCK, backends=(held,)), held, lang)),
    )  # fmt: skip


def rollback_system_answer() -> RollbackSystemAnswer:
    """Of a change with a step that was right already, and a file that somebody changed since."""
    steps = (
        SystemStepAnswer(kind="install", subject="rocminfo", state="done", ms=2300.0),
        SystemStepAnswer(kind="source", subject="/etc/apt/sources.list.d/rocm.sources", state="right", ms=0.2),
    )
    return RollbackSystemAnswer(change="3", reason="sync", steps=steps, left=("/etc/group",), earlier=2)


def matrix_answer(lang: Lang) -> MatrixAnswer:
    """Of one vendor's release on two releases, one judged and one not known."""
    rows = (Row(name="amd-rocm-7.2", maker="amd", release="7.2"),)
    columns = tuple(one for one in distributions() if one.codename in ("noble", "sid"))
    why = Words("its maker publishes it", "厂商提供")
    cells = tuple(
        Cell(row="amd-rocm-7.2", column=one.codename, state=state, told=told, source=source, text=why)
        for one, (state, told, source) in zip(columns, CELLS, strict=True)
    )
    return matrix.answer(Matrix(rows=rows, columns=columns, cells=cells), "amd64", lang)


CELLS: tuple[tuple[State, Told, str], ...] = (
    ("works", "read", "https://repo.example/apt"), ("unknown", "unknown", ""),
)  # fmt: skip


def inspect_answer(lang: Lang) -> InspectAnswer:
    """Of files with every kind of verdict, on a machine that is too old for some."""
    reports = (made.TORCH_CUDA, made.TORCH_ROCM, made.TORCH_AMD, made.DAMAGED)
    judged = [judge(reports, Asked(target=one, driver="570.26")) for one in ("gfx1103", "sm_80", "sm_121")]
    old = Machine(arch="x86_64", glibc="2.17", pythons=("3.9",), driver="570.26")
    return answered(reports, judged, loading(reports, old), lang, host="box")


def answer(noun: str, lang: Lang) -> Answer:
    """An answer of each noun but facts, which asks a machine, and schema."""
    refused = UsageError(Words("no verb was given", "没有给出动词"))
    makers: dict[str, Callable[[], Answer]] = {
        "doctor": lambda: doctor_answer(lang),
        "plan": lambda: plan_answer(lang),
        "lock": lambda: lock.answer("/home/alice/p", LOCK),
        "sync": lambda: sync_answer("right", "done"),
        "verify": lambda: verify_answer(FAILED),
        "up": lambda: up_answer(lang),
        "drift": lambda: drift_answer(lang),
        "rollback": rollback_answer,
        "export": lambda: export_answer(lang),
        "rollback-system": rollback_system_answer,
        "matrix": lambda: matrix_answer(lang),
        "capture": capture_answer,
        "inspect": lambda: inspect_answer(lang),
        "explain": lambda: explain(ExplainRequest(lang=lang), io.BytesIO(EXPLAINED)),
        "causes": lambda: causes(CausesRequest(lang=lang)),
        "catalogue": catalogue,
        "error": lambda: error.failed(refused, lang),
        "nouns": nouns,
        "completion": lambda: CompletionAnswer(shell="fish", text={"en": "a", "zh": "甲"}[lang]),
    }
    return makers[noun]()

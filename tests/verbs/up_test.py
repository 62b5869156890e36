"""The stages in one, and where they end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from firstlight.causes.model import Finding
from firstlight.checks.model import Ladder
from firstlight.errors import ConsentNeeded, UsageError
from firstlight.facts import Facts
from firstlight.lockfile import Lock
from firstlight.progress import Silent
from firstlight.project.model import Project
from firstlight.project.settings import Flags
from firstlight.routes.model import Plan
from firstlight.steps import StepResult
from firstlight.verbs import doctor, sync, up, verify
from firstlight.verbs.lock import frozen

from ..text.findings import CLEAR, NO_PERMISSION
from . import answers

Up = Callable[..., up.UpAnswer]


class Stages:
    """The stages that are slow or change something, answered from here; what they were asked is kept."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.findings: tuple[Finding, ...] = (CLEAR,)
        self.plan: Plan = answers.CHOSEN
        self.ladder: Ladder = answers.PASSED
        self.calls: list[str] = []
        monkeypatch.setattr(doctor, "diagnose", self.diagnose)
        monkeypatch.setattr("firstlight.routes.plan.plan", self.solve)
        monkeypatch.setattr(sync, "apply", self.apply)
        monkeypatch.setattr(sync, "env_python", lambda _: "/env/bin/python")
        monkeypatch.setattr(verify, "climb", self.climb)

    def diagnose(self, facts: Facts, trust: object = None) -> tuple[Finding, ...]:  # noqa: ARG002 - the real form
        assert facts.origin
        self.calls.append("doctor")
        return self.findings

    def solve(self, project: Project, facts: Facts, *, reporter: object, every: bool, host: object) -> Plan:
        assert not every
        assert project.root
        assert facts.origin
        assert reporter
        assert host is None or host
        self.calls.append("plan")
        return self.plan

    def apply(
        self, project: Project, lock: Lock, backend: str, *, reporter: object, store: str | None
    ) -> tuple[StepResult, ...]:
        assert store is None
        assert lock.backends
        assert project.root
        assert reporter
        self.calls.append(f"sync {backend}")
        return (StepResult(kind="activate", subject="env", state="done", ms=1.0),)

    def climb(self, *, python: str, command: tuple[str, ...], **_: object) -> Ladder:
        self.calls.append(" ".join(["verify", python, *command]))
        return self.ladder


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> Stages:
    return Stages(monkeypatch)


def request(folder: Path, **more: object) -> up.UpRequest:
    return up.UpRequest(project=str(folder), **more)  # type: ignore[arg-type]


def test_the_whole_way(tmp_path: Path, stages: Stages) -> None:
    answer = up.up(request(tmp_path, command=("train",)), Silent())
    assert stages.calls == ["doctor", "plan", "sync cpu", "verify /env/bin/python train"]
    assert answer.exit_code == 0
    assert answer.why is None
    assert (tmp_path / "firstlight.lock").exists()
    assert (tmp_path / "pylock.cpu.toml").exists()


def test_a_lock_is_kept_and_nothing_is_planned(tmp_path: Path, stages: Stages) -> None:
    up.up(request(tmp_path, flags=Flags(backend="cpu")), Silent())
    stages.calls.clear()
    answer = up.up(request(tmp_path, flags=Flags(backend="cpu")), Silent())
    assert stages.calls == ["doctor", "sync cpu", "verify /env/bin/python"]
    assert answer.plan is None
    assert answer.exit_code == 0


@pytest.mark.parametrize(
    ("flags", "what"),
    [
        (Flags(python="3.99"), "python is 3.11 there, and 3.99"),
        (Flags(python="/no/such/python"), "python"),
        (Flags(route="nope"), "route"),
        (Flags(torch=">=99"), "torch"),
        (Flags(packages=("numpy",)), "packages is - there, and numpy"),
    ],
)
def test_a_lock_for_another_goal_is_not_used_in_silence(
    flags: Flags, what: str, tmp_path: Path, stages: Stages
) -> None:
    up.up(request(tmp_path, flags=Flags(backend="cpu")), Silent())
    stages.calls.clear()
    with pytest.raises(UsageError, match="another goal") as caught:
        up.up(request(tmp_path, flags=msgspec.structs.replace(flags, backend="cpu")), Silent())
    assert what in caught.value.what.en
    assert stages.calls == ["doctor"]


def test_a_lock_for_another_backend_gets_one_more(tmp_path: Path, stages: Stages) -> None:
    up.up(request(tmp_path), Silent())
    rocm = msgspec.structs.replace(answers.WORKS, backend="rocm", name="rocm-index")
    stages.plan = Plan(backend="rocm", routes=(rocm,), chosen="rocm-index", why=answers.CHOSEN.why)
    stages.calls.clear()
    up.up(request(tmp_path, flags=Flags(backend="rocm")), Silent())
    assert stages.calls[:3] == ["doctor", "plan", "sync rocm"]
    lock = (tmp_path / "firstlight.lock").read_text(encoding="utf-8")
    assert "pylock.rocm.toml" in lock
    assert "pylock.cpu.toml" in lock


def test_a_blocked_gpu_gets_a_plan_but_no_installation(tmp_path: Path, stages: Stages) -> None:
    stages.findings, stages.plan = (NO_PERMISSION,), answers.NONE
    answer = up.up(request(tmp_path), Silent())
    assert stages.calls == ["doctor", "plan"]
    assert (answer.sync, answer.verify) == (None, None)
    assert answer.why
    assert "rocm" in answer.why
    assert answer.exit_code == 1
    assert not (tmp_path / "firstlight.lock").exists()


def test_the_cpu_is_taken_beside_a_blocked_gpu_where_it_was_asked_for(tmp_path: Path, stages: Stages) -> None:
    stages.findings = (NO_PERMISSION,)
    answer = up.up(request(tmp_path, flags=Flags(backend="cpu")), Silent())
    assert stages.calls == ["doctor", "plan", "sync cpu", "verify /env/bin/python"]
    assert answer.exit_code == 0


def test_the_fault_of_an_environment_that_is_there_does_not_keep_a_new_one_away(tmp_path: Path, stages: Stages) -> None:
    wrong = msgspec.structs.replace(NO_PERMISSION, id="torch-wrong-backend-wheel", family="wheel")
    rocm = msgspec.structs.replace(answers.WORKS, backend="rocm", name="rocm-index")
    stages.findings = (wrong,)
    stages.plan = Plan(backend="rocm", routes=(rocm,), chosen="rocm-index", why=answers.CHOSEN.why)
    answer = up.up(request(tmp_path, flags=Flags(backend="rocm")), Silent())
    assert stages.calls == ["doctor", "plan", "sync rocm", "verify /env/bin/python"]
    assert answer.doctor.blocks
    assert answer.exit_code == 0


def test_no_route_ends_it(tmp_path: Path, stages: Stages) -> None:
    stages.plan = answers.NONE
    answer = up.up(request(tmp_path), Silent())
    assert stages.calls == ["doctor", "plan"]
    assert answer.exit_code == 1
    assert answer.why


def test_a_failed_rung_is_the_answer(tmp_path: Path, stages: Stages) -> None:
    stages.ladder = answers.FAILED
    assert up.up(request(tmp_path), Silent()).exit_code == 1


def test_a_recorded_machine_is_asked_and_never_changed(tmp_path: Path, stages: Stages) -> None:
    host, project = tmp_path / "host", tmp_path / "project"
    host.mkdir()
    project.mkdir()
    answer = up.up(request(project, host=str(host), lang="zh"), Silent())
    assert stages.calls == ["doctor", "plan"]
    assert (answer.sync, answer.verify) == (None, None)
    assert answer.why
    assert "录制" in answer.why
    assert list(project.iterdir()) == []
    assert answer.exit_code == 0


def test_harm_needs_a_consent_that_names_it(tmp_path: Path, stages: Stages) -> None:
    harmful = msgspec.structs.replace(answers.WORKS, name="bad", verdict="harmful", harm=answers.HARMFUL.harm)
    stages.plan = Plan(backend="cpu", routes=(harmful,), chosen=None, why=answers.NONE.why)
    flags = Flags(route="bad", backend="cpu")
    with pytest.raises(ConsentNeeded) as caught:
        up.up(request(tmp_path, flags=flags), Silent())
    assert caught.value.exit_code == 4
    assert caught.value.why
    assert "removed beside the toolchain" in caught.value.why.en
    assert not (tmp_path / "firstlight.lock").exists()
    assert up.up(request(tmp_path, flags=flags, consent=True), Silent()).exit_code == 0


def test_frozen_is_what_lock_writes(tmp_path: Path) -> None:
    from firstlight.verbs.facts import read
    from firstlight.verbs.place import wanted

    project = wanted(str(tmp_path), Flags())
    from firstlight.host import open_host

    facts = read(open_host(str(tmp_path)), str(tmp_path))
    lock = frozen(project, facts, answers.CHOSEN, consent=False)
    assert [one.backend for one in lock.backends] == ["cpu"]


@pytest.mark.ladder
def test_this_machine_for_real(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Costs an environment with a real torch, some 10 s with a warm cache."""
    from firstlight.cli.main import main

    project = ["--project", str(tmp_path), "--backend", "cpu", "--json"]
    if main(["plan", *project]) != 0:
        pytest.skip("no route to a CPU build of torch from here")
    capsys.readouterr()
    assert main(["up", *project, "--", "python", "-c", "import torch; print('hello')"]) == 0
    out = json.loads(capsys.readouterr().out)
    assert [rung["verdict"] for rung in out["verify"]["rungs"] if rung["id"] in ("training-step", "own-command")] == [
        "pass",
        "pass",
    ]
    assert main(["sync", *project]) == 0
    assert {step["state"] for step in json.loads(capsys.readouterr().out)["steps"]} == {"right"}
    assert main(["sync", *project, "--dry-run"]) == 0
    assert {step["state"] for step in json.loads(capsys.readouterr().out)["steps"]} == {"right"}

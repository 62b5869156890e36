"""The rungs below Python, from facts."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from firstlight.checks.hostrungs import host_rung, usable
from firstlight.checks.ladder import climb
from firstlight.checks.model import HOST_RUNGS, Rung
from firstlight.facts.devices import Library
from firstlight.facts.model import Facts, Gpu, Node, SystemRocm, Unknown
from firstlight.progress import Silent
from firstlight.project.model import Backend

from ..routes.fake_facts import blank, gpu, machine

ME = 1000
NOT_KNOWN = Unknown("not-captured", "test")


def node(path: str, *, opens: bool | Unknown = True, gid: int = 992) -> Node:
    return blank(Node, path=path, kind="char", mode=0o660, uid=0, gid=gid, can_open=opens)


def amd(**said: Any) -> Gpu:
    told = {"render_node": "/dev/dri/renderD128", "driver": "amdgpu", "usable": True, "kfd": True, **said}
    return gpu("amd", "gfx1151", **told)


def box(*gpus: Gpu, nodes: list[Node], absent: tuple[str, ...] = (), **driver: Any) -> Facts:
    """A machine with both drivers as said."""
    facts = machine(gpus=gpus)
    replace = msgspec.structs.replace
    drivers = replace(
        facts.driver,
        amd=replace(facts.driver.amd, **driver.get("amd", {})),
        nvidia=replace(facts.driver.nvidia, **driver.get("nvidia", {})),
    )
    access = replace(facts.access, nodes=nodes, absent=list(absent), uid=ME, groups=[ME])
    return replace(facts, driver=drivers, access=access, virtual=replace(facts.virtual, wsl=driver.get("wsl", False)))


HEALTHY_AMD = box(amd(), nodes=[node("/dev/kfd"), node("/dev/dri/renderD128")], amd={"loaded": True, "kfd": True})
NVIDIA_NODES = [node("/dev/nvidiactl"), node("/dev/nvidia0"), node("/dev/nvidia-uvm")]
LIBCUDA = [Library(path="/usr/lib/libcuda.so.580.1", version="580.1")]
HEALTHY_NVIDIA = box(
    gpu("nvidia", "sm_121", driver="nvidia", usable=True),
    nodes=NVIDIA_NODES,
    nvidia={"loaded": True, "version": "580.1", "libraries": LIBCUDA},
)


def said(facts: Facts | None, backend: Backend) -> list[tuple[str, str | None]]:
    """Verdict and reason of the four."""
    rungs = [host_rung(rung, backend, facts, "/env/bin/python") for rung in HOST_RUNGS]
    return [(rung.verdict, rung.reason) for rung in rungs]


PASS = ("pass", None)


def test_healthy() -> None:
    rocm = msgspec.structs.replace(HEALTHY_AMD, rocm=[SystemRocm(path="/opt/rocm", version="7.2")])
    assert said(rocm, "rocm") == [PASS] * 4
    assert said(HEALTHY_NVIDIA, "cuda") == [PASS] * 4
    assert said(HEALTHY_AMD, "rocm")[3] == ("unknown", "not-known")


def test_nothing_known() -> None:
    assert said(None, "rocm") == [("unknown", "no-facts")] * 4
    assert {verdict for verdict, _ in said(machine(), "rocm")} == {"unknown"}
    assert {verdict for verdict, _ in said(machine(), "cuda")} == {"unknown"}


@pytest.mark.parametrize(
    ("facts", "backend", "rung", "reason"),
    [
        (
            box(amd(), nodes=[node("/dev/dri/renderD128")], absent=("/dev/kfd",)),
            "rocm", "device-node", "no-device-node",
        ),
        (box(amd(), nodes=[node("/dev/kfd")], absent=("/dev/dri",)), "rocm", "device-node", "no-device-node"),
        (
            box(amd(), nodes=[node("/dev/kfd"), node("/dev/dri/renderD129")]),
            "rocm", "device-node", "no-device-node",
        ),
        (box(amd(), nodes=[], absent=("/dev/dxg",), wsl=True), "rocm", "device-node", "no-device-node"),
        (box(nodes=[], absent=("/dev/nvidiactl",)), "cuda", "device-node", "no-device-node"),
        (
            box(amd(), nodes=[node("/dev/kfd", opens=False), node("/dev/dri/renderD128")]),
            "rocm", "access", "permission",
        ),
        (
            box(amd(), nodes=[node("/dev/kfd"), node("/dev/dri/renderD128", opens=False)]),
            "rocm", "access", "permission",
        ),
        (box(amd(), nodes=[], amd={"loaded": False}), "rocm", "kernel-driver", "no-driver"),
        (box(amd(), nodes=[], amd={"loaded": True, "kfd": False}), "rocm", "kernel-driver", "no-driver"),
        (
            box(amd(usable=False, driver="vfio-pci", why="bound"), nodes=[], amd={"loaded": True, "kfd": True}),
            "rocm", "kernel-driver", "bound-elsewhere",
        ),
        (box(nodes=[], nvidia={"loaded": False}), "cuda", "kernel-driver", "no-driver"),
        (box(nodes=[], nvidia={"libraries": []}), "cuda", "runtime", "no-runtime"),
        (box(nodes=[], nvidia={"libraries": LIBCUDA, "version": "595.2"}), "cuda", "runtime", "driver-mismatch"),
    ],
)  # fmt: skip
def test_each_fault_at_its_rung(facts: Facts, backend: Backend, rung: str, reason: str) -> None:
    found = host_rung(rung, backend, facts, "/env/bin/python")
    assert (found.verdict, found.reason) == ("fail", reason)


def test_evidence_of_permission_is_numeric() -> None:
    facts = box(amd(), nodes=[node("/dev/kfd", opens=False, gid=109), node("/dev/dri/renderD128")])
    evidence = host_rung("access", "rocm", facts, "python").evidence
    assert evidence["denied"] == ["/dev/kfd"]
    assert evidence["groups"] == [ME]
    told = {"path": "/dev/kfd", "mode": "0660", "uid": 0, "gid": 109, "can_open": False}
    assert told in msgspec.convert(evidence["nodes"], list[dict[str, object]])


def test_one_open_device_of_two_is_access() -> None:
    other = amd(render_node="/dev/dri/renderD129")
    nodes = [node("/dev/kfd"), node("/dev/dri/renderD128", opens=False), node("/dev/dri/renderD129")]
    assert host_rung("access", "rocm", box(amd(), other, nodes=nodes), "python").verdict == "pass"
    unsure = [node("/dev/kfd"), node("/dev/dri/renderD128", opens=NOT_KNOWN)]
    assert host_rung("access", "rocm", box(amd(), nodes=unsure), "python").verdict == "unknown"


def test_how_many_devices_torch_should_see() -> None:
    both = machine(gpus=(amd(), amd(usable=False), gpu("nvidia", "sm_90", usable=True)))
    assert (usable(both, "rocm"), usable(both, "cuda"), usable(both, "cpu"), usable(None, "rocm")) == (1, 1, None, None)
    assert usable(machine(gpus=(amd(), amd(usable=None))), "rocm") is None


def test_devices_that_are_kept_from_us_do_not_count() -> None:
    """As in a container that was given one of two: sysfs shows both."""
    two = (amd(), amd(render_node="/dev/dri/renderD129"))
    assert usable(box(*two, nodes=[node("/dev/kfd"), node("/dev/dri/renderD129")]), "rocm") == 1
    closed = [node("/dev/kfd"), node("/dev/dri/renderD128"), node("/dev/dri/renderD129", opens=False)]
    assert usable(box(*two, nodes=closed), "rocm") == 1
    unsure = [node("/dev/kfd"), node("/dev/dri/renderD128"), node("/dev/dri/renderD129", opens=NOT_KNOWN)]
    assert usable(box(*two, nodes=unsure), "rocm") == 2
    pair = [gpu("nvidia", "sm_90", usable=True, node=minor) for minor in (0, 1)]
    assert usable(box(*pair, nodes=[node("/dev/nvidiactl"), node("/dev/nvidia1")]), "cuda") == 1


def climbed(facts: Facts) -> dict[str, Rung]:
    ladder = climb(
        python="/bin/false", backend="rocm", facts=facts, cwd="/", variables={}, reporter=Silent(),
        only=(*HOST_RUNGS, "device-visible"),
    )  # fmt: skip
    assert ladder.first_failure == next(rung.id for rung in ladder.rungs if rung.verdict == "fail")
    return {rung.id: rung for rung in ladder.rungs}


def test_the_lowest_fault_comes_first() -> None:
    facts = box(amd(), nodes=[], absent=("/dev/kfd", "/dev/dri"), amd={"loaded": False})
    rungs = climbed(facts)
    assert list(rungs) == [*HOST_RUNGS, "import", "device-visible"]
    assert rungs["device-node"].reason == "no-device-node"
    assert (rungs["access"].verdict, rungs["access"].evidence) == ("skip", {"failed": "device-node"})
    assert rungs["kernel-driver"].reason == "no-driver"
    assert rungs["import"].reason == "no-python"
    assert rungs["device-visible"].evidence == {"failed": "device-node"}

"""The rungs below Python: answered from facts, with the machine's own numbers as evidence."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from ..facts.model import Facts, Gpu, Node, Unknown
from ..project.model import Backend
from .model import Rung, RungVerdict

VENDORS: dict[Backend, str] = {"rocm": "amd", "cuda": "nvidia"}


def host_rung(rung: str, backend: Backend, facts: Facts | None, python: str) -> Rung:
    """One of HOST_RUNGS."""
    if facts is None:
        return answer(rung, "unknown", "no-facts")
    return CHECKS[rung](rung, backend, facts, python)


def usable(facts: Facts | None, backend: Backend) -> int | None:
    """How many devices torch should see; None where that is not known. A container may be given some of a machine's
    devices, while sysfs shows all: one without a node, or whose node is closed to us, does not count."""
    if facts is None or backend == "cpu":
        return None
    known = [gpu.usable for gpu in of_vendor(facts, backend) if not kept_away(facts, gpu)]
    return None if None in known else known.count(True)


def kept_away(facts: Facts, gpu: Gpu) -> bool:
    """Whether the device's own node is known to be closed to this process, or not to be there."""
    path = f"/dev/nvidia{gpu.node}" if gpu.vendor == "nvidia" and gpu.node is not None else gpu.render_node
    if path is None or not facts.access.nodes:
        return False
    node = next((each for each in facts.access.nodes if each.path == path), None)
    return node is None or node.can_open is False


def device_node(rung: str, backend: Backend, facts: Facts, _python: str) -> Rung:
    """/dev/kfd and a render node; /dev/nvidiactl and a device; under WSL /dev/dxg for both."""
    there = [node.path for node in facts.access.nodes]
    lacking: list[str] = []
    unsure: list[str] = []
    for group in wanted(backend, facts):
        if any(matches(path, group) for path in there):
            continue
        (lacking if any(absent_of(facts, name) for name in group) else unsure).append(group[0])
    gpus = [gpu.name or gpu.device_id or gpu.vendor for gpu in of_vendor(facts, backend)]
    evidence: dict[str, object] = {"nodes": sorted(there), "lacking": lacking, "gpus": gpus}
    if lacking:
        return answer(rung, "fail", "no-device-node", **evidence)
    return (
        answer(rung, "unknown", "not-known", unsure=unsure, **evidence) if unsure else answer(rung, "pass", **evidence)
    )


def access(rung: str, backend: Backend, facts: Facts, _python: str) -> Rung:
    """This process, with its effective groups, may open the nodes: the control node and at least one device."""
    groups = [[node for node in facts.access.nodes if matches(node.path, group)] for group in wanted(backend, facts)]
    ids = facts.access.groups
    evidence: dict[str, object] = {
        "nodes": [told(node) for nodes in groups for node in nodes],
        "uid": plain(facts.access.uid),
        "groups": plain(ids),
    }
    closed = [nodes for nodes in groups if nodes and all(node.can_open is False for node in nodes)]
    if closed:
        return answer(rung, "fail", "permission", denied=[node.path for nodes in closed for node in nodes], **evidence)
    if all(any(node.can_open is True for node in nodes) for nodes in groups):
        return answer(rung, "pass", **evidence)
    return answer(rung, "unknown", "not-known", **evidence)


def kernel_driver(rung: str, backend: Backend, facts: Facts, _python: str) -> Rung:
    """The vendor's driver is loaded and serves at least one device for compute."""
    if facts.virtual.wsl is True:  # the driver is on the Windows side; /dev/dxg is all that shows of it
        return answer(rung, "pass", wsl=True)
    driver = facts.driver.amd if backend == "rocm" else facts.driver.nvidia
    gpus = of_vendor(facts, backend)
    evidence: dict[str, object] = {
        "version": plain(driver.version),
        "gpus": [{"pci": gpu.pci, "driver": gpu.driver, "usable": gpu.usable, "why": gpu.why} for gpu in gpus],
    }
    if driver.loaded is False or (backend == "rocm" and facts.driver.amd.kfd is False):
        return answer(rung, "fail", "no-driver", **evidence)
    if gpus and all(gpu.usable is False for gpu in gpus):
        bound = any(gpu.driver for gpu in gpus)
        return answer(rung, "fail", "bound-elsewhere" if bound else "no-driver", **evidence)
    if driver.loaded is True and any(gpu.usable for gpu in gpus):
        return answer(rung, "pass", **evidence)
    return answer(rung, "unknown", "not-known", **evidence)


def runtime(rung: str, backend: Backend, facts: Facts, python: str) -> Rung:
    """NVIDIA: libcuda of the kernel driver's version. AMD: HIP in the environment's wheels, or a ROCm of the system."""
    if backend == "cuda":
        return cuda_runtime(rung, facts)
    prefix = os.path.dirname(os.path.dirname(os.path.abspath(python)))
    environments = [each for each in facts.python.environments if each.path.startswith(prefix + os.sep)]
    libraries = sorted({name for each in environments for name in each.libraries})
    system = [{"path": each.path, "version": plain(each.version)} for each in facts.rocm]
    if libraries or system:
        return answer(rung, "pass", libraries=libraries[:20], system=system)
    return answer(rung, "unknown", "not-known", libraries=[], system=[], environment=prefix)


def cuda_runtime(rung: str, facts: Facts) -> Rung:
    """libcuda and the kernel module are one release: cuInit refuses another (error 803)."""
    libraries, kernel = facts.driver.nvidia.libraries, facts.driver.nvidia.version
    if isinstance(libraries, Unknown):
        return answer(rung, "unknown", "not-known", why=plain(libraries))
    cuda = [each for each in libraries if os.path.basename(each.path).startswith("libcuda.so")]
    evidence: dict[str, object] = {
        "libraries": [{"path": each.path, "version": each.version} for each in cuda],
        "kernel": plain(kernel),
    }
    if facts.virtual.wsl is True:  # libcuda.so.1 of /usr/lib/wsl has no version in its name
        return answer(rung, "pass" if cuda else "unknown", None if cuda else "not-known", **evidence)
    if not cuda:
        return answer(rung, "fail", "no-runtime", **evidence)
    versions = {each.version for each in cuda if each.version}
    if isinstance(kernel, str) and versions and kernel not in versions:
        return answer(rung, "fail", "driver-mismatch", **evidence)
    return answer(rung, "pass", **evidence)


CHECKS: dict[str, Callable[[str, Backend, Facts, str], Rung]] = {
    "device-node": device_node,
    "access": access,
    "kernel-driver": kernel_driver,
    "runtime": runtime,
}


def wanted(backend: Backend, facts: Facts) -> tuple[tuple[str, ...], ...]:
    """Groups of nodes; of each at least one is needed. A name ending in `*` stands for a number."""
    if facts.virtual.wsl is True:
        return (("/dev/dxg",),)
    if backend == "cuda":
        # Tegra and DGX Spark's integrated GPU have /dev/nvidia0 and nvidiactl as well
        return (("/dev/nvidiactl",), ("/dev/nvidia*",))
    own = tuple(gpu.render_node for gpu in of_vendor(facts, backend) if gpu.render_node)
    return (("/dev/kfd",), own or ("/dev/dri/renderD*",))


def matches(path: str, names: Iterable[str]) -> bool:
    """Whether the path is one of the names."""
    for name in names:
        stem = name[:-1]
        if path == name or (name.endswith("*") and path.startswith(stem) and path[len(stem) :].isdigit()):
            return True
    return False


def absent_of(facts: Facts, name: str) -> bool:
    """Whether a node is known not to be there: it, or the folder or control node that comes with it."""
    control = "/dev/dri" if name.startswith("/dev/dri/") else "/dev/nvidiactl" if name == "/dev/nvidia*" else name
    if control in facts.access.absent:
        return True
    # the folder was read (it has a node in the list), so what is not listed is not there
    return name.startswith("/dev/dri/") and any(node.path.startswith("/dev/dri/") for node in facts.access.nodes)


def of_vendor(facts: Facts, backend: Backend) -> list[Gpu]:
    """The machine's GPUs that the backend is for."""
    return [gpu for gpu in facts.gpus if gpu.vendor == VENDORS.get(backend)]


def told(node: Node) -> dict[str, object]:
    """A device node as `ls -n` shows it."""
    mode = f"{node.mode:04o}"
    return {"path": node.path, "mode": mode, "uid": node.uid, "gid": node.gid, "can_open": plain(node.can_open)}


def plain(value: object) -> object:
    """A fact for evidence: an unknown one as its reason."""
    return f"unknown: {value.unknown}" if isinstance(value, Unknown) else value


def answer(rung: str, verdict: RungVerdict, reason: str | None = None, /, **evidence: object) -> Rung:
    """A rung that cost nothing."""
    return Rung(id=rung, verdict=verdict, ms=0.0, evidence=evidence, reason=reason)

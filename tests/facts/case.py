"""A case of facts: captured text in, value out. Each file under tests/cases/facts/SUBJECT/ is one.

`files`, `links`, `folders`, `nodes` (device nodes) make the machine, `missing` says why all else cannot be read (absent
unless told), `expect` is what the subject must say: every key in it, lists whole, an Unknown by its reason alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from firstlight.facts import clock as clock_module
from firstlight.facts.access import access
from firstlight.facts.amd_driver import amd_driver
from firstlight.facts.apt import apt
from firstlight.facts.arch import arch
from firstlight.facts.container import container
from firstlight.facts.disks import disks
from firstlight.facts.firmware import firmware
from firstlight.facts.kernel import kernel
from firstlight.facts.loader import loader_folders
from firstlight.facts.memory import memory
from firstlight.facts.modules import modules
from firstlight.facts.nvidia_driver import nvidia_driver
from firstlight.facts.os_release import operating_system
from firstlight.facts.packages import packages
from firstlight.facts.processor import processor
from firstlight.facts.product import product
from firstlight.facts.python import python
from firstlight.facts.repositories import repositories
from firstlight.facts.rocm import system_rocm
from firstlight.facts.variables import variables
from firstlight.facts.virtual import virtual
from firstlight.host.model import FileInfo, HostKind, Kind, Missing, Process, Space
from tests.facts.fake_host import Content, FakeHost

CASES = Path(__file__).resolve().parents[1] / "cases" / "facts"


class NodeCase(msgspec.Struct):
    gid: int
    mode: str = "0660"
    uid: int = 0
    rdev: tuple[int, int] = (226, 128)


class Case(msgspec.Struct, forbid_unknown_fields=True):
    expect: dict[str, object]
    files: dict[str, str] = {}
    denied: list[str] = []
    hex: dict[str, str] = {}
    links: dict[str, str] = {}
    folders: list[str] = []
    nodes: dict[str, NodeCase] = {}
    missing: str = "absent"
    tree: bool = False
    process: tuple[int, int, list[int]] | None = None
    environment: dict[str, str] | None = None
    machine: str | None = None
    now: float | None = None
    room: int | None = None
    project: str | None = None

    def host(self) -> FakeHost:
        files: dict[str, Content] = {**self.files}
        files |= {path: bytes.fromhex(text) for path, text in self.hex.items()}
        files |= dict.fromkeys(self.denied, Missing.DENIED)
        files |= {path: _node(node) for path, node in self.nodes.items()}
        ids = self.process
        return FakeHost(
            files,
            links=self.links,
            folders=self.folders,
            missing=Missing(self.missing),
            kind=HostKind.TREE if self.tree else HostKind.RECORDED,
            process=Process(uid=ids[0], gid=ids[1], groups=tuple(ids[2])) if ids else None,
            environment=self.environment,
            machine=self.machine,
            now=self.now,
            spaces={"/": Space(total=self.room * 2, free=self.room)} if self.room else None,
        )


def _node(node: NodeCase) -> FileInfo:
    return FileInfo(kind=Kind.CHAR, mode=int(node.mode, 8), uid=node.uid, gid=node.gid, rdev=node.rdev)


def _release(host: FakeHost) -> object:
    running = kernel(host)
    loaded = modules(host, running)
    machine = arch(host, processor(host), running.release)
    return {
        "amd": amd_driver(host, loaded, running.release),
        "nvidia": nvidia_driver(host, loaded, machine),
    }


SUBJECTS: dict[str, Callable[[FakeHost, Case], object]] = {
    "access": lambda host, _: access(host, rootless=container(host).rootless),
    "apt": lambda host, _: apt(host, packages(host)),
    "arch": lambda host, _: {"arch": arch(host, processor(host), kernel(host).release), "cpu": processor(host).model},
    "clock": lambda host, _: clock_module.clock(host, kernel(host).built),
    "container": lambda host, _: container(host),
    "disks": lambda host, case: {"disks": disks(host, case.project)},
    "driver": lambda host, _: _release(host),
    "firmware": lambda host, _: firmware(host, packages(host)),
    "kernel": lambda host, _: kernel(host),
    "loader": lambda host, _: {"lines": loader_folders(host)},
    "memory": lambda host, _: memory(host),
    "modules": lambda host, _: modules(host, kernel(host)),
    "os": lambda host, _: operating_system(host, packages(host), arch(host, processor(host), kernel(host).release)),
    "product": lambda host, _: {"product": product(host)},
    "python": lambda host, case: python(host, case.project, arch(host, processor(host), kernel(host).release)),
    "repositories": lambda host, _: {"repositories": repositories(host)},
    "rocm": lambda host, _: {"rocm": system_rocm(host)},
    "variables": lambda host, _: {"variables": variables(host)},
    "virtual": lambda host, _: virtual(host, processor(host)),
}


def load(path: Path) -> Case:
    return msgspec.toml.decode(path.read_bytes(), type=Case)


ALL = sorted(CASES.glob("*/*.toml"))

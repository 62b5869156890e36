"""Pairs of kernel and ROCm: which ROCm versions are on the machine, what each does, and how to move on."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from ..facts.model import Facts, Gpu, Unknown
from ..words import Words
from ._boot import reboot
from ._cmdline import add
from ._packages import install, newest_ubuntu_kernel
from .model import Remedy

_BADNESS = {"ok": 0, "warning": 1, "fails": 2}


class Runtime(NamedTuple):
    """A ROCm version and where it is."""

    version: str
    fact: str
    source: str
    active: bool


def runtimes(facts: Facts) -> list[Runtime]:
    """Of the torch builds for ROCm, the active environment's first; of the machine's own ROCm where there is no
    such environment."""
    held = sorted(enumerate(facts.python.environments), key=lambda pair: not pair[1].active)
    found = [
        Runtime(
            str(one.torch.backend_version), f"python.environments[{at}].torch.backend_version", one.path, one.active
        )
        for at, one in held
        if one.torch and one.torch.backend == "rocm" and not isinstance(one.torch.backend_version, Unknown)
    ]
    if found:
        return found
    return [
        Runtime(one.version, f"rocm[{at}].version", one.path, active=True)
        for at, one in enumerate(facts.rocm)
        if not isinstance(one.version, Unknown)
    ]


def verdict(gpu: Gpu, runtime: Runtime, *, fixed: bool) -> str | None:
    """`ok`, `warning`, `fails`; None: not in the table. `7.2` may be any 7.2.x, so the mildest of them counts."""
    from ..knowledge import rules
    from ..knowledge.versions import version_key

    parts = runtime.version.split("-")[0].split(".")
    exact = len(parts) > 2 and len(version_key(parts[2])) == 1 and int(version_key(parts[2])[0]) < 1000
    base = ".".join(parts[:2])
    versions = [".".join(parts[:3])] if exact or parts[2:3] == ["0"] else [f"{base}.{patch}" for patch in range(5)]
    found = [rules.kernel_pair(str(gpu.target), one, fixed=fixed) for one in versions]
    return min((one for one in found if one), key=_BADNESS.__getitem__, default=None)


def newer_rocm() -> tuple[Remedy, ...]:
    """The kernel is right; the ROCm of the environment is too old for it."""
    why = Words(
        "Use a torch built for ROCm 7.2.1 or newer in this environment (`firstlight plan` shows which); do not "
        "go back to "
        "an older kernel.",
        "在该环境中使用为 ROCm 7.2.1 或更新版本编译的 torch（`firstlight plan` 会列出）；不要退回旧内核。",
    )
    return (Remedy((), root=False, why=why),)


def newer_kernel(facts: Facts) -> tuple[Remedy, ...]:
    """A kernel with the fixes, and what helps until then."""
    why = Words(
        "Installs the newest kernel: the fixes are in 6.18.4, in Ubuntu 24.04's HWE 6.17.0-19 and in its OEM "
        "6.14.0-1018.",
        "安装最新内核：修复包含在 6.18.4、Ubuntu 24.04 的 HWE 6.17.0-19 和 OEM 6.14.0-1018 中。",
    )
    stopgap = Words(
        "Until then: without wave saving the hang does not occur.",
        "在此之前：关闭 wave 保存就不会卡死。",
    )
    newest = install(
        facts, why, debian=newest_ubuntu_kernel(facts), fedora="kernel", suse="kernel-default", arch="linux"
    )
    instead = (msgspec.structs.replace(one, change=None) for one in add(facts, "amdgpu.cwsr_enable=0", stopgap)[:2])
    return (newest, reboot(), *instead)

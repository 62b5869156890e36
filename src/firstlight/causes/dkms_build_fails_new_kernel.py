"""DKMS has the driver, but not for the kernel that runs."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._dkms import dkms_evidence, not_built
from ._gpus import of
from ._packages import dkms_build
from ._serving import loaded, rest, unserved
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, NotKnown, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if DKMS has a GPU driver that is not built for the running kernel although the headers are there."""
    judgements = [_judge(facts, vendor) for vendor in ("nvidia", "amd")]
    found = next((one for one in judgements if isinstance(one, Found)), None)
    return found or next((one for one in judgements if isinstance(one, NotKnown)), CLEAR)


def _judge(facts: Facts, vendor: str) -> Judgement:
    if not of(facts, vendor):
        return rest(facts, vendor)
    idle = unserved(facts, vendor)
    if facts.kernel.headers is False or (vendor == "nvidia" and loaded(facts, vendor) is True):
        return CLEAR
    lacking = missing(
        ("kernel.release", facts.kernel.release), ("modules.dkms", facts.modules.dkms),
        ("kernel.headers", facts.kernel.headers),
    )  # fmt: skip
    if lacking:
        return lacking if idle else CLEAR
    module = not_built(facts, vendor)
    if module is None:
        return CLEAR
    release = str(facts.kernel.release)
    return Found(
        evidence=(dkms_evidence(module), Evidence("kernel.release", release, "/proc/sys/kernel/osrelease")),
        values={"module": f"{module.name} {module.version}", "release": release},
        severity=None if idle else "advice",
        remedy=(dkms_build(facts), _log(module.name, module.version), *_without_dkms(vendor)),
    )


def _log(name: str, version: str) -> Remedy:
    why = Words(
        "If the build fails, its log tells where. Then boot a kernel that this release lists, or install a "
        "newer driver.",
        "如果编译失败，日志会说明位置。然后换用该驱动支持的内核，或安装更新的驱动。",
    )
    return Remedy(("tail", "-n", "60", f"/var/lib/dkms/{name}/{version}/build/make.log"), root=True, why=why)


def _without_dkms(vendor: str) -> tuple[Remedy, ...]:
    if vendor != "amd":
        return ()
    why = Words(
        "Or do without: a recent kernel's own amdgpu serves Radeon and Ryzen.",
        "或者不用 DKMS：较新内核自带的 amdgpu 就能驱动 Radeon 和 Ryzen。",
    )
    return (Remedy((), root=True, why=why),)


CAUSE = Cause(
    id="dkms-build-fails-new-kernel",
    family="kernel",
    vendor="both",
    severity="blocking",
    title=Words(
        "DKMS has no {module} for the running kernel {release}", "DKMS 没有为当前内核 {release} 编译出 {module}"
    ),
    means=Words(
        "The out-of-tree driver's sources do not compile against the running (newer) kernel.",
        "树外驱动的源码无法针对当前（较新的）内核编译。",
    ),
    effect=Words("The driver cannot be loaded on this kernel.", "这个内核无法加载该驱动。"),
    fix=Words(
        "Boot a kernel the release supports, install a driver release that knows this kernel, or do without "
        "DKMS where the "
        "in-kernel amdgpu suffices.",
        "启动该版本支持的内核，或安装支持此内核的驱动版本；内核自带的 amdgpu 够用时就不用 DKMS。",
    ),
    known=(
        Known("https://github.com/ROCm/legacy-rocm-build/issues/3701", first_seen="6.2.0", fixed_in="6.2.1"),
        Known("https://github.com/ROCm/legacy-rocm-build/issues/5074", first_seen="6.4.1"),
    ),
    judge=judge,
)

"""amdgpu is kept from being loaded by configuration."""

from __future__ import annotations

from ..facts.model import Blacklist, Facts, Unknown
from ..words import Words
from ._boot import reboot, rebuild_initramfs
from ._cmdline import parameter, remove
from ._gpus import label
from ._packages import modprobe
from ._serving import module_evidence, no_driver, rest, unserved
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if amdgpu is blacklisted, is not loaded, and a GPU waits for it."""
    idle = unserved(facts, "amd")
    if not idle:
        return rest(facts, "amd")
    loaded, listed = facts.driver.amd.loaded, facts.modules.blacklisted
    if loaded is True:
        return CLEAR
    lacking = missing(("driver.amd.loaded", loaded), ("modules.blacklisted", listed))
    if lacking or isinstance(listed, Unknown):
        return lacking or CLEAR
    entry = next((one for one in listed if one.module == "amdgpu"), None)
    if entry is None:
        return CLEAR
    return Found(
        evidence=(Evidence("modules.blacklisted", entry.module, entry.file), module_evidence(facts, "amd"),
                  no_driver(facts, idle[0])),
        values={"gpu": label(idle[0]), "file": entry.file},
        remedy=(modprobe("amdgpu"), *_lift(facts, entry)),
    )  # fmt: skip


def _lift(facts: Facts, entry: Blacklist) -> tuple[Remedy, ...]:
    why = Words("Lets amdgpu be loaded at boot again.", "让 amdgpu 在启动时重新加载。")
    if entry.file == "/proc/cmdline":
        one = parameter(facts, "modprobe.blacklist", "module_blacklist")
        return remove(facts, one.name if one else "modprobe.blacklist", why)
    edits = (word for verb in ("blacklist", "install") for word in ("-e", f"s/^ *{verb} +amdgpu/# {verb} amdgpu/"))
    edit = ("sed", "-i", "-E", *edits, entry.file)
    return (Remedy(edit, root=True, why=why), rebuild_initramfs(facts), reboot())


CAUSE = Cause(
    id="amdgpu-blacklisted",
    family="kernel",
    vendor="amd",
    severity="blocking",
    title=Words(
        "amdgpu is blacklisted in {file}, so nothing serves {gpu}", "amdgpu 在 {file} 中被列入黑名单，{gpu} 没有驱动"
    ),
    means=Words(
        "A modprobe.d file or the kernel command line forbids loading amdgpu.",
        "modprobe.d 文件或 kernel 命令行禁止加载 amdgpu。",
    ),
    effect=Words("There is no /dev/kfd and no render node.", "没有 /dev/kfd，也没有 render 节点。"),
    fix=Words(
        "Run modprobe amdgpu (some Instinct servers load it after boot on purpose), or lift the blacklist and reboot.",
        "运行 modprobe amdgpu（部分 Instinct 服务器有意在启动后才加载），或取消黑名单后重启。",
    ),
    judge=judge,
)

"""amdgpu is kept from being loaded by configuration."""

from __future__ import annotations

from ..facts.model import Blacklist, Facts, Gpu, Unknown
from ..words import Words
from ._boot import reboot, rebuild_initramfs
from ._cmdline import parameter, remove
from ._gpus import INSTINCT, label, of
from ._packages import modprobe
from ._serving import module_evidence, no_driver, rest, runs_now, unserved
from .changes import LiftBlacklist
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, Severity, missing


def judge(facts: Facts) -> Judgement:
    """Found if amdgpu is blacklisted and there is a GPU for it. Where it runs all the same (loaded by hand, as AMD
    advises for some Instinct servers) it does not block."""
    gpus, idle = of(facts, "amd"), unserved(facts, "amd")
    if not gpus:
        return rest(facts, "amd")
    listed = facts.modules.blacklisted
    if isinstance(listed, Unknown):
        return missing(("modules.blacklisted", listed)) or CLEAR
    entry = next((one for one in listed if one.module == "amdgpu"), None)
    if entry is None:
        return CLEAR
    gpu = (idle or gpus)[0]
    return Found(
        evidence=(Evidence("modules.blacklisted", entry.module, entry.file), module_evidence(facts, "amd"),
                  no_driver(facts, gpu)),
        values={"gpu": label(gpu), "file": entry.file},
        severity=None if idle else _weight(facts, gpu),
        remedy=(modprobe("amdgpu"), *_lift(facts, entry)),
    )  # fmt: skip


def _weight(facts: Facts, gpu: Gpu) -> Severity | None:
    if not runs_now(facts, "amd") and not _listed_as_loaded(facts):
        return None
    return "advice" if (gpu.target or "").startswith(INSTINCT) else "degrading"


def _listed_as_loaded(facts: Facts) -> bool:
    modules = facts.modules.loaded
    return not isinstance(modules, Unknown) and "amdgpu" in modules


def _lift(facts: Facts, entry: Blacklist) -> tuple[Remedy, ...]:
    why = Words("Lets amdgpu be loaded at boot again.", "让 amdgpu 在启动时重新加载。")
    if entry.file == "/proc/cmdline":
        one = parameter(facts, "modprobe.blacklist", "module_blacklist")
        return remove(facts, one.name if one else "modprobe.blacklist", why)
    edits = (word for verb in ("blacklist", "install") for word in ("-e", f"s/^ *{verb} +amdgpu/# {verb} amdgpu/"))
    edit = ("sed", "-i", "-E", *edits, entry.file)
    change = LiftBlacklist(module="amdgpu", file=entry.file)
    return (Remedy(edit, root=True, why=why, change=change), rebuild_initramfs(facts), reboot())


# messages
MESSAGES = (
    Message(r"^blacklist amdgpu", 0.85),
    Message(r"/etc/modprobe\.d/\S{1,80}: ?blacklist amdgpu", 0.93),
    Message(r"modprobe\.blacklist=(?:\w{1,30},){0,5}amdgpu", 0.94),
    Message(r"install amdgpu /bin/(?:false|true)", 0.9),
)  # fmt: skip

CAUSE = Cause(
    id="amdgpu-blacklisted",
    family="kernel",
    vendor="amd",
    severity="blocking",
    title=Words(
        "amdgpu is blacklisted in {file}, so {gpu} gets no driver at boot",
        "amdgpu 在 {file} 中被列入黑名单，{gpu} 启动时得不到驱动",
    ),
    means=Words(
        "A modprobe.d file or the kernel command line forbids loading amdgpu.",
        "modprobe.d 文件或内核命令行禁止加载 amdgpu。",
    ),
    effect=Words("There is no /dev/kfd and no render node.", "没有 /dev/kfd，也没有 render 节点。"),
    fix=Words(
        "Run modprobe amdgpu (some Instinct servers load it after boot on purpose), or lift the blacklist and reboot.",
        "运行 modprobe amdgpu（部分 Instinct 服务器有意在启动后才加载），或取消黑名单后重启。",
    ),
    judge=judge,
    messages=MESSAGES,
)

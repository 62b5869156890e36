"""The firmware files that this GPU needs are not there."""

from __future__ import annotations

from ..facts.model import Facts, Gpu, Unknown
from ..host.model import HostKind
from ..words import Words
from ._boot import reboot, rebuild_initramfs
from ._firmware import amd_firmware
from ._gpus import evidence, label, no_gpu, of
from ._serving import loaded
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, NotKnown, missing

FOLDER = "/lib/firmware/amdgpu"


def judge(facts: Facts) -> Judgement:
    """Found if no driver is bound to an AMD GPU and the folder has no graphics firmware of its chip. A driver that is
    bound has found its files, wherever they were; one that is not loaded has not looked for them."""
    gpus = of(facts, "amd")
    if not gpus:
        return no_gpu(facts)
    unbound = [gpu for gpu in gpus if gpu.driver is None and "driver" not in gpu.unknown and gpu.kfd is not True]
    if not unbound or loaded(facts, "amd") is False:
        return CLEAR
    files = facts.firmware.amdgpu_files
    if isinstance(files, Unknown) and files.unknown != "absent":
        return missing(("firmware.amdgpu_files", files)) or CLEAR
    stems = [] if isinstance(files, Unknown) else files
    without = [gpu for gpu in unbound if not _served(gpu, stems)]
    if not without:
        return CLEAR
    if facts.origin.kind is HostKind.TREE:  # it need not hold every file of the folder
        return NotKnown((f"firmware.amdgpu_files (not-captured: {FOLDER})",))
    gpu = without[0]
    why = Words("Installs the newest AMD firmware of the distribution.", "安装发行版最新的 AMD 固件。")
    return Found(
        evidence=(
            Evidence("firmware.amdgpu_files", " ".join(stems)[:200] or "none for this chip", FOLDER),
            evidence(facts, gpu, "driver", "none"),
            evidence(facts, gpu),
        ),
        values={"gpu": label(gpu)},
        remedy=(amd_firmware(facts, why), rebuild_initramfs(facts), reboot()),
    )


def _served(gpu: Gpu, stems: list[str]) -> bool:
    """From RDNA3 on the graphics block's files bear its IP version; what older chips need is known by name only."""
    if not stems:
        return False
    wanted = _graphics_block(gpu.target or "")
    return not wanted or any(stem.startswith(wanted) for stem in stems)


def _graphics_block(target: str) -> tuple[str, ...]:
    from ..knowledge import chips
    from ..knowledge.tables import raw

    if not target.startswith(("gfx11", "gfx12", "gfx94", "gfx95")) or chips.amd(target) is None:
        return ()
    versions: list[str] = raw(f"amd/{target}").get("gc", [])
    return tuple(f"gc_{version.replace('.', '_')}" for version in versions)


# messages
MESSAGES = (
    Message(r"Direct firmware load for (?P<file>amdgpu/\S{3,60}|nvidia/\S{3,80}) failed with error -2", 0.93, unless=("harmless-firmware",), told=Words("{file} is not installed.", "没有安装 {file}。")),
    Message(r"(?:Failed|failed) to (?:load|validate|request|get) (?:\w{2,12} )?firmware \"(?P<file>amdgpu/\S{3,60})\"", 0.9, told=Words("{file} is not installed.", "没有安装 {file}。")),
    Message(r"\*ERROR\* Failed to load (?P<block>\w{2,12}) firmware", 0.8, told=Words("The firmware of {block} is missing.", "缺少 {block} 的固件。")),
    Message(r"firmware: failed to load (?P<file>(?:amdgpu|nvidia)/\S{3,80}) \(-2\)", 0.92, told=Words("{file} is not installed.", "没有安装 {file}。")),
    Message(r"amdgpu/\S{3,60}\.bin: (?:could not load firmware image|No such file)", 0.85),
    Message(r"Possible missing firmware /lib/firmware/(?P<file>amdgpu/\S{3,80})", 0.4, told=Words("{file} is not installed.", "没有安装 {file}。"), needs=("probe-failed-words", "gpu-missing-words")),
    Message(r"early_init of IP block <(?P<block>\w{3,20})> failed -(?:2|19)\b", 0.72, told=Words("The firmware for {block} is missing.", "缺少 {block} 的固件。")),
    Message(r"NVRM: .{0,60}(?:failed to load|cannot find|unable to load) .{0,30}(?:gsp|firmware)", 0.85),
    Message(r"nvidia \S{7,14}: firmware: failed to load", 0.9),
    Message(r"sw_init of IP block <\w{3,20}> failed -2\b", 0.75),
)  # fmt: skip

CAUSE = Cause(
    id="linux-firmware-too-old",
    family="firmware",
    vendor="both",
    severity="blocking",
    title=Words("The firmware files of {gpu} are not installed", "没有安装 {gpu} 的固件文件"),
    means=Words("The firmware files this GPU needs are not installed.", "没有安装这块 GPU 需要的固件文件。"),
    effect=Words(
        "The driver's probe fails (“Direct firmware load ... failed with error -2”): no /dev/kfd, no render node.",
        "驱动初始化失败（“Direct firmware load ... failed with error -2”）：没有 /dev/kfd，也没有 render 节点。",
    ),
    fix=Words(
        "Update linux-firmware (by the distribution, or the upstream release), rebuild the initramfs, reboot.",
        "更新 linux-firmware（用发行版的包或上游版本），重新生成 initramfs，重启。",
    ),
    follows=("nomodeset-blocks-amdgpu", "amdgpu-blacklisted"),
    judge=judge,
    messages=MESSAGES,
)

"""The user may not open NVIDIA's device nodes."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._access import denied, group_of, groups_evidence, joining, node_evidence, nvidia_nodes, undecided, user
from ._containers import SESSIONS, in_container, kind, nvidia_start
from ._gpus import not_captured
from .changes import NewLogin
from .kfd_permission_render_group import LOGIN
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement, NotKnown, Remedy


def judge(facts: Facts) -> Judgement:
    """As for AMD's nodes. NVIDIA's are open to all unless NVreg_DeviceFileMode or udev says otherwise."""
    nodes = nvidia_nodes(facts)
    shut = denied(nodes)
    if not shut:
        needs = undecided(facts, nodes)
        return NotKnown(needs) if needs else (not_captured(facts) if not facts.gpus else None) or CLEAR
    node, group = shut[0], group_of(facts, shut[0].gid)
    if in_container(facts) and kind(facts) not in SESSIONS:
        remedy: tuple[Remedy, ...] = (Remedy((), root=False, why=nvidia_start(facts)),)
    elif group and group.gid != 0 and node.mode & 0o060 == 0o060:
        remedy = (joining(facts, group.name), Remedy((), root=False, why=LOGIN, change=NewLogin()))
    else:
        remedy = (Remedy((), root=True, why=_OPTION),)
    return Found(
        evidence=(node_evidence(facts, node), groups_evidence(facts)),
        values={"node": node.path, "user": user(facts) or "?", "gid": str(node.gid)},
        remedy=remedy,
    )


_OPTION = Words(
    "Set the module options NVreg_DeviceFileMode=0666 (or NVreg_DeviceFileGID and 0660), or drop the udev "
    "rule, and reboot.",
    "设置模块参数 NVreg_DeviceFileMode=0666（或 NVreg_DeviceFileGID 与 0660），或去掉 udev 规则，然后重启。",
)

# messages
MESSAGES = (
    Message(r"Failed to initialize NVML: Insufficient Permissions", 0.9),
    Message(r"/dev/nvidia(?:ctl|-uvm|\d{1,2}).{0,20}Permission denied", 0.85, unless=("container", "apparmor-denied", "avc-denied")),
    Message(r"NVRM: .{0,30}Insufficient permissions", 0.8),
)  # fmt: skip

CAUSE = Cause(
    id="nvidia-device-permission",
    family="permissions",
    vendor="nvidia",
    severity="blocking",
    title=Words("{user} may not open {node} (group {gid})", "{user} 无权打开 {node}（组 {gid}）"),
    means=Words(
        "The account may not open NVIDIA's device nodes: their mode or group was narrowed.",
        "该账户无权打开 NVIDIA 设备节点：它们的权限或组被收紧了。",
    ),
    effect=Words("CUDA and nvidia-smi find no GPU.", "CUDA 和 nvidia-smi 都找不到 GPU。"),
    fix=Words(
        "Join the group that owns the nodes, or open them (NVreg_DeviceFileMode), then start a new session.",
        "加入拥有这些节点的组，或放开权限（NVreg_DeviceFileMode），然后重新登录。",
    ),
    follows=("group-not-effective-until-login", "lxc-device-gid-wrong", "rootless-container-groups-dropped"),
    judge=judge,
    messages=MESSAGES,
)

"""The user may not open AMD's device nodes."""

from __future__ import annotations

from ..facts.model import Facts, Node
from ..words import Words
from ._access import amd_nodes, denied, group_of, groups_evidence, joining, node_evidence, undecided, user
from ._containers import SESSIONS, amd_start, in_container, kind
from ._gpus import not_captured, of
from .changes import NewLogin
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement, NotKnown, Remedy


def judge(facts: Facts) -> Judgement:
    """By the effective ids of the process against mode and numeric owner of /dev/kfd and the render nodes."""
    nodes = amd_nodes(facts)
    shut = denied(nodes)
    if shut:
        return Found(
            evidence=(*(node_evidence(facts, node) for node in shut[:2]), groups_evidence(facts)),
            # with a card of the other vendor at work, nobody may miss this one
            severity="advice" if any(gpu.usable is True for gpu in of(facts, "nvidia")) else None,
            values={"node": shut[0].path, "user": user(facts) or "?", "gid": str(shut[0].gid)},
            remedy=_remedy(facts, shut),
        )
    needs = undecided(facts, nodes)
    if needs:
        return NotKnown(needs)
    return (not_captured(facts) if not facts.gpus else None) or CLEAR


def _remedy(facts: Facts, shut: list[Node]) -> tuple[Remedy, ...]:
    if in_container(facts) and kind(facts) not in SESSIONS:
        return (Remedy((), root=False, why=amd_start(facts, shut[0].gid)),)
    groups = sorted({group.name for node in shut if (group := group_of(facts, node.gid)) and group.gid != 0})
    if not groups or any(node.mode & 0o060 != 0o060 for node in shut):
        return (Remedy((), root=True, why=_UDEV),)
    return (joining(facts, ",".join(groups)), Remedy((), root=False, why=LOGIN, change=NewLogin()))


LOGIN = Words(
    "Log out fully and in again (restart services, tmux and IDE servers): a session keeps its old groups.",
    "完全注销后重新登录（服务、tmux、IDE 服务端也要重启）：会话会保留旧的组。",
)
_UDEV = Words(
    "The nodes belong to no group that a user could join: give them to `render` by a udev rule "
    '(KERNEL=="kfd", GROUP="render", MODE="0660"), run udevadm trigger, and join that group.',
    "这些节点不属于任何可加入的组：用 udev 规则把它们交给 `render` 组"
    '（KERNEL=="kfd", GROUP="render", MODE="0660"），运行 udevadm trigger，再加入该组。',
)

# messages
MESSAGES = (
    Message(r"Unable to open /dev/kfd read-write: Permission denied", 0.86, unless=("rootless", "lxc", "apparmor-denied", "avc-denied", "group-add-name", "wsl", "usermod-done")),
    Message(r"(?i)open /dev/kfd: permission denied", 0.9, unless=("rootless", "lxc", "group-add-name", "usermod-done", "apparmor-denied", "avc-denied")),
    Message(r"(?P<user>[\w.-]{1,32}) is not member of \"(?P<group>[\w-]{1,20})\" group, the default DRM access group", 0.86, unless=("rootless", "lxc", "group-add-name", "usermod-done"), told=Words("{user} is not in the group {group}.", "{user} 不在 {group} 组中。")),
    Message(r"is not (?:a )?member of (?:the )?\"?(?:render|video)\"? group", 0.86, unless=("rootless", "lxc", "group-add-name", "usermod-done")),
    Message(r"/dev/dri/renderD\d{3}.{0,20}(?i:permission denied)", 0.85, unless=("rootless", "lxc", "group-add-name", "usermod-done", "apparmor-denied", "avc-denied")),
    Message(r"add you(?:r)? user (?:account )?to the (?:render|video) group", 0.88, unless=("rootless", "lxc")),
    Message(r"/dev/kfd.{0,40}(?i:permission denied|access denied|EACCES)", 0.82, unless=("rootless", "lxc", "group-add-name", "usermod-done", "apparmor-denied", "avc-denied")),
    Message(r"Failed to open (?:libdrm|drm|render) .{0,40}Permission denied", 0.8, unless=("rootless", "lxc")),
    Message(r"permissions not set up properly", 0.85, unless=("rootless", "lxc")),
    Message(r"openat\(.{0,20}/dev/kfd.{0,60}EACCES", 0.9, unless=("rootless", "lxc")),
    Message(r"(?i)user (?:is )?not (?:in|a member of) (?:the )?render", 0.85),
    Message(r"'?/dev/kfd'?.{0,10}(?i:operation not permitted)", 0.3, unless=("lxc",)),
)  # fmt: skip

CAUSE = Cause(
    id="kfd-permission-render-group",
    family="permissions",
    vendor="amd",
    severity="blocking",
    title=Words("{user} may not open {node} (group {gid})", "{user} 无权打开 {node}（组 {gid}）"),
    means=Words(
        "The account may not open /dev/kfd or the render node, since it is not in the group that owns them.",
        "该账户不在拥有 /dev/kfd 或 render 节点的组里，无法打开它们。",
    ),
    effect=Words(
        "ROCm finds no GPU (“Permission denied” on /dev/kfd), though amd-smi may work.",
        "ROCm 找不到 GPU（/dev/kfd “Permission denied”），尽管 amd-smi 可能正常。",
    ),
    fix=Words(
        "usermod -aG render,video USER and a new session; in a container pass the host's numeric render gid "
        "with --group-add.",
        "usermod -aG render,video USER 并重新登录；容器中用 --group-add 传入主机 render 组的数字编号。",
    ),
    follows=(
        "container-render-gid-mismatch", "rootless-container-groups-dropped", "lxc-device-gid-wrong",
        "group-not-effective-until-login", "container-missing-gpu-devices",
    ),
    judge=judge,
    messages=MESSAGES,
)  # fmt: skip

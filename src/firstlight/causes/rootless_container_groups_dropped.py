"""A rootless container that lost the host user's groups."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._access import UNMAPPED, amd_nodes, denied, groups_evidence, node_evidence
from ._containers import kind
from ._gpus import not_captured
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found in a user namespace of its own if the shut nodes belong to a group that has no number there."""
    shut = [node for node in denied(amd_nodes(facts)) if node.gid == UNMAPPED]
    if not shut or kind(facts) == "lxc":
        return (not_captured(facts) if not facts.gpus else None) or CLEAR
    rootless = facts.container.rootless
    if rootless is not True:
        return missing(("container.rootless", rootless)) or CLEAR
    keep = Words(
        "On the host, as a user who is in render and video, start it with: --group-add keep-groups (podman with crun; "
        "docker: run it rootful). Adding groups inside the container does not help.",
        "在主机上以 render 和 video 组成员的身份，用 --group-add keep-groups 启动（podman 配 crun；docker 请用 "
        "rootful 模式）。"
        "在容器内加组没有用。",
    )
    return Found(
        evidence=(Evidence("container.rootless", "true", "/proc/self/uid_map"), node_evidence(facts, shut[0]),
                  groups_evidence(facts)),
        values={"node": shut[0].path},
        remedy=(Remedy((), root=False, why=keep),),
    )  # fmt: skip


# messages
MESSAGES = (
    Message(r"is not member of \"nogroup\" group", 0.96),
    Message(r"Unable to open /dev/kfd read-write: Permission denied", 0.86, needs=("rootless",), unless=("keep-groups", "avc-denied", "wsl")),
    Message(r"(?i)/dev/(?:kfd|dri/renderD\d{3}).{0,30}permission denied", 0.84, needs=("rootless",), unless=("keep-groups", "avc-denied")),
    Message(r"/dev/dri/renderD\d{3}: .{0,20}(?i:permission)", 0.8, needs=("rootless",), unless=("keep-groups", "avc-denied")),
    Message(r"(?:nobody|65534) {1,8}(?:nogroup|nobody|65534) .{0,60}(?:kfd|renderD\d{3}|card\d)", 0.93),
    Message(r"crw-rw----\+?\.? {0,4}\d {1,3}(?:nobody|65534) {1,4}(?:nogroup|nobody|65534)", 0.9),
    Message(r"is not member of \"(?:render|video)\" group", 0.8, needs=("rootless",), unless=("keep-groups",)),
)  # fmt: skip

CAUSE = Cause(
    id="rootless-container-groups-dropped",
    family="container",
    vendor="amd",
    severity="blocking",
    title=Words(
        "This rootless container has lost the group that may open {node}",
        "这个 rootless 容器丢掉了可打开 {node} 的组",
    ),
    means=Words(
        "A rootless container loses the host user's video and render groups, so the nodes cannot be opened.",
        "rootless 容器会丢掉主机用户的 video 和 render 组，因此无法打开节点。",
    ),
    effect=Words(
        "The nodes are visible but belong to nobody; even “root” inside is refused.",
        "节点可见但属于 nobody；容器内的 “root” 也被拒绝。",
    ),
    fix=Words(
        "--group-add keep-groups (podman with crun) or rootful with numeric gids; adding groups inside does not help.",
        "--group-add keep-groups（podman 配 crun），或 rootful 加数字 gid；在容器内加组没有用。",
    ),
    known=(
        Known("https://github.com/ROCm/legacy-rocm-build/issues/1549", first_seen="2021-08-06"),
        Known("https://github.com/89luca89/distrobox/issues/1230", first_seen="2024-02-24"),
        Known("https://github.com/ollama/ollama/issues/6685"),
    ),
    judge=judge,
    messages=MESSAGES,
)

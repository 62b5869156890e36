"""A container whose render group has another number than the host's."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._access import UNMAPPED, amd_nodes, denied, group_named, groups_evidence, node_evidence
from ._containers import SESSIONS, amd_start, in_container, kind
from ._gpus import not_captured
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found in a container if /dev/kfd or the render nodes are shut, and the image's `render` (or `video`) group has
    another number than their owner."""
    shut = denied(amd_nodes(facts))
    if not shut:
        return (not_captured(facts) if not facts.gpus else None) or CLEAR
    if not in_container(facts):
        return missing(("container.kind", facts.container.kind)) or CLEAR
    node = shut[0]
    if kind(facts) in SESSIONS or facts.container.rootless is True or node.gid in {UNMAPPED, 0}:
        return CLEAR
    lacking = missing(("access.group_database", facts.access.group_database))
    if lacking:
        return lacking
    image = group_named(facts, "render") or group_named(facts, "video")
    if image is None or image.gid == node.gid:
        return CLEAR
    here = Evidence("access.group_database", f"{image.name} is {image.gid}", "/etc/group")
    return Found(
        evidence=(node_evidence(facts, node), here, groups_evidence(facts)),
        values={"node": node.path, "gid": str(node.gid), "name": image.name, "image": str(image.gid)},
        remedy=(Remedy((), root=False, why=amd_start(facts, node.gid)),),
    )


# messages
MESSAGES = (
    Message(r"(?i)unable to find group (?P<group>render|video)", 0.94, told=Words("The image has no group {group}.", "镜像没有 {group} 组。")),
    Message(r"Unable to open /dev/kfd read-write: Permission denied", 0.88, needs=("group-add-name",), unless=("rootless", "lxc", "avc-denied")),
    Message(r"(?i)/dev/(?:kfd|dri/renderD\d{3}).{0,30}permission denied", 0.86, needs=("group-add-name",), unless=("rootless", "lxc", "avc-denied")),
    Message(r"(?:Failed to|cannot) (?:find|look ?up|get) (?:name for )?group(?: ID| name)?:? (?P<gid>\d{2,6})", 0.75, needs=("container",), told=Words("The group number {gid} has no name in the image.", "组号 {gid} 在镜像中没有名称。")),
    Message(r"groups: cannot find name for group ID (?P<gid>\d{2,6})", 0.55, needs=("kfd-denied",), told=Words("The group number {gid} has no name in the image.", "组号 {gid} 在镜像中没有名称。")),
    Message(r"is not member of \"(?:render|video)\" group", 0.75, needs=("group-add-name",), unless=("rootless", "lxc")),
    Message(r"crw-rw----\+? {0,4}\d {1,3}root {1,4}(?P<gid>\d{2,6}) {1,6}\d{2,4}, .{0,30}(?:kfd|renderD\d{3})", 0.72, needs=("kfd-denied", "container"), unless=("lxc",), told=Words("The node belongs to group {gid}, which the image does not know.", "节点属于组 {gid}，镜像不认识该组。")),
)  # fmt: skip

CAUSE = Cause(
    id="container-render-gid-mismatch",
    family="container",
    vendor="amd",
    severity="blocking",
    title=Words(
        "{node} belongs to group {gid}, but {name} is {image} in this container",
        "{node} 属于组 {gid}，但这个容器里的 {name} 是 {image}",
    ),
    means=Words(
        "The group was passed by name, but the image's render group has another number than the host's.",
        "组是按名字传入的，但镜像中 render 组的编号与主机不同。",
    ),
    effect=Words(
        "A user in the container may not open the GPU; root may.",
        "容器内的普通用户无法打开 GPU；root 可以。",
    ),
    fix=Words(
        "Pass the host's number: --group-add with what stat -c %g /dev/kfd prints, and the same for renderD*; "
        "or a CDI spec "
        "with additional gids.",
        "传入主机的编号：--group-add 后面用 stat -c %g /dev/kfd 的输出，renderD* 同理；或使用带 additional "
        "gids 的 CDI 规范。",
    ),
    known=(Known("https://github.com/ROCm/ROCm-docker/issues/116", first_seen="2023-10-26"),),
    judge=judge,
    messages=MESSAGES,
)

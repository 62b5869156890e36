"""An LXC container that was given the nodes with a foreign group."""

from __future__ import annotations

from ..facts.model import Facts, Node
from ..transcript.model import Hit
from ..words import Words
from ._access import amd_nodes, denied, group_named, node_evidence, nvidia_nodes
from ._containers import kind
from ._gpus import not_captured
from .messages import Message, Seen
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found in LXC if a shut node does not belong to the container's own render (video for card nodes) group."""
    shut = denied(amd_nodes(facts)) + denied(nvidia_nodes(facts))
    if not shut:
        return (not_captured(facts) if not facts.gpus else None) or CLEAR
    if kind(facts) != "lxc":
        return missing(("container.kind", facts.container.kind)) or CLEAR
    lacking = missing(("access.group_database", facts.access.group_database))
    if lacking:
        return lacking
    foreign = [node for node in shut if node.gid != _own(facts)]
    return _found(facts, foreign[0]) if foreign else CLEAR


def _own(facts: Facts) -> int | None:
    group = group_named(facts, "render") or group_named(facts, "video")
    return group.gid if group else None


def _found(facts: Facts, node: Node) -> Found:
    own = _own(facts)
    number = str(own) if own is not None else "GID"
    here = Evidence(
        "access.group_database", f"render is {number}" if own is not None else "no render group", "/etc/group"
    )
    why = Words(
        f"On the host, set the device's gid={number} and mode=0660 (Proxmox: dev0: {node.path},gid={number}; LXD: "
        f"lxc config device set NAME DEVICE gid={number}), and restart the container.",
        f"在主机上把该设备设为 gid={number}、mode=0660（Proxmox：dev0: {node.path},gid={number}；LXD："
        f"lxc config device set NAME DEVICE gid={number}），然后重启容器。",
    )
    return Found(
        evidence=(node_evidence(facts, node), here),
        values={"node": node.path, "gid": str(node.gid)},
        remedy=(Remedy((), root=True, why=why),),
    )


# messages
def other_gid(hit: Hit, seen: Seen) -> bool:
    """Another gid than the group of that node has in the container, or than its neighbours."""
    gid, node = hit.values["gid"], hit.values["node"]
    wanted = "video" if "/card" in node else "render"
    inside = [one.values["gid"] for one in seen.signs.get("group-line", ()) if one.values.get("group") == wanted]
    if inside:
        return gid not in inside
    other = {one.values["gid"] for one in seen.signs.get("lxc-gid", ()) if "renderD" in one.values["node"]}
    return "/kfd" in node and bool(other) and gid not in other


MESSAGES = (
    Message(r"dev\d{1,2}: (?P<node>/dev/(?:kfd|dri/\S{3,14}|nvidia\S{0,10})),(?:[\w=]{1,20},)?gid=(?P<gid>\d{1,6})", 0.9, check=other_gid, told=Words("{node} is handed over with gid {gid}, which is not the group that the container's users are in.", "{node} 以 gid {gid} 传入，而这不是容器用户所在的组。")),
    Message(r"dev\d{1,2}: (?P<node>/dev/(?:kfd|dri/\S{3,14}))(?:,mode=\d{3,4})?\s{0,3}$", 0.8, told=Words("{node} is handed over without a gid.", "{node} 传入时没有指定 gid。")),
    Message(r"Unable to open /dev/kfd read-write: Permission denied", 0.84, needs=("lxc",)),
    Message(r"(?i)/dev/(?:kfd|dri/\S{3,14}|nvidia\S{0,10}).{0,30}permission denied", 0.82, needs=("lxc",)),
    Message(r"gid: \"?(?P<gid>\d{1,6})\"?", 0.6, needs=("lxc",), told=None),
    Message(r"lxc\.mount\.entry: ?/dev/(?:kfd|dri)", 0.6, needs=("kfd-denied",)),
    Message(r"is not member of \"(?:render|video)\" group", 0.75, needs=("lxc",)),
)  # fmt: skip

CAUSE = Cause(
    id="lxc-device-gid-wrong",
    family="container",
    vendor="both",
    severity="blocking",
    title=Words(
        "LXC gives {node} to group {gid}, which no user here is in", "LXC 把 {node} 交给组 {gid}，容器内的用户不在其中"
    ),
    means=Words(
        "An LXC/LXD container gets the GPU nodes with a group (or root) that its users are not in.",
        "LXC/LXD 容器得到的 GPU 节点属于容器内用户不在的组（或 root）。",
    ),
    effect=Words("Users in the container may not open the GPU.", "容器内的用户无法打开 GPU。"),
    fix=Words(
        "Set gid= to the container's render (kfd, renderD) or video (card) number and a mode of 0660, restart "
        "the container.",
        "把 gid= 设为容器内 render（kfd、renderD）或 video（card）组的编号，mode 设为 0660，重启容器。",
    ),
    judge=judge,
    messages=MESSAGES,
)

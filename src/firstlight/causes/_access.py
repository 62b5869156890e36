"""The device nodes that compute needs, and who may open them."""

from __future__ import annotations

from ..facts.model import Facts, Group, Node, Unknown
from ..words import Words
from ._gpus import for_compute, of
from ._serving import served
from .changes import AddToGroup
from .model import Evidence, Remedy

UNMAPPED = 65534
"""Owner of a node that has no number in this user namespace."""


def amd_nodes(facts: Facts) -> list[Node]:
    """/dev/kfd and the render nodes of served AMD GPUs; all render nodes where it is not known which are theirs."""
    gpus = [gpu for gpu in for_compute(facts, "amd") if served(facts, gpu) is not False]
    if not gpus:
        return []
    named = {gpu.render_node for gpu in gpus}
    every = None in named
    return [
        node
        for node in facts.access.nodes
        if node.path == "/dev/kfd" or node.path in named or (every and node.path.startswith("/dev/dri/render"))
    ]


def nvidia_nodes(facts: Facts) -> list[Node]:
    """/dev/nvidiactl, /dev/nvidia-uvm, and /dev/nvidia0 and so on, if an NVIDIA GPU is served."""
    if not any(served(facts, gpu) is not False for gpu in of(facts, "nvidia")):
        return []
    wanted = ("/dev/nvidiactl", "/dev/nvidia-uvm")
    return [one for one in facts.access.nodes if one.path in wanted or one.path.removeprefix("/dev/nvidia").isdecimal()]


def denied(nodes: list[Node]) -> list[Node]:
    """Nodes that stand in the way: a control node that may not be opened, or, of the nodes that are one for each GPU,
    all of them (one that may be opened is enough to compute)."""
    control = [node for node in nodes if _is_control(node) and node.can_open is False]
    each = [node for node in nodes if not _is_control(node)]
    shut = [node for node in each if node.can_open is False]
    return control + (shut if len(shut) == len(each) else [])


def undecided(facts: Facts, nodes: list[Node]) -> tuple[str, ...]:
    """For `NotKnown`: nodes of which it is not known whether they may be opened."""
    return tuple(
        f"{node_path(facts, node)}.can_open ({node.can_open.unknown}: {node.can_open.source})"
        for node in nodes
        if isinstance(node.can_open, Unknown)
    )


def _is_control(node: Node) -> bool:
    return node.path in {"/dev/kfd", "/dev/nvidiactl", "/dev/nvidia-uvm"}


def group_of(facts: Facts, gid: int) -> Group | None:
    """The group of that number in /etc/group."""
    known = facts.access.group_database
    return None if isinstance(known, Unknown) else next((one for one in known if one.gid == gid), None)


def group_named(facts: Facts, name: str) -> Group | None:
    """The group of that name in /etc/group."""
    known = facts.access.group_database
    return None if isinstance(known, Unknown) else next((one for one in known if one.name == name), None)


def node_path(facts: Facts, node: Node) -> str:
    """Its path among the facts, `access.nodes[3]`."""
    at = next((index for index, other in enumerate(facts.access.nodes) if other is node), 0)
    return f"access.nodes[{at}]"


def join(facts: Facts, groups: str) -> tuple[str, ...]:
    """Command that adds the asking user to groups; empty where its name is not known or would pass for an option."""
    name = facts.access.user
    return ("usermod", "-aG", groups, name) if isinstance(name, str) and name and not name.startswith("-") else ()


def joining(facts: Facts, groups: str) -> Remedy:
    """Add the asking user to groups; in words where its name is not known."""
    argv = join(facts, groups)
    if argv:
        why = Words("Adds the user to the groups that own the nodes.", "把用户加入拥有这些节点的组。")
        return Remedy(argv, root=True, why=why, change=AddToGroup(user=argv[-1], groups=tuple(groups.split(","))))
    number = f" ({facts.access.uid})" if isinstance(facts.access.uid, int) else ""
    told = Words(
        f"Have the account{number} added to {groups}, the groups that own the nodes (usermod -aG).",
        f"把该账户{number}加入拥有这些节点的组 {groups}（usermod -aG）。",
    )
    return Remedy((), root=True, why=told)


def user(facts: Facts) -> str:
    """Name of the asking user, or its number."""
    access = facts.access
    if isinstance(access.user, str):
        return access.user
    return str(access.uid) if isinstance(access.uid, int) else ""


def waits_for_login(facts: Facts, node: Node) -> bool:
    """Whether the group database gives the user the node's group, and this session does not have it."""
    group, groups = group_of(facts, node.gid), facts.access.groups
    member = group is not None and isinstance(facts.access.user, str) and facts.access.user in group.members
    return member and not isinstance(groups, Unknown) and node.gid not in groups and node.mode & 0o060 == 0o060


def node_evidence(facts: Facts, node: Node) -> Evidence:
    """Owner and mode of a node."""
    group = group_of(facts, node.gid)
    name = f" ({group.name})" if group else ""
    return Evidence(node_path(facts, node), f"mode {node.mode:04o}, uid {node.uid}, gid {node.gid}{name}", node.path)


def groups_evidence(facts: Facts) -> Evidence:
    """Effective groups of this process."""
    groups = facts.access.groups
    shown = groups.unknown if isinstance(groups, Unknown) else ", ".join(str(one) for one in groups[:20])
    return Evidence("access.groups", shown, "process")

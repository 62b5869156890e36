"""The user is in the group, the session is not."""

from __future__ import annotations

from ..facts.model import Facts
from ..transcript.model import Hit
from ..words import Words
from ._access import amd_nodes, denied, group_of, groups_evidence, node_evidence, nvidia_nodes, user, waits_for_login
from ._containers import SESSIONS, in_container, kind
from ._gpus import not_captured
from .changes import NewLogin
from .kfd_permission_render_group import LOGIN
from .messages import Message, Seen
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if /etc/group lists the user in the group that owns a node that this process may not open."""
    shut = denied(amd_nodes(facts)) + denied(nvidia_nodes(facts))
    if not shut or (in_container(facts) and kind(facts) not in SESSIONS):
        return (not_captured(facts) if not facts.gpus else None) or CLEAR
    access = facts.access
    lacking = missing(("access.user", access.user), ("access.group_database", access.group_database))
    if lacking:
        return lacking
    if not all(waits_for_login(facts, node) for node in shut):
        return CLEAR
    group = group_of(facts, shut[0].gid)
    name = group.name if group else str(shut[0].gid)
    return Found(
        evidence=(Evidence("access.group_database", f"{name}: {user(facts)}", "/etc/group"), groups_evidence(facts),
                  node_evidence(facts, shut[0])),
        values={"user": user(facts), "group": name},
        remedy=(Remedy((), root=False, why=LOGIN, change=NewLogin()),
                Remedy(() if name.startswith("-") else ("sg", name, "-c", "firstlight doctor"), root=False, why=_TRY)),
    )  # fmt: skip


_TRY = Words("To try it at once, without a new login.", "想马上验证，不必重新登录。")


# messages
def session_lacks(hit: Hit, seen: Seen) -> bool:  # noqa: ARG001
    """The session's own list of groups is in the text, and has no render."""
    lists = [one.text for one in seen.signs.get("id-list", ())]
    return bool(lists) and not any("render" in one for one in lists)


MESSAGES = (
    Message(r"(?i)(?:log ?out|re-?login|log in again|new (?:login|session)).{0,80}(?:group|render)", 0.55, needs=("kfd-denied",)),
    Message(r"usermod -a ?G {1,2}(?:render|video)\S{0,20}", 0.72, needs=("kfd-denied",), unless=("rootless",)),
    Message(r"adduser \S{1,40} (?:render|video)", 0.7, needs=("kfd-denied",)),
    Message(r"gpasswd -a \S{1,40} (?:render|video)", 0.7, needs=("kfd-denied",)),
    Message(r"newgrp (?:render|video)", 0.78),
    Message(r"\bsg render", 0.78),
    Message(r"^render:x:\d{1,5}:[\w,-]{0,60}[a-z]", 0.6, needs=("kfd-denied",), unless=("container", "rootless", "lxc"), check=session_lacks),
)  # fmt: skip

CAUSE = Cause(
    id="group-not-effective-until-login",
    family="permissions",
    vendor="both",
    severity="blocking",
    title=Words(
        "{user} is in the group {group}, but this session is not: log in again",
        "{user} 已在 {group} 组中，但当前会话还没有生效：请重新登录",
    ),
    means=Words(
        "The user was added to render or video, but the running session does not have the group yet.",
        "用户已加入 render 或 video 组，但当前会话还没有该组。",
    ),
    effect=Words("The device nodes cannot be opened from this session.", "当前会话无法打开设备节点。"),
    fix=Words(
        "Log out fully and in again (restart the user manager, tmux, IDE server or service), or reboot.",
        "完全注销后重新登录（重启用户管理器、tmux、IDE 服务端或服务），或重启机器。",
    ),
    judge=judge,
    messages=MESSAGES,
)

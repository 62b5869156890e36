"""A pin forces a version that blocks the install."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"you have held broken packages", 0.82, needs=("pin-forcing",)),
    Message(r"Pin-Priority: (?P<priority>(?:-\d{1,5}|[1-9]\d{3,4}))", 0.7, needs=("unmet", "apt-held-words"), told=Words("A preferences file sets priority {priority}.", "preferences 文件设置了优先级 {priority}。")),
    Message(r"but (?P<offered>[\w.:+~-]{2,60}) is to be installed", 0.75, needs=("pin-forcing",)),
    Message(r"(?P<package>[\w.+-]{2,60}) -> (?P<version>[\w.:+~-]{2,60}) with priority (?P<priority>-?\d{1,5})", 0.8, needs=("unmet", "apt-held-words"), told=Words("{package} is pinned to {version} with priority {priority}.", "{package} 被 pin 到 {version}，优先级 {priority}。")),
)  # fmt: skip

CAUSE = Cause(
    id="apt-held-broken-by-pin",
    family="apt",
    vendor="both",
    severity="blocking",
    title=Words(
        "A pin in apt's preferences blocks the install",
        "apt preferences 中的 pin 阻碍安装",
    ),
    means=Words(
        "A pin in apt's preferences forces an old or foreign version and blocks the install.",
        "apt preferences 中的 pin 强制使用旧的或外来的版本，从而阻碍安装。",
    ),
    effect=Words(
        "apt speaks of held broken packages though nothing is on hold.",
        "apt 说有被保留的损坏软件包，但并没有软件包被 hold。",
    ),
    fix=Words(
        "Correct or delete that preferences file, apt update, install again; allow the downgrade if the pin had moved packages ahead.",
        "更正或删除该 preferences 文件，apt update 后重新安装；若 pin 曾使软件包超前，则允许降级。",
    ),
    messages=MESSAGES,
)

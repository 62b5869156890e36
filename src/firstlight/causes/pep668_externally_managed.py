"""The distribution's Python refuses pip installs."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found, as advice, if the system's Python is marked and no environment of its own is active."""
    marked = facts.python.externally_managed
    active = any(one.active and not one.path.startswith("/usr/") for one in facts.python.environments)
    if active or marked is False:
        return CLEAR
    lacking = missing(("python.externally_managed", marked))
    if lacking:
        return lacking
    why = Words("Makes an environment to install into.", "创建一个可供安装的环境。")
    return Found(
        evidence=(Evidence("python.externally_managed", "true", "EXTERNALLY-MANAGED of the standard library"),),
        remedy=(Remedy(("uv", "venv", ".venv"), root=False, why=why),),
    )


# messages
MESSAGES = (
    Message(r"externally-managed-environment", 0.97),
    Message(r"This environment is externally managed", 0.97),
    Message(r"The interpreter at (?P<path>\S{1,100}) is externally managed", 0.97, told=Words("The Python at {path} belongs to the distribution.", "{path} 处的 Python 属于发行版。")),
    Message(r"--break-system-packages", 0.6),
)  # fmt: skip

CAUSE = Cause(
    id="pep668-externally-managed",
    family="python",
    vendor="both",
    severity="advice",
    title=Words("The system's Python takes no pip installs (PEP 668)", "系统 Python 不接受 pip 安装（PEP 668）"),
    means=Words(
        "The distribution's Python refuses pip installs outside a virtual environment.",
        "发行版的 Python 拒绝在虚拟环境之外用 pip 安装。",
    ),
    effect=Words(
        "pip install stops with “externally-managed-environment”. firstlight is not affected: it uses its "
        "own environment.",
        "pip install 报 “externally-managed-environment” 后停止。firstlight 不受影响：它用自己的环境。",
    ),
    fix=Words(
        "Install into a virtual environment (uv venv, python3 -m venv, pipx); do not use --break-system-packages.",
        "装到虚拟环境里（uv venv、python3 -m venv、pipx）；不要用 --break-system-packages。",
    ),
    judge=judge,
    messages=MESSAGES,
)

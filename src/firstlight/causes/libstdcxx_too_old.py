"""The libstdc++ found first is too old."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"version `(?P<version>GLIBCXX_3\.4\.\d{1,2})' not found", 0.96, told=Words("{version} is needed.", "需要 {version}。")),
    Message(r"version `(?P<version>CXXABI_1\.3\.\d{1,2})' not found", 0.95, told=Words("{version} is needed.", "需要 {version}。")),
    Message(r"libstdc\+\+\.so\.6.{0,60}(?:GLIBCXX|CXXABI)_\S{3,12}.{0,4} not (?:found|defined)", 0.93),
)  # fmt: skip

CAUSE = Cause(
    id="libstdcxx-too-old",
    family="library",
    vendor="both",
    severity="blocking",
    title=Words(
        "The libstdc++ that is loaded is too old",
        "加载的 libstdc++ 太旧",
    ),
    means=Words(
        "The libstdc++ that the loader finds first is older than the program needs.",
        "加载器先找到的 libstdc++ 比程序需要的旧。",
    ),
    effect=Words(
        "The import fails.",
        "导入失败。",
    ),
    fix=Words(
        "Make the environment's own copy win (install or repair libstdcxx-ng, no LD_LIBRARY_PATH to the system), or a newer system or container.",
        "让环境自带的副本优先（安装或修复 libstdcxx-ng，LD_LIBRARY_PATH 不指向系统），或使用更新的系统或容器。",
    ),
    messages=MESSAGES,
)

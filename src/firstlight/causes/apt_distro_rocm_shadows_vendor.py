"""The distribution's ROCm packages win over AMD's."""

from __future__ import annotations

import re

from ..transcript.model import Hit
from ..words import Words
from .messages import Message, Seen
from .model import Cause

# messages
_VENDOR = r"\.\d{5}-\d{1,4}~"
"""AMD's own package versions carry the ROCm build: `1.0.0.60002-115~22.04`."""


def not_vendor(hit: Hit, seen: Seen) -> bool:  # noqa: ARG001
    """What is wanted is AMD's, and what is offered is not."""
    wanted, offered = hit.values["wanted"], hit.values["offered"]
    return not re.search(_VENDOR, offered) and bool(re.search(_VENDOR, wanted) or re.search(r"\d{5}", wanted))


MESSAGES = (
    Message(r"Depends: (?P<package>rocm[\w.-]{1,40}|rocminfo|hip[\w.-]{2,40}|hsa[\w.-]{2,40}|comgr|libamd[\w.-]{1,30}|roc[\w.-]{2,40}|miopen[\w.-]{0,30}|rccl|amd-smi[\w.-]{0,10}|llvm-amdgpu|half) \(= {0,2}(?P<wanted>[\w.:+~-]{3,60})\) but (?P<offered>[0-9][\w.:+~-]{1,60}) is to be installed", 0.94, unless=("apt-pin-present",), check=not_vendor, told=Words("{package} {wanted} is wanted, but the distribution's {offered} is chosen.", "需要 {package} {wanted}，却选中了发行版的 {offered}。")),
    Message(r"Depends: (?P<package>rocm[\w.-]{1,40}|rocminfo|hip[\w.-]{2,40}|roc[\w.-]{2,40}|miopen[\w.-]{0,30}) \(= {0,2}(?P<wanted>[\w.:+~-]{3,60})\) but (?P<offered>[0-9][\w.:+~-]{1,60}) is installed", 0.94, check=not_vendor, told=Words("{package} {wanted} is wanted, but the distribution's {offered} is installed.", "需要 {package} {wanted}，却已装有发行版的 {offered}。")),
    Message(r"trying to overwrite '(?P<file>/(?:opt|usr)/\S{1,100})', which is also in package (?P<package>rocm\S{1,40}|hip\S{1,40}|lib(?:amd|hsa|roc|hip)\S{1,40})", 0.8, told=Words("{file} belongs to the package {package} too.", "{file} 也属于软件包 {package}。")),
    Message(r"Candidate: (?P<offered>[0-9][\w.+~:-]{1,40}ubuntu\S{0,20})", 0.5, needs=("rocm-package",)),
    Message(r"Malformed (?:entry|record|line) .{0,60}preferences", 0.75, needs=("amd",)),
)  # fmt: skip

CAUSE = Cause(
    id="apt-distro-rocm-shadows-vendor",
    family="apt",
    vendor="amd",
    severity="blocking",
    title=Words(
        "The distribution's ROCm packages are chosen instead of AMD's",
        "选中了发行版的 ROCm 软件包而不是 AMD 的",
    ),
    means=Words(
        "The distribution's packages of the same names win over AMD's by version number, so exact-version dependencies fail.",
        "发行版的同名软件包版本号更高而胜过 AMD 的，因此精确版本依赖无法满足。",
    ),
    effect=Words(
        "apt reports unmet dependencies and installs nothing.",
        "apt 报告依赖无法满足，什么也不安装。",
    ),
    fix=Words(
        "Write a well-formed preferences file (Package: *, Pin: release o=repo.radeon.com, Pin-Priority: 600), remove the distribution's copies already installed, apt update, install again.",
        "写一个格式正确的 preferences 文件（Package: *，Pin: release o=repo.radeon.com，Pin-Priority: 600），删除已安装的发行版副本，apt update 后重新安装。",
    ),
    messages=MESSAGES,
)

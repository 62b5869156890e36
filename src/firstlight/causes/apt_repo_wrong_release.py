"""The repository is for another release."""

from __future__ import annotations

import re

from ..transcript.model import Hit
from ..words import Words
from .messages import Message, Seen
from .model import Cause

# messages
_NAMES = {
    "bionic": "18.04",
    "focal": "20.04",
    "jammy": "22.04",
    "noble": "24.04",
    "resolute": "26.04",
    "bookworm": "12",
    "trixie": "13",
}


def other_release(hit: Hit, seen: Seen) -> dict[str, str] | bool:
    """The suffix of the packages is not the release that the text names."""
    machine = seen.value("os-version", "version")
    return {"machine": machine} if machine and machine != hit.values["suite"] else False


def other_codename(hit: Hit, seen: Seen) -> dict[str, str] | bool:
    """As `other_release`, for a suite's name."""
    machine = seen.value("os-version", "version")
    return {"machine": machine} if machine and machine != _NAMES.get(hit.values["name"]) else False


def other_cuda(hit: Hit, seen: Seen) -> dict[str, str] | bool:
    """As `other_release`, for NVIDIA's folders."""
    machine = seen.value("os-version", "version")
    digits = re.sub(r"\D", "", hit.values["suite"])
    return {"machine": machine} if machine and "." in machine and digits != machine.replace(".", "") else False


MESSAGES = (
    Message(r"Depends: (?P<package>libpython3\.\d{1,2}|libicu\d\d|libssl1\.[01]|libffi\d|libtinfo5|libncurses5|libcholmod\d|libsuitesparseconfig\d|libboost[\w.-]{1,40}|libprotobuf\d\d|libjpeg\w{1,6}|libncursesw?5|libstdc\+\+-[5789]-dev|libgcc-[5789]-dev|libnuma1t64|python3\.\d{1,2}|libglib2\.0-0|libelf1t64|libavcodec\d\d|libavformat\d\d|libavutil\d\d|libxml2-16|libdrm\w{0,20}|libllvm\d{1,2}|libgl1-mesa-glx|libva\d)(?: \([^)]{1,60}\))? but it is not installable", 0.93, told=Words("{package} belongs to another release than this one.", "{package} 属于另一个发行版本。")),
    Message(r"Depends: [\w.+-]{2,60} \(= {0,2}[\w.:+-]{3,50}~(?P<suite>\d\d\.\d\d)\) but it is not going to be installed", 0.4, check=other_release, told=Words("The packages are for {suite}, this machine runs {machine}.", "软件包面向 {suite}，本机运行 {machine}。")),
    Message(r"\d{5}-\d{1,4}~(?P<suite>18\.04|20\.04|22\.04|24\.04|26\.04)", 0.75, needs=("unmet",), check=other_release, told=Words("The packages are for {suite}, this machine runs {machine}.", "软件包面向 {suite}，本机运行 {machine}。")),
    Message(r"repo\.radeon\.com/\S{1,60} (?P<name>focal|jammy|noble|bionic|bookworm|trixie) ", 0.86, check=other_codename, told=Words("The suite is {name}, this machine runs {machine}.", "suite 是 {name}，本机运行 {machine}。")),
    Message(r"developer\.download\.nvidia\.com/compute/cuda/repos/(?P<suite>ubuntu\d{4}|debian\d\d|rhel\d)", 0.8, check=other_cuda, told=Words("The repository is for {suite}, this machine runs {machine}.", "该软件源面向 {suite}，本机运行 {machine}。")),
    Message(r"nothing provides (?P<package>[\w.+()-]{3,60}) needed by (?:rocm|hip|amdgpu|cuda|nvidia)", 0.8, told=Words("{package} is not in this release.", "本发行版本没有 {package}。")),
    Message(r"Depends: (?P<package>libc6|libstdc\+\+6|libgcc-s1) \(>= (?P<wanted>[\d.]{3,10})\) but (?P<offered>[\d.]{3,10}\S{0,20}) is to be installed", 0.9, told=Words("{package} {wanted} is of a newer release; here it is {offered}.", "{package} {wanted} 属于较新的发行版本；此处是 {offered}。")),
)  # fmt: skip

CAUSE = Cause(
    id="apt-repo-wrong-release",
    family="apt",
    vendor="both",
    severity="blocking",
    title=Words(
        "The repository is made for another distribution release",
        "该软件源是为另一个发行版本制作的",
    ),
    means=Words(
        "The vendor repository registered is the one for another distribution or release.",
        "登记的厂商软件源属于另一个发行版或版本。",
    ),
    effect=Words(
        "Dependencies on libraries of that other release cannot be installed.",
        "依赖那个版本的库，因此无法安装。",
    ),
    fix=Words(
        "Register the suite made for this release and ROCm/CUDA version, remove the other entry, apt update; or use a container of a supported release.",
        "登记为本发行版本和 ROCm/CUDA 版本制作的 suite，删除另一条目，apt update；或使用受支持版本的容器。",
    ),
    messages=MESSAGES,
)

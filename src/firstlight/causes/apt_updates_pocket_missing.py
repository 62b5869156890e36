"""apt does not see -updates."""

from __future__ import annotations

import re

from ..transcript.model import Hit
from ..words import Words
from .messages import Message, Seen
from .model import Cause

# messages
_ROCM_BUILD = r"\d{5}"


def point_release(hit: Hit, seen: Seen) -> bool:  # noqa: ARG001
    """The same upstream version, and what is there comes from a later upload for the same release."""
    wanted, offered = hit.values["wanted"], hit.values["offered"]
    if re.search(_ROCM_BUILD, wanted.partition("-")[0].replace(".", "  ")):
        return False
    same = wanted.partition("-")[0].split(":")[-1] == offered.partition("-")[0].split(":")[-1]
    series = wanted.partition("-")[0].rpartition(".")[0] == offered.partition("-")[0].rpartition(".")[0]
    return offered != wanted and len(offered) >= len(wanted) and (same or series)


MESSAGES = (
    Message(r"[\w.+-]{2,40}-dev(?::\w{3,5})? : Depends: (?P<package>[\w.+-]{2,40})(?::\w{3,5})? \(= {0,2}(?P<wanted>[\w.:+~-]{2,60})\) but (?P<offered>[\w.:+~-]{2,60}) is (?:to be installed|installed)", 0.93, check=point_release, told=Words("{package} is {offered} here, newer than the {wanted} that apt can see a -dev package for.", "此处 {package} 是 {offered}，比 apt 能看到的 -dev 包所需的 {wanted} 新。")),
    Message(r"Depends: (?P<package>lib[\w.+-]{2,40}|zlib1g|python3[\w.-]{0,20}|perl[\w-]{0,10}|g?cc[\w.-]{0,10}|gcc-\d{1,2}-base|cpp-\d{1,2}) \(= {0,2}(?P<wanted>[\w.:+~-]{2,60})\) but (?P<offered>[\w.:+~-]{2,60}) is (?:to be installed|installed)", 0.9, check=point_release, told=Words("{package} is {offered} here, newer than the {wanted} that apt can see.", "此处 {package} 是 {offered}，比 apt 能看到的 {wanted} 新。")),
)  # fmt: skip

CAUSE = Cause(
    id="apt-updates-pocket-missing",
    family="apt",
    vendor="both",
    severity="blocking",
    title=Words(
        "apt lacks the -updates and -security sources",
        "apt 缺少 -updates 和 -security 源",
    ),
    means=Words(
        "apt sees only the release pocket although installed libraries came from -updates or -security.",
        "apt 只看到发布时的源，而已安装的库来自 -updates 或 -security。",
    ),
    effect=Words(
        "Development packages want an older version of a library than is installed.",
        "开发包要求的库版本比已安装的旧。",
    ),
    fix=Words(
        "Restore <codename>-updates and -security in the distribution's sources, apt update (and full-upgrade), install again.",
        "在发行版的软件源中恢复 <代号>-updates 和 -security，apt update（并 full-upgrade），再重新安装。",
    ),
    messages=MESSAGES,
)

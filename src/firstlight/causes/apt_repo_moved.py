"""The repository is not at its address any more."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"The repository '(?P<repository>[^']{5,200})' does not have a Release file", 0.9, unless=("dns", "clock-words"), told=Words("There is no repository at {repository}.", "{repository} 处没有软件源。")),
    Message(r"The repository '(?P<repository>[^']{5,200})' no longer has a Release file", 0.93, told=Words("There is no repository at {repository} any more.", "{repository} 处已没有软件源。")),
    Message(r"Failed to fetch (?P<file>\S{5,200}/(?:dists/\S{1,80})?(?:InRelease|Release|Packages(?:\.\w{2,4})?)) {1,4}404", 0.85, told=Words("{file} is not there.", "{file} 不存在。")),
    Message(r"Err:\d{1,4} (?P<repository>https?://\S{5,160} \S{1,40}) Release", 0.7, needs=("http-404",)),
    Message(r"Redirection from \S{5,160} to '(?P<to>[^']{5,160})' is forbidden", 0.75, told=Words("It redirects to {to}.", "它重定向到 {to}。")),
    Message(r"changed its '(?:Origin|Label|Suite|Codename)' value from", 0.6),
    Message(r"repomd\.xml.{0,120}404", 0.85),
    Message(r"Status code: 404 for (?P<file>\S{5,200}repomd\.xml)", 0.9, told=Words("{file} is not there.", "{file} 不存在。")),
    Message(r"Cannot download repomd\.xml", 0.7),
)  # fmt: skip

CAUSE = Cause(
    id="apt-repo-moved",
    family="apt",
    vendor="both",
    severity="blocking",
    title=Words(
        "The repository is not at this address",
        "该地址没有此软件源",
    ),
    means=Words(
        "The repository is no longer at the address in the source entry.",
        "软件源已不在条目中的地址。",
    ),
    effect=Words(
        "apt finds no Release file there.",
        "apt 在那里找不到 Release 文件。",
    ),
    fix=Words(
        "Write the present address and suite of that release into the source entry (with the key belonging to it), apt update.",
        "在条目中写入该版本当前的地址和 suite（及相应密钥），再 apt update。",
    ),
    messages=MESSAGES,
)

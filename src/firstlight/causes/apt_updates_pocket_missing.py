"""apt sees only the release as it was on its first day."""

from __future__ import annotations

import re

from ..facts.model import Facts, Repository, Unknown
from ..knowledge.keys import publishers
from ..knowledge.repositories import Distribution, distribution
from ..transcript.model import Hit
from ..words import Words
from ._apt import enabled
from .messages import Message, Seen
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing

UPDATED = re.compile(r"ubuntu\d+\.\d")
"""Ubuntu's versions of what came after the release: `2.39-0ubuntu8.4` where the release has `2.39-0ubuntu8`."""


def judge(facts: Facts) -> Judgement:
    """Found if the release's main suite is a source, neither its -updates nor its -security is, and the C library that
    is installed is a later one than the release has. Only Ubuntu's version numbers tell that: Debian puts updates into
    the main suite itself with every point release."""
    codename, id = facts.os.codename, facts.os.id
    if isinstance(facts.repositories, Unknown):
        return (
            CLEAR if facts.repositories.unknown == "absent" else missing(("repositories", facts.repositories)) or CLEAR
        )
    here = None if isinstance(codename, Unknown) else distribution(codename)
    if here is None or id != "ubuntu" or here.id != "ubuntu":
        return CLEAR
    main = [one for one in enabled(facts) if here.codename in one.suites and _is_archive(one)]
    later = {f"{here.codename}-updates", f"{here.codename}-security"}
    if not main or any(later.intersection(one.suites) for one in enabled(facts)):
        return CLEAR
    libc = facts.apt.libc
    if isinstance(libc, Unknown):
        return missing(("apt.libc", libc)) or CLEAR
    return _found(here, main[0], libc) if UPDATED.search(libc) else CLEAR


def _is_archive(repository: Repository) -> bool:
    """Ubuntu's own or a mirror of it, told by its components: vendors call their suites by the same names."""
    own = any(key.id == "ubuntu" for uri in repository.uris for key in publishers(uri))
    return own or bool({"universe", "restricted", "multiverse"}.intersection(repository.components))


def _found(here: Distribution, main: Repository, libc: str) -> Found:
    missed = " ".join(pocket for pocket in (*here.pockets[1:], here.security or "") if pocket)
    what = f"{main.uris[0]}: {missed}"
    return Found(
        evidence=(
            Evidence("repositories", f"{main.uris[0]} {' '.join(main.suites)}", f"{main.file}:{main.line}"),
            Evidence("apt.libc", f"libc6 {libc}", "/var/lib/dpkg/status"),
        ),
        values={"missed": missed},
        remedy=(Remedy((), root=True, why=Words(
            f"In {main.file}:{main.line}: add the suites of {what}; then apt-get update.",
            f"在 {main.file}:{main.line} 中：为 {what} 添加这些套件；之后运行 apt-get update。")),),
    )  # fmt: skip


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
    severity="degrading",
    title=Words("the sources lack {missed}", "软件源缺少 {missed}"),
    means=Words(
        "apt sees only the release pocket although installed libraries came from -updates or -security.",
        "apt 只能看到发行时的软件源，而已安装的库来自 -updates 或 -security。",
    ),
    effect=Words(
        "-dev packages want the library as it was on the first day, and a later one is installed: what needs them "
        "(ROCm, CUDA) cannot be installed.",
        "-dev 软件包要求发行之初的库版本，而已安装的更新：需要它们的软件（ROCm、CUDA）无法安装。",
    ),
    fix=Words(
        "Restore <codename>-updates and -security in the distribution's sources, apt update (and full-upgrade), "
        "install again.",
        "在发行版软件源中恢复 <代号>-updates 和 -security，apt update（并 full-upgrade）后重新安装。",
    ),
    messages=MESSAGES,
    judge=judge,
)

"""The distribution's ROCm packages win over AMD's of the same names."""

from __future__ import annotations

import re

from ..facts.model import Facts, Repository, Unknown
from ..knowledge.repositories import distribution, offer
from ..transcript.model import Hit
from ..words import Words
from ._apt import ROCM_OF_A_RELEASE, of_vendor, pins, prefers, shown
from .changes import RefreshLists, WriteFile
from .messages import Message, Seen
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, Remedy, missing

PIN = "Package: *\nPin: release o=repo.radeon.com\nPin-Priority: 600\n"
FILE = "/etc/apt/preferences.d/rocm-pin-600"


def judge(facts: Facts) -> Judgement:
    """Found if a source of AMD's first generation is there, no pin prefers it, and the distribution offers (or has
    installed) packages of the same names: its version numbers are higher."""
    sources = list(of_vendor(facts, "rocm"))
    if not sources:
        unknown = isinstance(facts.repositories, Unknown) and facts.repositories.unknown != "absent"
        return (missing(("repositories", facts.repositories)) or CLEAR) if unknown else CLEAR
    repository, vendor = sources[0]
    if isinstance(facts.apt.pins, Unknown) and facts.apt.pins.unknown != "absent":
        return missing(("apt.pins", facts.apt.pins)) or CLEAR
    if any(prefers(pin, vendor.origin or "", _host(repository)) for pin in pins(facts)):
        return CLEAR
    rivals = _rivals(facts)
    return _found(facts, repository, rivals) if rivals else CLEAR


def _rivals(facts: Facts) -> dict[str, str]:
    """Package -> version of the distribution's own: installed, or known to be offered by this release."""
    codename = facts.os.codename
    release = None if isinstance(codename, Unknown) else distribution(codename)
    known = offer(release.codename) if release else None
    offered = {name: version for name, version in (known.rocm if known else {}).items() if name in ROCM_OF_A_RELEASE}
    installed = {
        name: version
        for name, version in facts.apt.installed.items()
        if name in ROCM_OF_A_RELEASE and not _of_amd(version)
    }
    return {**offered, **installed}


def _of_amd(version: str) -> bool:
    """AMD's name the ROCm release before the build: `1.0.0.70204-93~24.04`."""
    number = version.rpartition("-")[0].rpartition(".")[2]
    return len(number) in (5, 6) and number.isdigit()


def _found(facts: Facts, repository: Repository, rivals: dict[str, str]) -> Found:
    listed = ", ".join(f"{name} {version}" for name, version in rivals.items())
    malformed = [pin for pin in pins(facts) if "radeon" in pin.pin]
    return Found(
        evidence=(
            Evidence("repositories", repository.uris[0], f"{repository.file}:{repository.line}"),
            Evidence("apt.installed", listed, "packages of the same names"),
            *(Evidence("apt.pins", shown(pin), pin.file) for pin in malformed[:2]),
        ),
        values={"names": ", ".join(rivals)},
        remedy=(_pin(), _renew(repository)),
    )


def _host(repository: Repository) -> str:
    return repository.uris[0].partition("://")[2].partition("/")[0]


def _pin() -> Remedy:
    why = Words(
        "Writes the pin that AMD documents: packages of repo.radeon.com then go before the distribution's.",
        "写入 AMD 文档给出的 pin：repo.radeon.com 的软件包将优先于发行版的软件包。",
    )
    argv = ("python3", "-c", f"open({FILE!r}, 'w').write({PIN!r})")
    return Remedy(argv, root=True, why=why, change=WriteFile(path=FILE, content=PIN))


def _renew(repository: Repository) -> Remedy:
    why = Words("Reads the sources anew. Then install again.", "重新读取软件源。之后再次安装。")
    return Remedy(("apt-get", "update"), root=True, why=why, change=RefreshLists(files=(repository.file,)))


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
    severity="degrading",
    title=Words(
        "the distribution's packages shadow AMD's of the same names: {names}",
        "发行版的同名软件包会盖过 AMD 的：{names}",
    ),
    means=Words(
        "The distribution's packages of the same names win over AMD's by version number, so exact-version dependencies "
        "fail.",
        "发行版的同名软件包版本号更高，盖过 AMD 的软件包，使要求精确版本的依赖无法满足。",
    ),
    effect=Words(
        "Installing or upgrading AMD's ROCm fails with unmet dependencies; what is installed goes on working.",
        "安装或升级 AMD 的 ROCm 会因依赖不满足而失败；已安装的部分不受影响。",
    ),
    fix=Words(
        "Write a well-formed preferences file (Package: *, Pin: release o=repo.radeon.com, Pin-Priority: 600), remove "
        "the distribution's copies already installed, apt update, install again.",
        "写入格式正确的首选项文件（Package: *，Pin: release o=repo.radeon.com，Pin-Priority: 600），"
        "移除已安装的发行版副本，apt update 后重新安装。",
    ),
    known=(
        Known("https://github.com/ROCm/legacy-rocm-build/issues/1899", first_seen="5.4"),
        Known("https://github.com/ROCm/legacy-rocm-build/issues/3656"),
        Known("https://github.com/ROCm/ROCm/issues/6367", first_seen="7.2.4"),
    ),
    messages=MESSAGES,
    judge=judge,
)

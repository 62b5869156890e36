"""From the last link of a chain to the cause of the catalogue that it is a case of, and to what would unblock it."""

from __future__ import annotations

from fnmatch import fnmatchcase

import msgspec

from ...knowledge.repositories import distributions, offer
from ..model import Because
from ..reasons import because
from . import shown
from .model import Link

TOOL_CHAIN = ("libc++*", "libstdc++*", "libgcc-*-dev", "clang*", "libclang*", "llvm*", "libllvm*", "gcc-*", "g++-*",
              "lld*", "libomp*")  # fmt: skip
SHARED = ("rocminfo", "hipcc", "rocm-cmake", "rocm-device-libs", "rocm-smi", "rocm-core")


class CauseLink(msgspec.Struct, frozen=True, kw_only=True):
    """What to say of a cause."""

    link: Because
    """Its id as kind."""
    unblock: Because


def is_tool_chain(name: str) -> bool:
    """Whether a package belongs to the compilers and the libraries of C++, by its name."""
    return any(fnmatchcase(name, pattern) for pattern in TOOL_CHAIN)


def cause_of(link: Link, *, version_id: str = "") -> CauseLink | None:
    """The cause that this link is a case of; None: none in the catalogue. `version_id`: of the distribution's
    release, as in os-release."""
    name = shown.needed(link.relation)[0].name if link.relation else link.wanted[0]
    if link.kind == "held":
        return _held(link.by or name)
    if link.kind in ("pinned", "no-candidate"):
        return _pinned(link.by)
    return _not_there(link, name, version_id) if link.kind in ("version-not-offered", "not-offered") else None


def _not_there(link: Link, name: str, version_id: str) -> CauseLink | None:
    made_for = _made_for(link.wanted[1])
    if name in SHARED and link.kind == "version-not-offered" and shown.rocm_release(link.wanted[1]):
        return _shadowed(name)
    if _is_updates(link):
        return _updates(name)
    if is_tool_chain(name):
        return _tool_chain(link, name)
    wrong = made_for and version_id and made_for != version_id
    return _wrong_release(link, made_for or "", version_id) if wrong else None


def _made_for(version: str) -> str | None:
    """The Ubuntu release that a version of AMD's names: `1.0.0.70204-93~24.04` -> `24.04`."""
    end = version.rpartition("~")[2] if "~" in version else ""
    year, dot, month = end.partition(".")
    return end if dot and len(year) == 2 and month in ("04", "10") and year.isdigit() else None


def _is_updates(link: Link) -> bool:
    """`= X` is wanted, and what is there is `X.n`, a later update of the same."""
    first = shown.needed(link.relation)[0]
    return first.sign == "=" and any(version.startswith(f"{first.version}.") for _, version, _ in link.offered)


def _held(name: str) -> CauseLink:
    return CauseLink(
        link=because(
            "apt-packages-held", name,
            f"{name} is marked hold, and apt does not change what is held",
            f"{name} 被标记为保持（hold），apt 不会改动它",
        ),
        unblock=because(
            "to-unblock", name,
            f"`sudo apt-mark unhold {name}`, then ask again; or leave it out of the request",
            f"`sudo apt-mark unhold {name}` 后再试；或者不要请求它",
        ),
    )  # fmt: skip


def _pinned(file: str) -> CauseLink:
    where = file or "/etc/apt/preferences.d"
    return CauseLink(
        link=because(
            "apt-held-broken-by-pin", where,
            "a pin in apt's preferences decides the version, not the sources",
            "版本由 apt 首选项中的 pin 决定，而非软件源",
        ),
        unblock=because(
            "to-unblock", where,
            f"correct or delete the pin ({where}), `sudo apt-get update`, then ask again",
            f"修改或删除该 pin（{where}），`sudo apt-get update` 后再试",
        ),
    )  # fmt: skip


def _wrong_release(link: Link, made_for: str, here: str) -> CauseLink:
    who = shown.package(*link.wanted)
    return CauseLink(
        link=because(
            "apt-repo-wrong-release", link.wanted[0],
            f"{who} was built for {made_for}, and this is {here}",
            f"{who} 是为 {made_for} 构建的，而这里是 {here}",
        ),
        unblock=because(
            "to-unblock", link.wanted[0],
            f"register the vendor's suite for {here}, or the vendor's release that has one: `firstlight plan --matrix`",
            f"改用厂商面向 {here} 的软件源，或提供该软件源的厂商版本：见 `firstlight plan --matrix`",
        ),
    )  # fmt: skip


def _shadowed(name: str) -> CauseLink:
    return CauseLink(
        link=because(
            "apt-distro-rocm-shadows-vendor", name,
            f"the distribution's {name} has the higher version number and wins over AMD's of the same name",
            f"发行版的 {name} 版本号更高，盖过 AMD 的同名软件包",
        ),
        unblock=because(
            "to-unblock", name,
            "the pin that AMD documents: `Package: *`, `Pin: release o=repo.radeon.com`, `Pin-Priority: 600`, in "
            "/etc/apt/preferences.d/rocm-pin-600",
            "AMD 文档给出的 pin：在 /etc/apt/preferences.d/rocm-pin-600 写入 `Package: *`、"
            "`Pin: release o=repo.radeon.com`、`Pin-Priority: 600`",
        ),
    )  # fmt: skip


def _updates(name: str) -> CauseLink:
    return CauseLink(
        link=because(
            "apt-updates-pocket-missing", name,
            f"the {name} that is there is a later update than what the sources offer now",
            f"现有的 {name} 比软件源当前提供的版本更新",
        ),
        unblock=because(
            "to-unblock", name,
            "put the release's -updates and -security back into the sources, `sudo apt-get update`, then ask again",
            "在软件源中恢复该版本的 -updates 和 -security，`sudo apt-get update` 后再试",
        ),
    )  # fmt: skip


def _tool_chain(link: Link, name: str) -> CauseLink:
    who = shown.package(*link.wanted)
    wanted = shown.wanted(link.relation, [version for _, version, _ in link.offered])
    return CauseLink(
        link=because(
            "apt-conflicting-toolchain-version", name,
            f"{who} stands on one version of the tool chain ({wanted}) that is not to be had here",
            f"{who} 依赖工具链的特定版本（{wanted}），而这里无法获得",
        ),
        unblock=because(
            "to-unblock", name,
            f"a release of the vendor's that is made for this release, or a source that offers {wanted} beside the "
            f"present one, or a container of a release that has it; {_elsewhere(name)[0]}",
            f"厂商面向本发行版的版本，或在现有版本之外提供 {wanted} 的软件源，或具备它的发行版容器；"
            f"{_elsewhere(name)[1]}",
        ),
    )  # fmt: skip


def _elsewhere(name: str) -> tuple[str, str]:
    """What other releases have, where that is known: reinstalling may not help either."""
    told = "`firstlight plan --release NAME` tells whether another release helps, before anything is reinstalled"
    told_zh = "可在重装之前用 `firstlight plan --release 名称` 查看换用其他版本是否有用"
    if name not in ("libc++-dev", "libc++abi-dev", "clang", "llvm"):
        return told, told_zh
    found = [(one.label, known.libcxx) for one in distributions() if (known := offer(one.codename)) and known.libcxx]
    listed = ", ".join(f"{label} has {major}" for label, major in found)
    listed_zh = "，".join(f"{label} 为 {major}" for label, major in found)
    return f"{told}; {listed}", f"{told_zh}；{listed_zh}"

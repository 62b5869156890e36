"""The words of each reason that a system route's verdict can have, except the chain itself (chains.py)."""

from __future__ import annotations

from collections.abc import Sequence

from ...knowledge.repositories import Report, VendorRepository
from ...words import Words
from ..model import Because
from ..reasons import because

NAMED = 5
"""Names of packages in one sentence."""


def no_apt() -> Because:
    """The machine has another package manager, or nothing of apt was captured."""
    return because(
        "no-apt", "/etc/apt",
        "there is no apt here: system packages are judged on Debian, Ubuntu and what is built on them",
        "这里没有 apt：只能评估 Debian、Ubuntu 及其衍生发行版的系统软件包",
    )  # fmt: skip


def no_index(what: str, why: str) -> Because:
    """An index that the answer hangs on is not there."""
    return because(
        "no-index", what,
        f"the index of {what} is not here ({why}); `sudo apt-get update` gets it, on a recorded machine "
        "`firstlight capture --with-indices`",
        f"没有 {what} 的索引（{why}）；可用 `sudo apt-get update` 获取，录制主机时请用 "
        "`firstlight capture --with-indices`",
    )  # fmt: skip


def not_captured(what: str) -> Because:
    """A recording that does not say."""
    return because(
        "unknown-fact", what,
        f"needs {what}, which was not captured; a new `firstlight capture` of that machine tells it",
        f"需要 {what}，但录制中没有；在该机器上重新 `firstlight capture` 可得",
    )  # fmt: skip


def offline(source: str) -> Because:
    """A source that the machine does not have, and nothing may be fetched."""
    return because(
        "offline", source,
        f"{source} is not among this machine's sources and nothing may be fetched; ask once with a network",
        f"{source} 不在本机的软件源中，而当前不允许联网；请联网查询一次",
    )  # fmt: skip


def not_fetched(kind: str, source: str, text: Words) -> Because:
    """A source that the machine does not have could not be read, or not be verified."""
    return because(kind, source, f"{source}: {text.en}", f"{source}：{text.zh}")


def no_key(source: str, fingerprint: str) -> Because:
    """A vendor's source cannot be checked without its key."""
    return because(
        "no-key", source,
        f"the key that signs {source} ({fingerprint}) is not on this machine, and its maker's copy could not be had; "
        "put its keyring into /etc/apt/keyrings",
        f"本机没有 {source} 的签名密钥（{fingerprint}），也无法取得厂商的副本；请把其密钥环放入 /etc/apt/keyrings",
    )  # fmt: skip


def not_for_release(repository: VendorRepository, release: str, names: Sequence[str]) -> Because:
    """Its maker lists the releases that it serves, and this one is not among them."""
    listed = ", ".join(names)
    return because(
        "not-for-this-release", release,
        f"{repository.maker} serves {repository.name} for {listed}, not for {release}",
        f"{repository.maker} 的 {repository.name} 面向 {listed}，不面向 {release}",
    )  # fmt: skip


def release_unknown(repository: VendorRepository, release: str) -> Because:
    """No source that we know says."""
    return because(
        "release-not-known", release,
        f"whether {repository.maker} serves {repository.name} for {release} is not known; add its source and ask again",
        f"{repository.maker} 是否为 {release} 提供 {repository.name} 尚不清楚；可添加该源后再查询",
    )  # fmt: skip


def not_for_architecture(repository: VendorRepository, architecture: str) -> Because:
    """Another processor."""
    listed = ", ".join(repository.architectures)
    return because(
        "wrong-architecture", architecture,
        f"{repository.name} is made for {listed}, and this machine is {architecture}",
        f"{repository.name} 面向 {listed}，而本机为 {architecture}",
    )  # fmt: skip


def no_package_for_target(repository: VendorRepository, target: str) -> Because:
    """Its packages are made chip by chip."""
    listed = ", ".join(repository.targets)
    return because(
        "no-code-for-chip", target,
        f"{repository.name} has packages for {listed}, none for {target}",
        f"{repository.name} 的软件包面向 {listed}，没有 {target} 的",
    )  # fmt: skip


def inbox_driver(repository: VendorRepository, target: str) -> Because:
    """AMD: Ryzen parts take the driver of the distribution's kernel."""
    return because(
        "needs-inbox-driver", target,
        f"{target} is an APU: AMD serves it with the kernel's own amdgpu, and {repository.name} is for Instinct and "
        "Radeon; take a newer kernel of the distribution instead",
        f"{target} 是 APU：AMD 要求使用内核自带的 amdgpu，{repository.name} 面向 Instinct 和 Radeon；"
        "如需更新请换用发行版的较新内核",
    )  # fmt: skip


def driver_serves(kind: str, version: str) -> Because:
    """A driver is loaded already."""
    named = f"{kind} {version}".strip()
    return because(
        "driver-there", kind,
        f"the kernel has a driver for it already ({named}): this one is needed only where that lacks something",
        f"内核已有可用的驱动（{named}）：仅在其缺少功能时才需要此驱动",
    )  # fmt: skip


def not_the_distributions(label: str, name: str) -> Because:
    """What to ask this distribution for is not known."""
    return because(
        "not-known-here", label,
        f"what {label} offers for {name} is not known; name packages with `firstlight plan --packages NAME…`",
        f"尚不清楚 {label} 为 {name} 提供什么；可用 `firstlight plan --packages 名称…` 指定软件包",
    )  # fmt: skip


def satisfied(names: Sequence[str]) -> Because:
    """Nothing has to change."""
    listed = some(names)
    return because(
        "satisfied", names[0] if names else "-",
        f"all of it is installed already: {listed}",
        f"均已安装：{listed}",
    )  # fmt: skip


def solved(new: int, others: int, sources: Sequence[str]) -> Because:
    """The package manager has an answer."""
    served = ", ".join(sources) or "-"
    also = f", changes {others} installed" if others else ", changes no installed one"
    also_zh = f"，改动已安装的 {others} 个" if others else "，不改动已安装的软件包"
    return because(
        "solved", sources[0] if sources else "-",
        f"apt has an answer: it adds {new} packages{also} ({served})",
        f"apt 有解：新增 {new} 个软件包{also_zh}（{served}）",
    )  # fmt: skip


def fresh(label: str) -> Because:
    """Judged for another release, as it is right after installing."""
    return because(
        "fresh-system", label,
        f"judged for a fresh {label}: nothing of this machine's packages counts, and sizes include the base system",
        f"按全新安装的 {label} 评估：不考虑本机已装的软件包，大小中包含基本系统",
    )  # fmt: skip


def suite_not_served(uri: str, suite: str) -> Because:
    """A further source of the machine has no such suite."""
    return because(
        "suite-not-served", uri,
        f"{uri} serves no suite {suite}: without it",
        f"{uri} 没有 {suite} 套件：不计入",
    )  # fmt: skip


def other_component(name: str, version: str, label: str, components: Sequence[str]) -> Because:
    """The release has it where the sources do not look."""
    listed = ", ".join(components)
    return because(
        "to-unblock", name,
        f"{label} itself offers {name} {version}: in components that the sources here do not name ({listed})",
        f"{label} 本身提供 {name} {version}：位于此处软件源未启用的组件（{listed}）",
    )  # fmt: skip


def mixed(parts: Sequence[tuple[str, Sequence[str]]]) -> Because:
    """One distribution's suite holds parts of several ROCm releases."""
    told = "; ".join(f"{release}: {some(names)}" for release, names in parts)
    told_zh = "；".join(f"{release}：{some(names)}" for release, names in parts)
    return because(
        "mixed-rocm-releases", parts[0][0],
        f"its ROCm is not of one release ({told}): parts of several are built to fit each other by the distribution",
        f"其 ROCm 并非同一版本（{told_zh}）：由发行版把多个版本的组件配在一起",
    )  # fmt: skip


def with_pin(repository: VendorRepository) -> Because:
    """The vendor documents a pin, without which the distribution's packages of the same names win."""
    return because(
        "with-pin", repository.name,
        f"judged with the pin that {repository.maker} documents (`Pin: release o={repository.origin}`, priority "
        f"{repository.pin}): without it the distribution's packages of the same names win",
        f"按 {repository.maker} 文档中的 pin 评估（`Pin: release o={repository.origin}`，优先级 {repository.pin}）："
        "否则发行版的同名软件包会胜出",
    )  # fmt: skip


def without_source(repository: VendorRepository, address: str, suite: str) -> Because:
    """It has to be added first."""
    return because(
        "needs-source", repository.name,
        f"this machine does not have its source yet: {address} {suite}",
        f"本机尚未配置该源：{address} {suite}",
    )  # fmt: skip


def known_report(report: Report) -> Because:
    """Others have met it."""
    since = f", since {report.first_seen}" if report.first_seen else ""
    since_zh = f"，始于 {report.first_seen}" if report.first_seen else ""
    fixed = f", fixed in {report.fixed_in}" if report.fixed_in else ""
    fixed_zh = f"，已在 {report.fixed_in} 修复" if report.fixed_in else ""
    return because(
        "known-report", report.url,
        f"known{since}{fixed}: {report.url}",
        f"已知问题{since_zh}{fixed_zh}：{report.url}",
    )  # fmt: skip


def some(names: Sequence[str]) -> str:
    """A few names, and how many more."""
    told = ", ".join(names[:NAMED])
    more = len(names) - NAMED
    return f"{told} (+{more})" if more > 0 else told

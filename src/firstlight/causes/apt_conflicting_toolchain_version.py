"""A vendor's compiler needs a version of the tool chain that is not there."""

from __future__ import annotations

from ..facts.model import Facts, Unmet
from ..words import Words
from ._packages import plain
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, Remedy

DPKG = "/var/lib/dpkg/status"


def judge(facts: Facts) -> Judgement:
    """Found if dpkg has unpacked a vendor's compiler without the C++ library, LLVM or GCC that it names. What is not
    unpacked yet, `plan` judges, with the indices."""
    unmet = facts.apt.unmet
    if not unmet:
        return CLEAR
    first = unmet[0]
    return Found(
        evidence=tuple(_evidence(one) for one in unmet[:6]),
        values={"package": f"{first.package} {first.version}", "relation": first.relation, "there": _there(first)},
        remedy=(_policy(first),),
    )


def _evidence(one: Unmet) -> Evidence:
    return Evidence("apt.unmet", f"{one.package} {one.version} wants {one.relation}; there: {_there(one)}", DPKG)


def _there(one: Unmet) -> str:
    return ", ".join(f"{name} {version}" for name, version in one.there.items()) or "-"


def _policy(one: Unmet) -> Remedy:
    name = plain(one.relation.partition("(")[0].partition("|")[0].strip())
    why = Words(
        "Shows which versions the sources offer. Drop a third-party source of the tool chain, or install the version "
        "that is wanted beside the present one; else take the vendor's build for this release, or its container.",
        "显示各软件源提供的版本。请移除第三方工具链源，或在现有版本之外安装所需版本；否则使用厂商为本发行版构建的版本或其容器。",
    )
    return Remedy(("apt-cache", "policy", name) if name else (), root=False, why=why)


# messages
MESSAGES = (
    Message(r"Depends: (?P<package>(?:libc\+\+|libc\+\+abi|clang|llvm|libclang-common|libclang-rt|libclang|libllvm|lld|libunwind|libomp)-?(?:1[0-9]|2[0-9])(?:-dev)?)(?::\w{3,5})?(?: \([^)]{1,60}\))? but it is not (?:installable|going to be installed)", 0.9, told=Words("{package} cannot be had here.", "此处无法获得 {package}。")),
    Message(r"Depends: (?P<package>(?:libstdc\+\+|libgcc|gcc|g\+\+|gfortran|libgfortran|cpp)-(?:1[0-9])(?:-dev|-base)?)(?::\w{3,5})?(?: \([^)]{1,60}\))? but it is not (?:installable|going to be installed)", 0.86, told=Words("{package} cannot be had here.", "此处无法获得 {package}。")),
    Message(r"(?:Conflicts|Breaks): (?P<package>(?:libc\+\+|libc\+\+abi|clang|llvm|libunwind|libomp|libstdc\+\+|gcc|libclang)-?\d{0,2}[\w.+-]{0,20})", 0.88, needs=("apt",), told=Words("{package} is in conflict.", "{package} 有冲突。")),
    Message(r"apt\.llvm\.org", 0.5, needs=("unmet",)),
    Message(r"#error .{0,20}unsupported GNU version! gcc versions later than (?P<gcc>\d{1,2}) are not supported", 0.85, told=Words("This CUDA supports gcc up to {gcc}.", "该 CUDA 支持的 gcc 最高到 {gcc}。")),
)  # fmt: skip

CAUSE = Cause(
    id="apt-conflicting-toolchain-version",
    family="apt",
    vendor="both",
    severity="degrading",
    title=Words("{package} wants {relation}, and here is {there}", "{package} 需要 {relation}，而这里是 {there}"),
    means=Words(
        "A vendor package needs an exact compiler or C++ library version that this release does not offer.",
        "厂商软件包需要精确的编译器或 C++ 库版本，而本发行版不提供。",
    ),
    effect=Words(
        "The vendor's compiler is not set up, and apt refuses further installs until the package goes or fits.",
        "厂商编译器未能配置；在移除或满足该软件包之前，apt 会拒绝后续安装。",
    ),
    fix=Words(
        "Drop the third-party toolchain source or install the asked version beside the present one; else take the "
        "vendor build made for this release, or its container.",
        "移除第三方工具链源，或在现有版本之外安装所需版本；否则使用厂商为本发行版构建的版本或其容器。",
    ),
    known=(
        Known("https://github.com/ROCm/legacy-rocm-build/issues/1730", first_seen="2022-07-23"),
        Known("https://github.com/ROCm/legacy-rocm-build/issues/6495", first_seen="7.14.0"),
    ),
    follows=("apt-repo-wrong-release",),
    messages=MESSAGES,
    judge=judge,
)

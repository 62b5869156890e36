"""A package needs a toolchain version that is not offered."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

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
    severity="blocking",
    title=Words(
        "A package needs a compiler or C++ library version that is not offered here",
        "软件包需要此处没有的编译器或 C++ 库版本",
    ),
    means=Words(
        "A vendor package needs an exact compiler or C++ library version that this release does not offer.",
        "厂商软件包需要本发行版本没有的特定编译器或 C++ 库版本。",
    ),
    effect=Words(
        "apt cannot install the package.",
        "apt 无法安装该软件包。",
    ),
    fix=Words(
        "Drop the third-party toolchain source or install the asked version beside the present one; else take the vendor build made for this release, or its container.",
        "去掉第三方工具链软件源，或并行安装所需版本；否则使用为本发行版本制作的厂商构建或其容器。",
    ),
    follows=("apt-repo-wrong-release",),
    messages=MESSAGES,
)

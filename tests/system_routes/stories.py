"""The two halves of the story, and their kin, as roots: real names, versions and relations of AMD's packages (public
issues and listings), the versions of the tool chain as the story tells them."""

from __future__ import annotations

from pathlib import Path

from .roots import AMD, UBUNTU, Root, index, stanza

LLVM_61 = "17.0.0.24193.60103-122~22.04"
CORE_61 = "6.1.3.60103-122~22.04"


def base() -> str:
    """What both releases have."""
    return index(
        stanza("libc6", "2.35-0ubuntu3", essential="yes", priority="required"),
        stanza("libstdc++6", "12.3.0-1ubuntu1", depends="libc6 (>= 2.34)"),
        stanza("python3", "3.10.6-1~22.04", depends="libc6"),
    )


def toolchain(major: int) -> str:
    """LLVM's default packages of a release, as Ubuntu's llvm-defaults has them."""
    default = f"1:{major}.0-55~exp2"
    full = f"1:{major}.0.6-12"
    return index(
        stanza(f"libc++-{major}-dev", full, depends="libc6", provides="libc++-x-dev", conflicts="libc++-x-dev"),
        stanza(f"clang-{major}", full, depends="libc6, libstdc++6"),
        stanza("libc++-dev", default, depends=f"libc++-{major}-dev (>= {major}~)"),
        stanza("clang", default, depends=f"clang-{major} (>= {major}~)", breaks=f"libc++-dev (<< 1:{major})"),
    )


def amd_61() -> str:
    """ROCm 6.1.3: the wanted package, its compiler, and what that stands on."""
    return index(
        stanza("rocm", CORE_61, depends=f"rocm-dev (= {CORE_61})"),
        stanza("rocm-dev", CORE_61, depends=f"rocm-llvm (= {LLVM_61}), rocm-core (= {CORE_61})"),
        stanza("rocm-core", CORE_61),
        stanza("rocm-llvm", LLVM_61, depends="python3, libc6, libstdc++6, libc++-dev (= 1:15.0-55~exp2), rocm-core"),
    )


def jammy(path: Path) -> Root:
    """22.04: the release offers 14, 15 is wanted."""
    root = Root(path, "jammy")
    root.source(UBUNTU, "jammy", index(base(), toolchain(14)), version="22.04")
    root.source(AMD.format("6.1.3"), "jammy", amd_61(), origin="repo.radeon.com", version="6.1.3")
    root.install(base())
    return root


def noble(path: Path) -> Root:
    """24.04 with a source that holds 15 and a pin that prefers it: apt finds an answer, and goes back with clang."""
    root = Root(path, "noble")
    root.source(UBUNTU, "noble", index(base(), toolchain(18)), version="24.04")
    root.source("https://toolchain.example.org/apt", "noble", toolchain(15), origin="Toolchain")
    root.source(AMD.format("6.1.3"), "jammy", amd_61(), origin="repo.radeon.com", version="6.1.3", name="amd")
    root.install(index(base(), toolchain(18), stanza("libllvm17t64", "1:17.0.6-9ubuntu1", depends="libc6")))
    root.pin("Package: libc++-dev clang\nPin: release o=Toolchain\nPin-Priority: 1001\n")
    return root


HIP = "7.2.4.70204-93~24.04"


def amd_72() -> str:
    """ROCm 7.2.4 on noble, as issue 6367 shows it."""
    return index(
        stanza(
            "rocm-hip-runtime-dev", HIP,
            depends=f"rocm-hip-runtime (= {HIP}), rocm-cmake (= 0.14.0.70204-93~24.04), hipcc (= 1.1.1.70204-93~24.04)",
        ),
        stanza("rocm-hip-runtime", HIP, depends="rocminfo (= 1.0.0.70204-93~24.04)"),
        stanza("rocm-cmake", "0.14.0.70204-93~24.04"),
        stanza("hipcc", "1.1.1.70204-93~24.04"),
        stanza("rocminfo", "1.0.0.70204-93~24.04"),
    )  # fmt: skip


def shadowed(path: Path) -> Root:
    """24.04 with AMD's repository and no pin: the release's own packages win."""
    root = Root(path, "noble")
    own = index(stanza("hipcc", "5.7.1-3"), stanza("rocm-cmake", "6.0.0-1"), stanza("rocminfo", "5.7.1-3build1"))
    root.source(UBUNTU, "noble", index(base(), own), version="24.04")
    root.source(AMD.format("7.2.4"), "noble", amd_72(), origin="repo.radeon.com", version="7.2.4")
    root.install(base())
    return root


PIN = "Package: *\nPin: release o=repo.radeon.com\nPin-Priority: 600\n"

"""Plans of several machines, made by hand: no index is asked, so that what is drawn of them stays as it is."""

from __future__ import annotations

from typing import Any

from firstlight.project.model import Backend, Goal, Source
from firstlight.routes.model import Because, Harm, Plan, Provenance, Route, RouteVerdict, Tier, Wheel
from firstlight.words import Words, same

MIB = 1 << 20
GIB = 1 << 30


def wheel(name: str, version: str, size: int | None, source: str, *, sdist: bool = False) -> Wheel:
    plain = name.replace("-", "_")
    filename = f"{plain}-{version}.tar.gz" if sdist else f"{plain}-{version}-cp312-cp312-linux_x86_64.whl"
    url = f"https://user:secret@example.org/{filename}"
    return Wheel(name=name, version=version, filename=filename, sha256="ab" * 32, size=size, url=url, source=source)


def source(name: str, url: str, origin: str = "built-in") -> Source:
    return Source(name=name, url=url, kind="index", origin=origin)


def works(name: str, tier: Tier, backend: Backend, torch: str, **more: Any) -> Route:
    fits = Because(
        "fits",
        f"torch-{torch}-cp312-cp312-linux_x86_64.whl",
        Words(
            f"torch {torch} fits this machine's architecture, C library and Python",
            f"torch {torch} 与本机的架构、C 库和 Python 相符",
        ),
    )
    versions = {"torch": torch, **more.pop("versions", {})}
    given: dict[str, Any] = {"verdict": "works", "because": (fits,), "python_version": "3.12", **more}
    return Route(name=name, tier=tier, backend=backend, versions=versions, **given)


def closed(
    name: str, tier: Tier, backend: Backend, *because: Because, verdict: RouteVerdict = "blocked", **more: Any
) -> Route:
    return Route(name=name, tier=tier, backend=backend, verdict=verdict, because=because, **more)


def other_backend(has: Backend, wanted: Backend) -> Because:
    return Because(
        "not-the-backend",
        has,
        Words(
            f"this route gives a {has} build, and {wanted} is wanted here; ask for it with `--backend {has}`",
            f"此路线提供的是 {has} 版本，而这里需要的是 {wanted}；如确需，请加 `--backend {has}`",
        ),
    )


NEEDS_DRIVER = Because(
    "needs-driver",
    "default index",
    Words(
        "its torch for Linux is the CUDA build: several GB of libraries that need an NVIDIA driver; "
        "nothing was fetched",
        "该索引上的 Linux 版 torch 是 CUDA 版本：附带数 GB 依赖库且需要 NVIDIA 驱动；未下载任何内容",
    ),
)
OFFLINE = Because(
    "offline",
    "pytorch-cpu",
    Words("nothing may be fetched while offline is set", "当前为离线模式，不做任何下载"),
)
RESOLVER = Because("resolver", "pytorch-rocm7.1", same("Because torch was not found in the cache, it is unusable."))


def no_code(chip: str, torch: str, has: str) -> Because:
    return Because(
        "no-code-for-chip",
        f"torch-{torch}-cp312-cp312-linux_x86_64.whl",
        Words(
            f"torch {torch} holds code for {has} and none for {chip}; it would import and fail at the first kernel",
            f"torch {torch} 含有 {has} 的代码，但没有 {chip} 的；能导入，但会在第一个 kernel 处失败",
        ),
    )


def no_device_wheel(chip: str) -> Because:
    return Because(
        "device-wheel-missing",
        f"amd-torch-device-{chip}",
        Words(
            f"the index has no amd-torch-device-{chip}, which holds the code for {chip}; use another release",
            f"该索引没有 {chip} 代码所在的 amd-torch-device-{chip}；请换用其他版本",
        ),
    )


AMD = source("amd-rocm10", "https://alice:secret@repo.amd.com/rocm/whl-multi-arch/")
AMD_ROUTE = works(
    "amd-rocm10", "vendor", "rocm", "2.14.0+rocm10.1.0",
    versions={"torchvision": "0.29.0+rocm10.1.0", "triton": "3.8.0+rocm10.1.0", "rocm": "10.1.0"},
    download_bytes=2_147 * MIB, disk_bytes=int(5.1 * GIB), minutes=3.6, age_days=12, source=AMD, targets=("gfx1151",),
    wheels=(
        wheel("torch", "2.14.0+rocm10.1.0", 310 * MIB, "amd-rocm10"),
        wheel("amd-torch-device-gfx1151", "2.14.0+rocm10.1.0", 480 * MIB, "amd-rocm10"),
        wheel("rocm-sdk-device-gfx1151", "10.1.0", 210 * MIB, "amd-rocm10"),
        wheel("rocm", "10.1.0", 90 << 10, "amd-rocm10", sdist=True),
        wheel("filelock", "3.29.0", None, "default"),
    ),
    build=(wheel("setuptools", "82.0.1", 1 * MIB, "default"),),
    build_variables={"ROCM_SDK_TARGET_FAMILY": "gfx1151"},
    variables={"TORCH_ROCM_AOTRITON_ENABLE_EXPERIMENTAL": "1"},
)  # fmt: skip
COMMUNITY_ROUTE = works(
    "strix-builds", "community", "rocm", "2.14.1+rocm10.1.0",
    download_bytes=1_800 * MIB, disk_bytes=int(4.2 * GIB), age_days=3, targets=("gfx1151",),
    source=source("strix-builds", "https://builds.example.org/simple/", "firstlight.toml"),
    provenance=Provenance(
        declared_in="firstlight.toml", maintainer="Lee <lee@example.org>", licence="BSD-3-Clause",
        recipe="https://lee:secret@git.example.org/strix/build.sh", homepage="https://builds.example.org/",
        build_minutes=62,
    ),
    wheels=(wheel("torch", "2.14.1+rocm10.1.0", 1_800 * MIB, "strix-builds"),),
)  # fmt: skip
UPSTREAM_ROUTE = works(
    "pytorch-rocm7.14", "upstream", "rocm", "2.14.1+rocm7.14",
    versions={"torchvision": "0.29.1+rocm7.14", "triton-rocm": "3.8.0"},
    download_bytes=4_500 * MIB, disk_bytes=int(11.4 * GIB), minutes=7.7, age_days=9,
    source=source("pytorch-rocm7.14", "https://download.pytorch.org/whl/rocm7.14"),
)  # fmt: skip
STRIX = Plan(
    backend="rocm",
    routes=(
        AMD_ROUTE,
        UPSTREAM_ROUTE,
        COMMUNITY_ROUTE,
        closed("pytorch-rocm7.1", "upstream", "rocm",
               Because("unreachable", "https://download.pytorch.org", Words(
                   "cannot be reached from here; if there is a mirror, name it with `[[source]]`",
                   "无法从本机访问；如有镜像，请用 `[[source]]` 指定")), RESOLVER, verdict="unknown"),
        closed("amd-rocm7.14", "vendor", "rocm", no_device_wheel("gfx1151")),
        closed("pytorch-rocm6.4", "upstream", "rocm", no_code("gfx1151", "2.9.1+rocm6.4", "gfx90a, gfx942, gfx1100")),
        closed("pytorch-cu130", "upstream", "cuda", other_backend("cuda", "rocm")),
        closed("pytorch-cpu", "upstream", "cpu", other_backend("cpu", "rocm")),
        closed("pypi-cuda", "upstream", "cuda", NEEDS_DRIVER),
    ),
    chosen="amd-rocm10",
    why=Words(
        "an AMD GPU is here (gfx1151); amd-rocm10 works: tier vendor, torch 2.14.0+rocm10.1.0; best by tier, then "
        "newest torch, then least to fetch",
        "本机有 AMD GPU（gfx1151）；amd-rocm10 可用：层级 vendor，torch 2.14.0+rocm10.1.0；依次按层级、torch 新旧、"
        "下载量择优",
    ),
)  # fmt: skip
CPU_ROUTE = works(
    "pytorch-cpu", "upstream", "cpu", "2.14.1+cpu", download_bytes=204 * MIB, disk_bytes=744 * MIB, age_days=34,
    source=source("pytorch-cpu", "https://download.pytorch.org/whl/cpu"),
)  # fmt: skip
CPU = Plan(
    backend="cpu",
    routes=(
        CPU_ROUTE,
        works("wheelhouse-cpu", "local", "cpu", "2.13.0+cpu", download_bytes=0, disk_bytes=690 * MIB,
              python_version="3.11"),
        closed("pypi-cuda", "upstream", "cuda", NEEDS_DRIVER),
    ),
    chosen="pytorch-cpu",
    why=Words(
        "there is no AMD or NVIDIA GPU here; pytorch-cpu works: tier upstream, torch 2.14.1+cpu",
        "本机没有 AMD 或 NVIDIA GPU；pytorch-cpu 可用：层级 upstream，torch 2.14.1+cpu",
    ),
)  # fmt: skip
NOTHING = Plan(
    backend="cuda",
    routes=(
        closed("pytorch-cu130", "upstream", "cuda", no_code("sm_70", "2.14.1+cu130", "sm_75, sm_80, sm_90, sm_120")),
        closed("pytorch-cu126", "upstream", "cuda",
               Because("driver-too-old", "470.256", Words(
                   "CUDA 12.6 needs driver 525.60.13, and here is 470.256; install a newer driver",
                   "CUDA 12.6 需要驱动 525.60.13，而本机为 470.256；请安装更新的驱动"))),
        closed("pytorch-cpu", "upstream", "cpu", other_backend("cpu", "cuda")),
    ),
    chosen=None,
    why=Words(
        "an NVIDIA GPU is here (sm_70); no route works here; `--backend cpu` goes on without the GPU",
        "本机有 NVIDIA GPU（sm_70）；没有可用的路线；如不使用 GPU，可加 `--backend cpu`",
    ),
)  # fmt: skip
HARMFUL = Plan(
    backend="rocm",
    routes=(
        works("system-rocm", "distro", "rocm", "2.12.0", verdict="harmful", download_bytes=900 * MIB,
              disk_bytes=3 * GIB, age_days=400,
              harm=(Harm("clang-18", Words("removed beside the toolchain that you use",
                                           "会被移除，而你的工具链正在使用它")),)),
        closed("amd-rocm10", "vendor", "rocm", no_device_wheel("gfx906")),
    ),
    chosen=None,
    why=Words("only system-rocm would work, and it does harm", "只有 system-rocm 可行，但会造成损害"),
)  # fmt: skip
UNKNOWN = Plan(
    backend="cpu",
    routes=(
        closed("pytorch-cpu", "upstream", "cpu", OFFLINE, verdict="unknown"),
        closed("pypi-cuda", "upstream", "cuda", NEEDS_DRIVER),
    ),
    chosen=None,
    why=Words(
        "no route is known to work; pytorch-cpu cannot be judged here", "没有确定可用的路线；pytorch-cpu 在此无法判断"
    ),
)  # fmt: skip
CACHED = Plan(
    backend="cpu",
    routes=(works("pytorch-cpu", "upstream", "cpu", "2.14.1+cpu", download_bytes=204 * MIB,
                  as_of="2026-11-02T08:15:00Z"),),
    chosen="pytorch-cpu",
    why=Words("best by tier", "按层级最优"),
)  # fmt: skip
PRODUCTION = Goal(policy="production")

"""What each machine should be told of each index. Written from what is known of builds, chips, drivers and kernels
(src/firstlight/knowledge), not from what the program says."""

from __future__ import annotations

from typing import NamedTuple

from .pytorch import CUDA, ROCM


class Told(NamedTuple):
    """Of one route. Several: each is right."""

    verdicts: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    """Of its first reason; of a route that works any."""
    torch: str | None = None


class Expected(NamedTuple):
    """Of one machine."""

    chosen: tuple[tuple[str, str], ...]
    """(route, torch), any of them; none: no route may be taken."""
    routes: dict[str, Told]
    install: frozenset[str] = frozenset()
    """Device wheels of the chosen route: these, and no other."""


def works(torch: str) -> Told:
    return Told(("works",), (), torch)


def blocked(*kinds: str) -> Told:
    return Told(("blocked",), kinds)


OTHER = blocked("not-the-backend")
NO_CODE = blocked("no-code-for-chip")
NO_DEVICE = blocked("no-device-wheel")
NO_ARCH = blocked("no-wheel-for-arch")
NO_ARCH_NOR_CODE = blocked("no-wheel-for-arch", "no-code-for-chip")
"""Both are so, and either is a reason."""
OLD_DRIVER = blocked("driver-too-old")
NO_PYTHON = blocked("no-wheel-for-python", "no-such-python", "python-too-old")
NO_LIBC = blocked("no-wheel-for-libc")
NO_LIBC_NOR_CODE = blocked("no-wheel-for-libc", "no-code-for-chip")
CPU = {"pytorch-cpu": OTHER}
ALL_CUDA = [f"pytorch-{one}" for one in CUDA]
ALL_ROCM = [f"pytorch-{one}" for one in ROCM]
AMD = ("amd-rocm7.14", "amd-rocm10")
NO_CUDA = {**dict.fromkeys(ALL_CUDA, OTHER), "pypi": blocked("not-the-backend", "needs-driver")}
NO_ROCM = dict.fromkeys((*ALL_ROCM, *AMD), OTHER)
SDK = "rocm-sdk-device-"
TORCH = "amd-torch-device-"

VENDOR = {"amd-rocm10": works("2.14.0+rocm10.1.0"), "amd-rocm7.14": works("2.12.0+rocm7.14.1")}
FAT = {
    "pytorch-rocm5.7": works("2.2.2+rocm5.7"), "pytorch-rocm6.0": works("2.4.1+rocm6.0"),
    "pytorch-rocm6.1": works("2.5.1+rocm6.1"), "pytorch-rocm6.2": works("2.5.1+rocm6.2"),
    "pytorch-rocm6.2.4": works("2.7.1+rocm6.2.4"), "pytorch-rocm6.3": works("2.9.1+rocm6.3"),
    "pytorch-rocm6.4": works("2.9.1+rocm6.4"), "pytorch-rocm7.0": works("2.10.0+rocm7.0"),
    "pytorch-rocm7.1": works("2.13.0+rocm7.1"), "pytorch-rocm7.2": works("2.14.1+rocm7.2"),
    "pytorch-rocm7.14": works("2.14.0+rocm7.14"),
}  # fmt: skip
FULL_CUDA = {
    "pytorch-cu118": works("2.3.1+cu118"), "pytorch-cu121": works("2.3.1+cu121"), "pytorch-cu124": works("2.5.1+cu124"),
    "pytorch-cu126": works("2.14.1+cu126"), "pytorch-cu128": works("2.10.0+cu128"),
    "pytorch-cu129": works("2.13.0+cu129"), "pytorch-cu130": works("2.14.1+cu130"),
    "pytorch-cu132": works("2.14.1+cu132"), "pypi": works("2.15.0"),
}  # fmt: skip

ROCM10 = (("amd-rocm10", "2.14.0+rocm10.1.0"),)
HALO = Expected(
    ROCM10,
    {
        **CPU, **NO_CUDA, **VENDOR, **dict.fromkeys(ALL_ROCM, NO_CODE),
        # KFD of a fixed kernel breaks ROCm 6.4 and 7.1, and whether 7.1's wheel has code for it is in doubt
        "pytorch-rocm6.4": blocked("no-code-for-chip", "kernel-rocm-pair"),
        "pytorch-rocm7.1": Told(("blocked", "unknown"), ("kernel-rocm-pair", "unknown-targets")),
        "pytorch-rocm7.2": FAT["pytorch-rocm7.2"], "pytorch-rocm7.14": FAT["pytorch-rocm7.14"],
    },
    frozenset({f"{TORCH}gfx1151", f"{TORCH}gfx115x", f"{SDK}gfx1151"}),
)  # fmt: skip
NAVI = Expected(
    ROCM10, {**CPU, **NO_CUDA, **VENDOR, **FAT}, frozenset({f"{TORCH}gfx1100", f"{TORCH}gfx110x", f"{SDK}gfx1100"})
)
NEWEST_13 = (("pytorch-cu130", "2.14.1+cu130"), ("pytorch-cu132", "2.14.1+cu132"), ("pypi", "2.15.0"),
             ("pypi-cuda", "2.15.0"))  # fmt: skip

EXPECTED: dict[str, Expected] = {
    "gfx1151": HALO,
    "gfx1151-hwe": HALO,
    "gfx1151-python-3.14": Expected(
        (), {**CPU, **NO_CUDA, **dict.fromkeys((*AMD, "pytorch-rocm7.2", "pytorch-rocm7.14"), NO_PYTHON)}
    ),
    "gfx1100-igpu": NAVI,
    "igpu-gfx1100": NAVI,
    "gfx906": Expected(
        (("pytorch-rocm7.2", "2.14.1+rocm7.2"),),
        {**CPU, **NO_CUDA, **dict.fromkeys(AMD, NO_DEVICE), **FAT, "pytorch-rocm7.14": NO_CODE},
    ),
    "gfx1152": Expected(
        ROCM10,
        {**CPU, **NO_CUDA, **VENDOR, **dict.fromkeys(ALL_ROCM, NO_CODE)},
        frozenset({f"{TORCH}gfx1152", f"{TORCH}gfx115x", f"{SDK}gfx1152"}),
    ),
    "gfx942": Expected(
        ROCM10,
        {**CPU, **NO_CUDA, **VENDOR, **FAT, "pytorch-rocm5.7": NO_CODE},
        frozenset({f"{TORCH}gfx942", f"{SDK}gfx942"}),
    ),
    "sm_121-aarch64": Expected(
        NEWEST_13,
        {
            **CPU, **NO_ROCM, **FULL_CUDA,
            **dict.fromkeys(("pytorch-cu118", "pytorch-cu121", "pytorch-cu128"), NO_ARCH),
            "pytorch-cu124": NO_ARCH_NOR_CODE,
            "pytorch-cu126": NO_CODE,
        },
    ),
    "sm_90-driver-535": Expected(
        (("pytorch-cu126", "2.14.1+cu126"),),
        {**CPU, **NO_ROCM, **FULL_CUDA, **dict.fromkeys(("pytorch-cu130", "pytorch-cu132", "pypi"), OLD_DRIVER)},
    ),
    "sm_90-python-3.9": Expected((), {**CPU, **NO_ROCM, **dict.fromkeys(FULL_CUDA, NO_PYTHON)}),
    "sm_70": Expected(
        (("pytorch-cu126", "2.14.1+cu126"),),
        {
            **CPU, **NO_ROCM, **FULL_CUDA,
            **dict.fromkeys(("pytorch-cu129", "pytorch-cu130", "pytorch-cu132", "pypi"), NO_CODE),
        },
    ),
    "sm_70-glibc-2.17": Expected(
        (("pytorch-cu124", "2.5.1+cu124"),),
        {
            **CPU, **NO_ROCM, **FULL_CUDA,
            **dict.fromkeys((f"pytorch-{one}" for one in ("cu126", "cu128")), NO_LIBC),
            **dict.fromkeys(("pytorch-cu129", "pytorch-cu130", "pytorch-cu132", "pypi"), NO_LIBC_NOR_CODE),
        },
    ),
    "cpu": Expected(
        (("pytorch-cpu", "2.14.1+cpu"),), {**NO_CUDA, **NO_ROCM, "pytorch-cpu": works("2.14.1+cpu")}
    ),
}  # fmt: skip

"""What each of the further machines should be told of each index: from what is known of chips, builds, drivers and
kernels (gfx, sm, hosts in the shared facts), not from what the program says."""

from __future__ import annotations

from .expectations import (
    ALL_CUDA,
    ALL_ROCM,
    AMD,
    CPU,
    FAT,
    FULL_CUDA,
    NEWEST_13,
    NO_ARCH,
    NO_ARCH_NOR_CODE,
    NO_CODE,
    NO_CUDA,
    NO_DEVICE,
    NO_LIBC,
    NO_PYTHON,
    NO_ROCM,
    OLD_DRIVER,
    OTHER,
    ROCM10,
    SDK,
    TORCH,
    VENDOR,
    Expected,
    Told,
    blocked,
    works,
)

NO_TARGET = Told(("unknown",), ("unknown-fact",))
DOUBTFUL = Told(("unknown",), ("unknown-targets",))
ABSENT = blocked("needs-driver")
CU13 = ("pytorch-cu130", "pytorch-cu132", "pypi")
CU12 = ("pytorch-cu121", "pytorch-cu124", "pytorch-cu126", "pytorch-cu128", "pytorch-cu129")
VISIBLE = "ROCR_VISIBLE_DEVICES"


def _no_code(*indices: str) -> dict[str, Told]:
    return {f"pytorch-{one}" if one != "pypi" else one: NO_CODE for one in indices}


def _devices(*names: str) -> frozenset[str]:
    """Device wheels by what their names end in; a family (`gfx110x`) has none of the SDK's."""
    chips = [one for one in names if one[-1] != "x" and "-" not in one]
    return frozenset({*(f"{TORCH}{one}" for one in names), *(f"{SDK}{one}" for one in chips)})


def _amd(changed: dict[str, Told], *devices: str) -> Expected:
    """A machine for whose chips AMD's newest index has device wheels."""
    return Expected(ROCM10, {**CPU, **NO_CUDA, **VENDOR, **FAT, **changed}, _devices(*devices))


def _cuda(changed: dict[str, Told], *chosen: tuple[str, str]) -> Expected:
    return Expected(chosen or NEWEST_13, {**CPU, **NO_ROCM, **FULL_CUDA, **changed})


def _cpu(told: Told, *chosen: tuple[str, str], pypi: str = "needs-driver") -> Expected:
    """`pypi`: what else keeps the default index's torch out, which is for CUDA."""
    default = blocked("not-the-backend", "needs-driver", pypi)
    return Expected(chosen, {**NO_CUDA, **NO_ROCM, "pytorch-cpu": told, "pypi": default})


OLD_13 = dict.fromkeys(CU13, OLD_DRIVER)
BEFORE_BLACKWELL = _no_code("cu118", "cu121", "cu124", "cu126")
X86_ONLY = {
    **dict.fromkeys(("pytorch-cu118", "pytorch-cu121", "pytorch-cu128"), NO_ARCH), "pytorch-cu124": NO_ARCH_NOR_CODE,
}  # fmt: skip
CU126 = ("pytorch-cu126", "2.14.1+cu126")
ANY = (CU126, *NEWEST_13)
"""Equal in tier and torch, 2.14.1: what is less to fetch wins."""
CU129 = ("pytorch-cu129", "2.13.0+cu129")
RDNA4 = _no_code("rocm5.7", "rocm6.0", "rocm6.1", "rocm6.2")
RDNA35 = {**dict.fromkeys(ALL_ROCM, NO_CODE), "pytorch-rocm7.2": FAT["pytorch-rocm7.2"],
          "pytorch-rocm7.14": FAT["pytorch-rocm7.14"]}  # fmt: skip
VEGA = Expected(
    (("pytorch-rocm7.2", "2.14.1+rocm7.2"),),
    {**CPU, **NO_CUDA, **dict.fromkeys(AMD, NO_DEVICE), **FAT, "pytorch-rocm7.14": NO_CODE},
)
NEITHER = {**CPU, **NO_CUDA, **dict.fromkeys(AMD, NO_DEVICE), **dict.fromkeys(ALL_ROCM, NO_CODE)}
HALO_DEVICES = ("gfx1151", "gfx115x")
HALO_FIXED = _amd(
    {
        **RDNA35,
        "pytorch-rocm6.4": blocked("no-code-for-chip", "kernel-rocm-pair"),
        # whether the wheels hold code for it is in doubt, and KFD with the fixes breaks ROCm 7.1 in any case
        "pytorch-rocm7.1": blocked("kernel-rocm-pair"),
    },
    *HALO_DEVICES,
)
HALO_OLD = _amd({**RDNA35, "pytorch-rocm7.1": DOUBTFUL}, *HALO_DEVICES)
PHOENIX = {
    **dict.fromkeys(ALL_ROCM, NO_CODE), "pytorch-rocm7.14": FAT["pytorch-rocm7.14"],
    # the newest build script carries it for both images; from which torch on is not known
    "pytorch-rocm7.2": DOUBTFUL,
    "pytorch-rocm7.1": Told(("blocked", "unknown"), ("no-code-for-chip", "unknown-targets")),
}  # fmt: skip
BOTH = {**FAT, **VENDOR, **FULL_CUDA, **CPU}

HELD_EXPECTED: dict[str, Expected] = {
    "gfx1201": _amd(RDNA4, "gfx1201", "gfx12-0"),
    "gfx1030": _amd({}, "gfx1030"),
    "gfx1010": _amd(dict.fromkeys(ALL_ROCM, NO_CODE), "gfx1010"),
    "gfx1103": _amd(PHOENIX, "gfx1103", "gfx110x"),
    "gfx90a-x8": _amd({}, "gfx90a"),
    "gfx950": _amd(_no_code("rocm5.7", "rocm6.0", "rocm6.1", "rocm6.2", "rocm6.2.4", "rocm6.3", "rocm6.4"), "gfx950"),
    "gfx908": _amd({}, "gfx908"),
    "gfx900": VEGA,
    "gfx803": Expected((), NEITHER),
    "gfx1150": _amd({**RDNA35, "pytorch-rocm7.1": DOUBTFUL}, "gfx1150", "gfx115x"),
    "gfx1153": _amd(dict.fromkeys(ALL_ROCM, NO_CODE), "gfx1153", "gfx115x"),
    # two compute units for a display: the CPU is as fast, and the words say how to use the GPU nevertheless
    "gfx1036": _cpu(works("2.14.1+cpu"), ("pytorch-cpu", "2.14.1+cpu")),
    "gfx1100-gfx1030": _amd({}, "gfx1100", "gfx110x", "gfx1030"),
    "gfx1100-gfx1010": _amd({}, "gfx1100", "gfx110x", "gfx1010"),
    "gfx900-gfx1100": _amd({}, "gfx1100", "gfx110x"),
    "gfx1100-gfx1150": _amd({}, "gfx1100", "gfx110x"),
    "gfx1150-gfx1100": _amd({}, "gfx1100", "gfx110x"),
    "gfx942-cpx": _amd({"pytorch-rocm5.7": NO_CODE}, "gfx942"),
    "gfx1100-sm_89": Expected(ROCM10, BOTH, _devices("gfx1100", "gfx110x")),
    # a laptop: the card is meant, not the processor's graphics
    "gfx1103-sm_89": _cuda({}, *ANY),
    "gfx1036-sm_89": _cuda({}, *ANY),
    "amd-unknown": Expected((), {**CPU, **NO_CUDA, **dict.fromkeys((*AMD, *ALL_ROCM), NO_TARGET)}),
    "gfx1300": Expected((), NEITHER),
    "gfx1100-no-driver": _amd({}, "gfx1100", "gfx110x"),
    # TheRock's wheels are built on manylinux_2_28 though their tags do not say so
    "gfx1100-glibc-2.17": Expected(
        (("pytorch-rocm6.2", "2.5.1+rocm6.2"), ("pytorch-rocm6.1", "2.5.1+rocm6.1")),
        {
            **CPU, **NO_CUDA, **FAT, **dict.fromkeys(AMD, NO_LIBC),
            **{f"pytorch-rocm{one}": NO_LIBC for one in ("6.2.4", "6.3", "6.4", "7.0", "7.1", "7.2", "7.14")},
        },
    ),
    "sm_61-580": _cuda(_no_code("cu128", "cu129", "cu130", "cu132", "pypi"), CU126),
    "sm_75-470": _cuda(dict.fromkeys((*CU12, *CU13), OLD_DRIVER), ("pytorch-cu118", "2.3.1+cu118")),
    "sm_80-525": _cuda(OLD_13, CU126),
    "sm_86-550": _cuda(OLD_13, CU126),
    "sm_89-535": _cuda(OLD_13, CU126),
    "sm_89-575": _cuda(OLD_13, CU126),
    "sm_89-590": _cuda({}, *ANY),
    "sm_100-570": _cuda({**BEFORE_BLACKWELL, **OLD_13}, CU129),
    "sm_100-580": _cuda(BEFORE_BLACKWELL),
    "sm_103-580": _cuda(BEFORE_BLACKWELL),
    "sm_120-570": _cuda({**BEFORE_BLACKWELL, **OLD_13}, CU129),
    "sm_120-575": _cuda({**BEFORE_BLACKWELL, **OLD_13}, CU129),
    "sm_120-590": _cuda(BEFORE_BLACKWELL),
    "gh200-580": _cuda(X86_ONLY, *ANY),
    "gh200-550": _cuda({**X86_ONLY, **OLD_13}, CU126),
    "gb200-570": _cuda({**X86_ONLY, "pytorch-cu126": NO_CODE, **OLD_13}, CU129),
    "gb200-580": _cuda({**X86_ONLY, "pytorch-cu126": NO_CODE}),
    "jetson-orin": Expected(
        (),
        {
            **CPU, **NO_ROCM, **X86_ONLY, **_no_code("cu126", "cu129", "cu130"),
            # code for 8.0 runs on 8.7 from CUDA 13.2 on
            **dict.fromkeys(("pytorch-cu132", "pypi"), OLD_DRIVER),
        },
    ),
    "jetson-orin-580": Expected(
        (("pytorch-cu132", "2.14.1+cu132"), ("pypi", "2.15.0"), ("pypi-cuda", "2.15.0")),
        {**CPU, **NO_ROCM, **FULL_CUDA, **X86_ONLY, **_no_code("cu126", "cu129", "cu130")},
    ),
    "sm_37-470": _cuda(_no_code("cu121", "cu124", "cu126", "cu128", "cu129", "cu130", "cu132", "pypi"),
                       ("pytorch-cu118", "2.3.1+cu118")),
    "sm_89-nouveau": Expected((), {**CPU, **NO_ROCM, **dict.fromkeys((*ALL_CUDA, "pypi"), ABSENT)}),
    "sm_90-not-captured": Expected((), {**CPU, **NO_ROCM, **dict.fromkeys((*ALL_CUDA, "pypi"), NO_TARGET)}),
    "musl": _cpu(NO_LIBC),
    "musl-sm_75": Expected(
        (), {**CPU, **NO_ROCM, "pytorch-cu118": NO_LIBC, **dict.fromkeys((*CU12, *CU13), OLD_DRIVER),
            "pypi": blocked("driver-too-old", "no-wheel-for-libc")}
    ),
    "glibc-2.17": _cpu(NO_LIBC),
    "glibc-2.26": _cpu(NO_LIBC),
    "glibc-2.31": _cpu(works("2.14.1+cpu"), ("pytorch-cpu", "2.14.1+cpu")),
    "aarch64": _cpu(works("2.14.1+cpu"), ("pytorch-cpu", "2.14.1+cpu")),
    "ppc64le": _cpu(NO_ARCH, pypi="no-wheel-for-arch"),
    "riscv64": _cpu(NO_ARCH, pypi="no-wheel-for-arch"),
    "python-3.9": _cpu(NO_PYTHON),
    "python-3.14": _cpu(NO_PYTHON),
    "python-3.14-3.12": _cpu(works("2.14.1+cpu"), ("pytorch-cpu", "2.14.1+cpu")),
    "python-3.13t": _cpu(NO_PYTHON, pypi="no-such-python"),
    "python-3.13-gfx1151": HALO_FIXED,
    "python-3.13-3.12-gfx1151": HALO_FIXED,
    "wsl": Expected((), dict.fromkeys(("pytorch-cpu", *ALL_CUDA, "pypi", *ALL_ROCM, *AMD), NO_TARGET)),
    "halo-6.11": HALO_OLD,
    "halo-6.14-oem-1017": HALO_OLD,
    "halo-6.14-oem-1018": HALO_FIXED,
    "halo-6.17-14": HALO_OLD,
    "halo-6.17-19": HALO_FIXED,
    "halo-6.18.3": HALO_OLD,
    "halo-6.18.4": HALO_FIXED,
    "halo-fedora-43": HALO_FIXED,
}  # fmt: skip

VARIABLES: dict[str, dict[str, dict[str, str]]] = {
    "gfx1100-gfx1030": {"amd-rocm10": {}, "pytorch-rocm7.2": {}},
    "gfx1100-gfx1010": {"amd-rocm10": {}, "pytorch-rocm7.2": {VISIBLE: "0"}},
    "gfx900-gfx1100": {"amd-rocm10": {VISIBLE: "1"}, "pytorch-rocm7.2": {}, "pytorch-rocm7.14": {VISIBLE: "1"}},
    "gfx1100-gfx1150": {"amd-rocm10": {VISIBLE: "0"}, "pytorch-rocm7.2": {}, "pytorch-rocm6.3": {VISIBLE: "0"}},
    "gfx1150-gfx1100": {"amd-rocm10": {VISIBLE: "1"}, "pytorch-rocm7.2": {}, "pytorch-rocm6.3": {VISIBLE: "1"}},
    "gfx942-cpx": {"amd-rocm10": {}},
    "gfx90a-x8": {"amd-rocm10": {}},
    "gfx1100-no-driver": {"amd-rocm10": {}},
}
"""Of routes that work: which GPUs are left visible, in HIP's order."""

CAUTION = {
    "halo-6.11": True, "halo-6.14-oem-1017": True, "halo-6.14-oem-1018": False, "halo-6.17-14": True,
    "halo-6.17-19": False, "halo-6.18.3": True, "halo-6.18.4": False, "halo-fedora-43": False,
}  # fmt: skip
"""Whether the kernel lacks the fixes, so that every ROCm that works gives pause."""
__all__ = ["CAUTION", "HELD_EXPECTED", "OTHER", "VARIABLES"]

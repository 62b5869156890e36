"""PyTorch's own indices: what was published where (knowledge/releases.toml, torch_cuda.toml, torch_rocm.toml; names,
tags and requirements as in shared/fixtures/repos and in the wheels of the default index)."""

from __future__ import annotations

from collections.abc import Iterator

from .amd import rocm_sdk
from .distribution import Dist

X86, ARM = "x86_64", "aarch64"
PYTHONS = ("3.10", "3.11", "3.12", "3.13")

DOMAIN = {
    "2.2.2": ("0.17.2", "2.2.2"), "2.3.1": ("0.18.1", "2.3.1"), "2.4.1": ("0.19.1", "2.4.1"),
    "2.5.1": ("0.20.1", "2.5.1"), "2.6.0": ("0.21.0", "2.6.0"), "2.7.1": ("0.22.1", "2.7.1"),
    "2.9.1": ("0.24.1", "2.9.1"), "2.10.0": ("0.25.0", "2.10.0"), "2.13.0": ("0.28.0", "2.11.0"),
    "2.14.0": ("0.29.0", "2.11.0"), "2.14.1": ("0.29.1", "2.11.1"), "2.15.0": ("0.29.2", "2.11.1"),
}  # fmt: skip
"""torch -> torchvision, torchaudio; from 2.11 on torchaudio fits several versions of torch."""

TRITON = {
    "2.2.2": "2.2.0", "2.3.1": "2.3.1", "2.4.1": "3.0.0", "2.5.1": "3.1.0", "2.6.0": "3.2.0", "2.7.1": "3.3.1",
    "2.9.1": "3.5.1", "2.10.0": "3.6.0", "2.13.0": "3.7.1", "2.14.0": "3.8.0", "2.14.1": "3.8.0", "2.15.0": "3.9.0",
}  # fmt: skip

RECENT = ("2.9.1", "2.10.0", "2.13.0", "2.14.0", "2.14.1")
CUDA: dict[str, dict[str, tuple[str, ...]]] = {
    "cu118": {X86: ("2.3.1",)},
    "cu121": {X86: ("2.3.1",)},
    "cu124": {X86: ("2.5.1",)},
    "cu126": {X86: RECENT, ARM: RECENT[2:]},
    "cu128": {X86: ("2.9.1", "2.10.0")},
    "cu129": {X86: ("2.13.0",), ARM: ("2.13.0",)},
    "cu130": {X86: RECENT, ARM: RECENT},
    "cu132": {X86: RECENT[2:], ARM: RECENT[2:]},
}
ROCM: dict[str, tuple[str, ...]] = {
    "rocm5.7": ("2.2.2",),
    "rocm6.0": ("2.3.1", "2.4.1"),
    "rocm6.1": ("2.5.1",),
    "rocm6.2": ("2.5.1",),
    "rocm6.2.4": ("2.6.0", "2.7.1"),
    "rocm6.3": ("2.7.1", "2.9.1"),
    "rocm6.4": ("2.9.1",),
    "rocm7.0": ("2.10.0",),
    "rocm7.1": ("2.10.0", "2.13.0"),
    "rocm7.2": ("2.13.0", "2.14.0", "2.14.1"),
    "rocm7.14": ("2.14.0",),
}

BASE = ("filelock", "typing-extensions>=4.10.0", "setuptools; python_version >= '3.12'", "sympy>=1.13.3",
        "networkx>=2.5.1", "jinja2", "fsspec>=0.8.5")  # fmt: skip
TOOLKIT = "cuda-toolkit[cublas,cudart,cufft,cupti,curand,cusolver,cusparse,nvjitlink,nvrtc,nvtx]"
LINUX = "platform_system == 'Linux'"
LIBRARIES: dict[str, tuple[str, ...]] = {
    "cu118": ("nvidia-cuda-runtime-cu11==11.8.89", "nvidia-cublas-cu11==11.11.3.6", "nvidia-cudnn-cu11==8.7.0.84"),
    "cu121": ("nvidia-cuda-runtime-cu12==12.1.105", "nvidia-cublas-cu12==12.1.3.1", "nvidia-cudnn-cu12==8.9.2.26"),
    "cu124": ("nvidia-cuda-runtime-cu12==12.4.127", "nvidia-cublas-cu12==12.4.5.8", "nvidia-cudnn-cu12==9.1.0.70"),
    "cu126": ("nvidia-cuda-runtime-cu12==12.6.77", "nvidia-cublas-cu12==12.6.4.1", "nvidia-cudnn-cu12==9.10.2.21"),
    "cu128": ("nvidia-cuda-runtime-cu12==12.8.90", "nvidia-cublas-cu12==12.8.4.1", "nvidia-cudnn-cu12==9.10.2.21"),
    "cu129": ("nvidia-cuda-runtime-cu12==12.9.79", "nvidia-cublas-cu12==12.9.1.4", "nvidia-cudnn-cu12==9.10.2.21"),
    "cu130": (f"{TOOLKIT}==13.0.3.0", "cuda-bindings<14,>=13.0.3", "nvidia-cudnn-cu13==9.24.0.43",
              "nvidia-cusparselt-cu13==0.8.1", "nvidia-nccl-cu13==2.30.7", "nvidia-nvshmem-cu13==3.4.5"),
    "cu132": (f"{TOOLKIT}==13.2.2", "cuda-bindings<14,>=13.0.3", "nvidia-cudnn-cu13==9.26.0.51",
              "nvidia-cusparselt-cu13==0.8.1", "nvidia-nccl-cu13==2.30.7", "nvidia-nvshmem-cu13==3.7.2"),
}  # fmt: skip
"""All from the default index, each exactly."""


def cpu() -> tuple[Dist, ...]:
    made = (one for arch in (X86, ARM) for torch in RECENT for one in family(torch, "+cpu", arch, ()))
    return unique(made)


def cuda(number: str) -> tuple[Dist, ...]:
    """`cu130`."""
    found: list[Dist] = []
    for arch, versions in CUDA.get(number, {}).items():
        for torch in versions:
            libraries = tuple(f"{one}; {LINUX}" for one in LIBRARIES[number])
            needs = (*libraries, f"triton=={TRITON[torch]}; {LINUX}")
            found += [*family(torch, f"+{number}", arch, needs), *triton("triton", TRITON[torch], arch)]
    return unique(found)


def rocm(number: str) -> tuple[Dist, ...]:
    """`rocm7.2`: the libraries lie in the wheel. `rocm7.14`: every device's libraries come as wheels of AMD's."""
    found: list[Dist] = list(rocm_sdk("7.14.0", sdist="7.14.0.post1")) if number == "rocm7.14" else []
    for torch in ROCM.get(number, ()):
        name = "triton-rocm" if torch in RECENT[1:] else "pytorch-triton-rocm"
        needs = [f"{name}=={TRITON[torch]}; {LINUX} and platform_machine == 'x86_64'"]
        needs += ["rocm[libraries,device-all]==7.14.*"] if number == "rocm7.14" else []
        found += [*family(torch, f"+{number}", X86, tuple(needs)), *triton(name, TRITON[torch], X86)]
    return unique(found)


def family(torch: str, local: str, arch: str, needs: tuple[str, ...]) -> Iterator[Dist]:
    """torch, torchvision, torchaudio for every Python that had them."""
    vision, audio = DOMAIN[torch]
    loose = torch in RECENT[2:] or torch == "2.15.0"
    same = f"torch=={torch}{local}" if local else f"torch=={torch}"
    for python in _pythons(torch):
        tag = f"{_tag(python)}-{platform(torch, arch)}"
        yield Dist(name="torch", version=f"{torch}{local}", tag=tag, requires=(*BASE, *needs),
                   files=_module("torch", f"{torch}{local}", local), python=_oldest(torch),
                   extras=("opt-einsum",), uploaded=UPLOADED[torch])  # fmt: skip
        yield Dist(name="torchvision", version=f"{vision}{local}", tag=tag, requires=("numpy", same),
                   python=_oldest(torch), uploaded=UPLOADED[torch])  # fmt: skip
        yield Dist(name="torchaudio", version=f"{audio}{local}", tag=tag, requires=("torch>=2.11",) if loose else
                   (same,), python=_oldest(torch), uploaded=UPLOADED["2.13.0" if loose else torch])  # fmt: skip


def triton(name: str, version: str, arch: str) -> Iterator[Dist]:
    for python in PYTHONS:
        old = version in ("2.3.1", "3.1.0")
        place = f"manylinux_2_17_{arch}.manylinux2014_{arch}" if old else f"manylinux_2_27_{arch}.manylinux_2_28_{arch}"
        place = place if name == "triton" else f"linux_{arch}"
        yield Dist(name=name, version=version, tag=f"{_tag(python)}-{place}")


def unique(made: Iterator[Dist] | list[Dist]) -> tuple[Dist, ...]:
    """By file name."""
    return tuple({one.filename: one for one in made}.values())


def platform(torch: str, arch: str) -> str:
    """`manylinux_2_28` since 2.6; before, a plain tag."""
    return f"linux_{arch}" if _minor(torch) < 6 else f"manylinux_2_28_{arch}"


def _minor(torch: str) -> int:
    return int(torch.split(".")[1])


def _tag(python: str) -> str:
    name = "cp" + python.replace(".", "")
    return f"{name}-{name}"


def _pythons(torch: str) -> tuple[str, ...]:
    return PYTHONS if _minor(torch) >= 6 else PYTHONS[:3]


def _oldest(torch: str) -> str:
    return ">=3.10" if _minor(torch) >= 9 else ">=3.8"


def _module(name: str, version: str, local: str) -> tuple[tuple[str, str], ...]:
    cuda = f"{local[3:-1]}.{local[-1]}" if local.startswith("+cu") else None
    hip = local.removeprefix("+rocm") if local.startswith("+rocm") else None
    told = f"__version__ = {version!r}\ncuda: str | None = {cuda!r}\nhip: str | None = {hip!r}\n"
    return ((f"{name}/__init__.py", "from .version import __version__\n"), (f"{name}/version.py", told))


UPLOADED = {
    "2.2.2": "2024-03-27T00:00:00Z", "2.3.1": "2024-06-05T00:00:00Z", "2.4.1": "2024-09-04T00:00:00Z",
    "2.5.1": "2024-10-29T00:00:00Z", "2.6.0": "2025-01-29T00:00:00Z", "2.7.1": "2025-06-04T00:00:00Z",
    "2.9.1": "2025-11-12T00:00:00Z", "2.10.0": "2026-01-21T00:00:00Z", "2.13.0": "2026-07-08T00:00:00Z",
    "2.14.0": "2026-09-02T00:00:00Z", "2.14.1": "2026-09-30T00:00:00Z", "2.15.0": "2026-10-28T00:00:00Z",
}  # fmt: skip

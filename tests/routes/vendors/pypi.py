"""The default index: torch's plain dependencies, NVIDIA's libraries, and torch without a local version (a CUDA build).

Versions and requirements are those of the real index in 2026-11; the files hold next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .distribution import SOURCE, Dist
from .pytorch import ARM, LIBRARIES, LINUX, TRITON, X86, family, triton, unique

PLAIN = (
    Dist(name="filelock", version="3.20.0"), Dist(name="filelock", version="4.3.1"),
    Dist(name="filelock", version="4.3.2", yanked="breaks locks on NFS"),
    Dist(name="typing-extensions", version="4.16.0", python=">=3.9"),
    Dist(name="mpmath", version="1.3.0"),
    Dist(name="sympy", version="1.14.0", requires=("mpmath<1.4,>=1.1.0",), python=">=3.9"),
    Dist(name="networkx", version="3.4.2"), Dist(name="networkx", version="3.7", python=">=3.12"),
    Dist(name="markupsafe", version="3.0.4"),
    Dist(name="jinja2", version="3.1.6", requires=("MarkupSafe>=2.0", "Babel>=2.7; extra == 'i18n'"),
         extras=("i18n",)),
    Dist(name="fsspec", version="2026.9.0"), Dist(name="fsspec", version="2026.10.0", yanked=""),
    *(Dist(name="numpy", version="1.26.4", python=">=3.9",
           tag=f"cp{one}-cp{one}-manylinux_2_17_{arch}.manylinux2014_{arch}")
      for one in ("310", "311", "312") for arch in (X86, ARM)),
    Dist(name="numpy", version="1.26.4", tag=SOURCE, python=">=3.9"),
    Dist(name="numpy", version="2.2.6"), Dist(name="numpy", version="2.5.5", python=">=3.12"),
    Dist(name="pillow", version="13.0.0"),
    Dist(name="cuda-pathfinder", version="1.9.1"),
    Dist(name="cuda-bindings", version="13.5.0", requires=("cuda-pathfinder~=1.1",)),
    Dist(name="setuptools", version="84.2.1"),
)  # fmt: skip
"""One wheel for all Pythons stands for what has one for each."""

TOOLKITS = {
    "13.0.3.0": {"cublas": "13.1.1.3", "cuda-runtime": "13.0.96", "cufft": "12.0.0.61", "cuda-cupti": "13.0.85",
                 "curand": "10.4.0.35", "cusolver": "12.0.4.66", "cusparse": "12.6.3.3", "nvjitlink": "13.5.37",
                 "cuda-nvrtc": "13.0.88", "nvtx": "13.0.85"},
    "13.2.2": {"cublas": "13.4.1.3", "cuda-runtime": "13.2.86", "cufft": "12.2.0.57", "cuda-cupti": "13.2.86",
               "curand": "10.4.0.35", "cusolver": "12.2.0.11", "cusparse": "12.7.10.12", "nvjitlink": "13.5.37",
               "cuda-nvrtc": "13.2.86", "nvtx": "13.2.86"},
}  # fmt: skip
OLD = {one.partition("==")[2] for cuda in ("cu118", "cu121", "cu124") for one in LIBRARIES[cuda]}
"""Those that still asked for the C library of 2014."""
EXTRA = {"cuda-runtime": "cudart", "cuda-cupti": "cupti", "cuda-nvrtc": "nvrtc"}


def index() -> tuple[Dist, ...]:
    """Without a file twice."""
    return unique([*PLAIN, *_nvidia(), *_torch("2.13.0", "cu130"), *_torch("2.14.0", "cu130", "metadata is wrong"),
                   *_torch("2.14.1", "cu130"), *_torch("2.15.0", "cu132")])  # fmt: skip


def _torch(version: str, cuda: str, yanked: str | None = None) -> Iterator[Dist]:
    from msgspec.structs import replace

    libraries = (*(f"{one}; {LINUX}" for one in LIBRARIES[cuda]), f"triton=={TRITON[version]}; {LINUX}")
    for arch in (X86, ARM):
        for one in family(version, "", arch, libraries):
            yield replace(one, yanked=yanked) if one.name == "torch" else one
        yield from triton("triton", TRITON[version], arch)


def _nvidia() -> Iterator[Dist]:
    for version, parts in TOOLKITS.items():
        extras = {name: EXTRA.get(name, name) for name in parts}
        needs = tuple(
            f"nvidia-{name}=={number}; extra == '{extras[name]}' and {_SYSTEM}" for name, number in parts.items()
        )
        yield Dist(name="cuda-toolkit", version=version, tag="py2.py3-none-any", requires=needs, python=">=3.9",
                   extras=tuple(extras.values()))  # fmt: skip
        for name, number in parts.items():
            yield from _library(f"nvidia-{name}", number)
    pinned = (one for libraries in LIBRARIES.values() for one in libraries if one.startswith("nvidia-"))
    for one in sorted(set(pinned)):
        name, _, number = one.partition("==")
        yield from _library(name, number)


_SYSTEM = "(sys_platform == 'linux' or sys_platform == 'win32')"


def _library(name: str, version: str) -> Iterator[Dist]:
    for arch in (X86, ARM):
        place = "manylinux2014" if version in OLD else "manylinux_2_27"
        yield Dist(name=name, version=version, tag=f"py3-none-{place}_{arch}", python=">=3")

"""What is built to try the readers on: small kernels for every target that the installed compilers know."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

import msgspec

from .features import FEATURES
from .tools import ToolFailed, installed, run_one

HIP = """struct dim3 { unsigned x, y, z; };
typedef struct ihipStream_t *hipStream_t;
enum hipError_t { hipSuccess };
extern "C" hipError_t hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, hipStream_t);
extern "C" __attribute__((global)) void fill(float *x) { x[0] = 1.0f; }
__attribute__((shared)) float held[64];
extern "C" __attribute__((global)) void group(float *x) { held[(int)x[2]] = x[0]; x[1] = held[3]; }
"""
CUDA = """extern "C" __global__ void fill(float *x) { x[threadIdx.x] = 1.0f; }
void start(float *x) { fill<<<1, 1>>>(x); }
"""
SHARED = ("-shared", "-nostdlib")
HIP_FLAGS = ["-x", "hip", "-nogpulib", "-nogpuinc", "-fPIC", "-O1", "-w"]


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """One file to be built."""

    name: str
    tool: str
    """Path of the compiler."""
    arguments: tuple[str, ...]
    """`{out}` and `{source}` stand for the two paths."""
    environment: tuple[tuple[str, str], ...] = ()
    targets: tuple[str, ...]
    """What must be found in it, if the tool did as it was told."""

    @property
    def source(self) -> str:
        """Name of the text that is compiled."""
        return "kernel.hip" if "hip" in self.arguments else "kernel.cu"


def amd_recipes(clang: str) -> Iterator[Recipe]:
    """All targets together and one by one, code object versions, compressions, objects, loose code objects."""
    version = int(re.search(r"version (\d+)", run_one(clang, ["--version"]))[1])  # type: ignore[index]
    known = amd_targets(clang)
    plain = [one for one in known if not one.endswith("-generic")]
    for cov in (2, 3) if version < 17 else (4, 5, 6):
        some = known if cov == 6 else plain
        yield hip(clang, f"clang{version}-cov{cov}-all.so", some, cov)
        for features in ("s", "x", "xs"):
            yield hip(clang, f"clang{version}-cov{cov}-{features}.so", featured(some, cov, features), cov)
        every = [one for features in ("s", "x", "xs") for one in featured(some, cov, features)]
        for one in [*some, *every]:
            yield _loose(clang, f"clang{version}-cov{cov}-{_plain(one)}.co", one, cov)
    if version >= 17:
        yield from _packed(clang, version, plain)


def amd_targets(clang: str) -> list[str]:
    """The gfx names that this compiler knows."""
    text = run_one(clang, ["--target=amdgcn-amd-amdhsa", "-nogpulib", "--print-supported-cpus"])
    return sorted(set(re.findall(r"^\s+(gfx[0-9a-z-]+)$", text, re.MULTILINE)))


def featured(targets: list[str], cov: int, features: str) -> list[str]:
    """Of the targets that have all these features every choice of them: clang wants of one target either all or none in
    one file. Before version 4 only `+` could be told."""
    signs = "+-" if cov >= 4 else "+"
    ways = [
        [f":{name}{sign}" for sign in signs]
        for letter, name in (("s", "sramecc"), ("x", "xnack"))
        if letter in features
    ]
    having = [one for one in targets if set(features) <= set(FEATURES.get(one, ""))]
    return ["".join((one, *way)) for one in having for way in itertools.product(*ways)]


def cuda_recipes(nvcc: str) -> Iterator[Recipe]:
    """Each sm as cubin, fatbin, PTX, shared object and relocatable object, with every compression that nvcc knows."""
    codes = re.findall(r"sm_(\d+)", run_one(nvcc, ["--list-gpu-code"]))
    release = re.search(r"release ([\d.]+)", run_one(nvcc, ["--version"]))
    name = f"nvcc{release[1] if release else ''}"
    every = [*codes, *(f"{one}a" for one in codes if int(one) >= 90), *(f"{one}f" for one in codes if int(one) >= 100)]
    for one in every:
        yield _nv(nvcc, f"{name}-{one}.cubin", ["-cubin", f"-arch=sm_{one}"], [_real(one)])
        yield _nv(nvcc, f"{name}-{one}.fatbin", ["-fatbin", *_code([one], [])], [_real(one)])
        yield _nv(nvcc, f"{name}-{one}.ptx", ["-ptx", f"-arch=compute_{one}"], [f"compute_{one}"])
    every = [one for one in every if f"{one}f" not in every]  # nvcc takes only one of 100 and 100f
    both = [*map(_real, every), *(f"compute_{one}" for one in every)]
    modes = [["-Xfatbin", "-compress-all"], []]
    if "compress-mode" in run_one(nvcc, ["--help"]):
        modes += [[f"--compress-mode={one}"] for one in ("default", "none", "size", "speed", "balance")]
    for number, mode in enumerate(modes):
        yield _nv(nvcc, f"{name}-mode{number}.so", ["-shared", *_code(every, every), *mode], both)
        yield _nv(nvcc, f"{name}-mode{number}-rdc.o", ["-dc", *_code(every, every), *mode], both)
    yield _nv(nvcc, f"{name}-linked.so", ["-rdc=true", "-shared", *_code(every[:3], [])], [*map(_real, every[:3])])
    yield _nv(nvcc, f"{name}-lib.a", ["-lib", *_code(every, every)], both)


def hip(
    clang: str, name: str, targets: list[str], cov: int, *more: str, environment: dict[str, str] | None = None
) -> Recipe:
    chosen = [f"--offload-arch={one}" for one in targets]
    arguments = (*HIP_FLAGS, *chosen, f"-mcode-object-version={cov}", *(more or SHARED), "{source}", "-o", "{out}")
    extra = tuple((environment or {}).items())
    return Recipe(name=name, tool=clang, arguments=arguments, environment=extra, targets=tuple(targets))


def _packed(clang: str, version: int, plain: list[str]) -> Iterator[Recipe]:
    few = [
        one for one in ("gfx906", "gfx90a:xnack-", "gfx1030", "gfx1100", "gfx1151") if one.partition(":")[0] in plain
    ]
    for form in ("2", "3") if version >= 21 else ("",):
        environment = {"COMPRESSED_BUNDLE_FORMAT_VERSION": form} if form else {}
        name = f"clang{version}-packed{form}"
        yield hip(clang, f"{name}.so", few, 5, *SHARED, "--offload-compress", environment=environment)
        yield hip(clang, f"{name}.o", few, 5, "-c", "--offload-compress", environment=environment)
        yield hip(clang, f"{name}.bundle", few, 5, *_DEVICE_BUNDLE, "--offload-compress", environment=environment)
        yield hip(
            clang,
            f"{name}-best.so",
            few,
            5,
            *SHARED,
            "--offload-compress",
            "--offload-compression-level=19",
            environment=environment,
        )
    yield hip(clang, f"clang{version}-plain.o", few, 5, "-c")
    yield hip(clang, f"clang{version}-plain.bundle", few, 5, *_DEVICE_BUNDLE)
    for driver in ("", "no-"):
        way = f"--{driver}offload-new-driver"
        yield hip(clang, f"clang{version}-{driver}new.o", few, 5, "-c", way)
        yield hip(clang, f"clang{version}-{driver}new-rdc.o", few, 5, "-c", "-fgpu-rdc", way)
        yield hip(clang, f"clang{version}-{driver}new.so", few, 5, *SHARED, way)


_DEVICE_BUNDLE = ("--cuda-device-only", "--gpu-bundle-output", "-c")


def _loose(clang: str, name: str, target: str, cov: int) -> Recipe:
    return hip(clang, name, [target], cov, "--cuda-device-only", "--no-gpu-bundle-output", "-c")


def _nv(nvcc: str, name: str, arguments: list[str], targets: list[str]) -> Recipe:
    host = ["-cudart", "none", "-Xcompiler", "-fPIC", "-w"]
    return Recipe(
        name=name, tool=nvcc, arguments=(*arguments, *host, "{source}", "-o", "{out}"), targets=tuple(targets)
    )


def _code(real: list[str], virtual: list[str]) -> list[str]:
    pairs = [(one, f"sm_{one}") for one in real] + [(one, f"compute_{one}") for one in virtual]
    return [part for one, code in pairs for part in ("-gencode", f"arch=compute_{one},code={code}")]


def _real(one: str) -> str:
    """Of machine code: that for a family (`100f`) is listed and loaded as that of its first chip."""
    return f"sm_{one.removesuffix('f')}"


def _plain(target: str) -> str:
    return target.replace(":", "_")


def recipes() -> Iterator[Recipe]:
    """Those of every compiler that is installed and runs."""
    yield from (one for path in installed("clang") for one in _of(path, amd_recipes))
    yield from (one for path in installed("nvcc") for one in _of(path, cuda_recipes))


def _of(path: str, made: Callable[[str], Iterator[Recipe]]) -> list[Recipe]:
    try:
        return list(made(path))
    except ToolFailed:
        return []

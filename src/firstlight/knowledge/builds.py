"""Which targets a build of torch carries, and which of them a device can run."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Literal

import msgspec

from .tables import raw, records
from .versions import at_least, version_key, within

Runs = Literal["native", "generic", "jit", "no"]


class RocmBuild(msgspec.Struct, frozen=True, kw_only=True):
    """Targets of PyTorch's own ROCm wheels, by index or by torch version."""

    title: str
    targets: tuple[str, ...]
    rocm: str | None = None
    torch_from: str | None = None
    torch_to: str | None = None
    doubtful: tuple[str, ...] = ()
    """Targets on which sources disagree, or whose first torch version is not known."""
    note: str | None = None
    sources: tuple[str, ...] = ()
    as_of: str | None = None


class CudaBuild(msgspec.Struct, frozen=True, kw_only=True):
    """Targets of PyTorch's own CUDA wheels."""

    torch_from: str
    torch_to: str
    cuda: str
    arch: str
    targets: tuple[str, ...]
    """`compute_NN` is PTX."""
    note: str | None = None
    sources: tuple[str, ...] = ()
    as_of: str | None = None


def torch_targets(backend: str, backend_version: str, torch: str, arch: str) -> tuple[str, ...] | None:
    """Targets inside PyTorch's own wheel: backend `rocm` or `cuda`, its version (`7.2`, `13.0`), torch's (`2.14.1`),
    machine (`x86_64`, `aarch64`). None: not known. Targets in doubt are not in it: see `torch_doubtful`."""
    if backend == "cuda":
        build = _cuda(backend_version, torch, arch)
        return build.targets if build else None
    found = _rocm(backend_version, torch) if backend == "rocm" and arch == "x86_64" else None
    return found.targets if found else None


def index_targets(backend: str, backend_version: str, arch: str, *, sure: bool = False) -> frozenset[str] | None:
    """Targets that any of PyTorch's own wheels for this ROCm or CUDA carries, or (unless `sure`) may carry; None: none
    is known."""
    if backend == "cuda":
        wanted = version_key(backend_version)[:2]
        rows = [one.targets for one in _cuda_builds() if version_key(one.cuda) == wanted and one.arch == arch]
    else:
        key = version_key(backend_version)
        found = [one for one in _rocm_builds() if one.rocm and version_key(one.rocm) == key]
        rows = [one.targets if sure else (*one.targets, *one.doubtful) for one in found]
        if not rows and (5,) <= key < (6,):
            rows = [one.targets for one in _rocm_builds() if one.torch_from]
    return frozenset(target for row in rows for target in row) if rows else None


def torch_doubtful(backend: str, backend_version: str, torch: str, arch: str) -> tuple[str, ...]:
    """Targets that such a wheel may or may not carry: sources disagree."""
    found = _rocm(backend_version, torch) if backend == "rocm" and arch == "x86_64" else None
    return found.doubtful if found else ()


@cache
def _rocm_builds() -> tuple[RocmBuild, ...]:
    return records("torch_rocm", "build", RocmBuild)


@cache
def _cuda_builds() -> tuple[CudaBuild, ...]:
    return records("torch_cuda", "build", CudaBuild)


def _cuda(cuda: str, torch: str, arch: str) -> CudaBuild | None:
    wanted = version_key(cuda)[:2]
    for build in _cuda_builds():
        same = version_key(build.cuda) == wanted and build.arch == arch
        if same and within(_release(torch), build.torch_from, build.torch_to):
            return build
    return None


def _rocm(rocm: str, torch: str) -> RocmBuild | None:
    """By index first: exact (`6.2.4`), then without the patch; older torch by its own version. A version of three
    numbers from 7.14 on is AMD's own split build, of which these tables say nothing."""
    key = version_key(rocm)
    if key >= (7, 14) and rocm.count(".") >= 2:
        return None
    by_index = {version_key(build.rocm): build for build in _rocm_builds() if build.rocm}
    found = by_index.get(key) or by_index.get(key[:2])
    if found:
        return found
    rows = (build for build in _rocm_builds() if build.torch_from and build.torch_to)
    old = (build for build in rows if within(_release(torch), build.torch_from or "", build.torch_to or ""))
    return next(old, None) if (5,) <= key < (6,) else None


def _release(torch: str) -> str:
    return torch.partition("+")[0]


def runs_on(targets: Iterable[str], target: str, *, backend_version: str | None = None) -> Runs:
    """How a device of `target` runs code built for `targets`.

    AMD: the same target (`native`; a feature such as xnack must not contradict), or a generic target that has it as
    a member (`generic`). NVIDIA: code of the same major and an equal or lower minor version (`native`), PTX of an
    equal or lower version (`jit`); suffix `a` binds to exactly that version, `f` to the family, i.e. the same major
    (NVIDIA Blackwell compatibility guide); and torch's exceptions (torch/cuda/__init__.py), which hold for CUDA
    `backend_version` below 13.2 or unknown where they concern 8.7. `no` also where nothing is known."""
    carried = tuple(targets)
    if target.startswith("gfx"):
        return _runs_amd(carried, target)
    return _runs_nvidia(carried, target, backend_version)


def _runs_amd(carried: tuple[str, ...], target: str) -> Runs:
    name, *features = target.split(":")
    for one in carried:
        base, *wanted = one.split(":")
        if base == name and not any(_opposite(feature) in features for feature in wanted):
            return "native"
    return "generic" if any(name in members(one.partition(":")[0]) for one in carried) else "no"


def _opposite(feature: str) -> str:
    return feature[:-1] + {"+": "-", "-": "+"}.get(feature[-1:], "?")


def members(generic: str) -> tuple[str, ...]:
    """Targets that a generic target (`gfx11-generic`) covers; none for any other name."""
    if not generic.endswith("-generic"):
        return ()
    rows = raw("amd/generic")["generic"]
    return next((tuple(row["members"]) for row in rows if row["name"] == generic), ())


def generic_loads(generic: str, version: int | None) -> bool:
    """Whether a code object for `generic` (`gfx11-generic`) of this generic version is one that all members load: the
    loader takes no version below the table's (LLVM AMDGPUUsage, generic processor versioning). None: not told."""
    rows = raw("amd/generic")["generic"]
    least = next((int(row["version"]) for row in rows if row["name"] == generic), 1)
    return version is None or version >= least


EXCEPTIONS = {
    (5, 3): {(5, 0), (5, 2)},
    (6, 2): {(6, 0), (6, 1)},
    (7, 2): {(7, 0)},
    (8, 7): {(8, 0), (8, 6)},
    (10, 1): {(10, 0)},
}
"""Device -> code that it does not run though major and minor would allow it (torch 2.15.0 release code-cc table)."""
UNIFIED = "13.2"
"""From this CUDA version on, builds for 8.0 and 8.6 also run on 8.7 (the same table)."""


def _runs_nvidia(carried: tuple[str, ...], target: str, cuda: str | None) -> Runs:
    device = _capability(target)
    if device is None:
        return "no"
    codes = [code for one in carried if (code := _code(one)) is not None]
    if any(_cubin_runs(code, device[0], cuda) for code in codes if not code.ptx):
        return "native"
    return "jit" if any(_ptx_runs(code, device[0]) for code in codes if code.ptx) else "no"


class _Code(msgspec.Struct, frozen=True):
    capability: tuple[int, int]
    suffix: str
    ptx: bool


def _code(name: str) -> _Code | None:
    prefix, _, rest = name.partition("_")
    found = _capability(name) if prefix in {"sm", "compute"} and rest else None
    return _Code(found[0], found[1], prefix == "compute") if found else None


def _capability(name: str) -> tuple[tuple[int, int], str] | None:
    """`sm_90a` -> ((9, 0), "a"). 11.0 was called 10.1 before CUDA 13; torch takes the two for one."""
    digits = name.partition("_")[2].rstrip("af")
    suffix = name.partition("_")[2][len(digits) :]
    if not digits.isascii() or not digits.isdigit() or not 2 <= len(digits) <= 4 or len(suffix) > 1:
        return None
    found = int(digits[:-1]), int(digits[-1])
    return ((11, 0) if found == (10, 1) else found), suffix


def _cubin_runs(code: _Code, device: tuple[int, int], cuda: str | None) -> bool:
    if code.suffix == "a":
        return code.capability == device
    if code.capability[0] != device[0] or code.capability[1] > device[1]:
        return False
    if device == (8, 7) and cuda is not None and at_least(cuda, UNIFIED):
        return True
    return code.capability not in EXCEPTIONS.get(device, set())


def _ptx_runs(code: _Code, device: tuple[int, int]) -> bool:
    if code.suffix == "a":
        return code.capability == device
    if code.suffix == "f":
        return code.capability[0] == device[0] and code.capability <= device
    return code.capability <= device

"""When PyTorch, ROCm and the amdgpu driver were released."""

from __future__ import annotations

from functools import cache

import msgspec

from .tables import records


class TorchRelease(msgspec.Struct, frozen=True, kw_only=True):
    """One PyTorch release. `cuda` and `rocm`: variants on its own index; None: not read."""

    version: str
    date: str | None = None
    """ISO."""
    cuda: tuple[str, ...] | None = None
    rocm: tuple[str, ...] | None = None
    pypi_cuda: str | None = None
    """CUDA version of the wheel on the default index."""
    note: str | None = None
    sources: tuple[str, ...] = ()


class RocmRelease(msgspec.Struct, frozen=True, kw_only=True):
    """One ROCm release. Version order is not date order: 7.14.1 is newer than 10.0.0."""

    version: str
    date: str | None = None
    date_inferred: str | None = None
    stream: str
    torch: tuple[str, ...] | None = None
    """Versions of torch that AMD validated; None: not read."""
    note: str | None = None
    sources: tuple[str, ...] = ()


class DriverRelease(msgspec.Struct, frozen=True, kw_only=True):
    """One release of the amdgpu-dkms driver."""

    version: str
    date: str | None = None
    note: str | None = None
    sources: tuple[str, ...] = ()


@cache
def torch() -> tuple[TorchRelease, ...]:
    """Oldest first."""
    return records("releases", "torch", TorchRelease)


@cache
def rocm() -> tuple[RocmRelease, ...]:
    """By version."""
    return records("releases", "rocm", RocmRelease)


@cache
def amdgpu() -> tuple[DriverRelease, ...]:
    """By version."""
    return records("releases", "amdgpu", DriverRelease)

"""Which NVIDIA driver a CUDA version needs."""

from __future__ import annotations

import msgspec

from .tables import records
from .versions import at_least, version_key, within

__all__ = ["CudaMinimum", "at_least", "cuda_minimum", "cuda_of_ptx", "cuda_rule", "ptx_driver", "version_key"]


class CudaMinimum(msgspec.Struct, frozen=True, kw_only=True):
    """Lowest driver for a range of CUDA versions, by minor version compatibility."""

    cuda_from: str
    cuda_to: str
    linux: str
    windows: str | None = None
    sources: tuple[str, ...] = ()
    as_of: str | None = None


class Toolkit(msgspec.Struct, frozen=True, kw_only=True):
    """The driver that came with a toolkit."""

    cuda: str
    linux: str
    sources: tuple[str, ...] = ()
    as_of: str | None = None


class PtxIsa(msgspec.Struct, frozen=True, kw_only=True):
    """The first toolkit that writes PTX of an ISA version."""

    isa: str
    cuda: str
    sources: tuple[str, ...] = ()
    as_of: str | None = None


class PtxDriver(msgspec.Struct, frozen=True, kw_only=True):
    """Lowest Linux driver that compiles PTX of a CUDA version."""

    linux: str
    exact: bool
    """False: an older driver does not, but which newer one does is not known."""


def ptx_driver(cuda: str) -> PtxDriver | None:
    """For PTX of this CUDA version (`12.6`, `12.6.3`): the toolkit's own driver, since minor version compatibility does
    not hold for PTX. Of one that is not listed, or has no minor number (`12`), that of the newest toolkit which is
    listed and not newer. None: not known."""
    key = version_key(cuda)
    wanted = (*key, 0)[:2]
    older = [row for row in records("nvidia/drivers", "toolkit", Toolkit) if key and version_key(row.cuda) <= wanted]
    best = max(older, key=lambda row: version_key(row.cuda), default=None)
    if best is None:
        return None
    return PtxDriver(linux=best.linux, exact=(*version_key(best.cuda), 0)[:2] == wanted and "." in cuda)


def cuda_of_ptx(isa: str) -> str | None:
    """The first CUDA version that writes this PTX ISA version: 12.8 for `8.7`. None: not known."""
    rows = records("nvidia/drivers", "ptx", PtxIsa)
    return next((row.cuda for row in rows if version_key(row.isa) == version_key(isa) != ()), None)


def cuda_rule(cuda: str) -> CudaMinimum | None:
    """The rule for a CUDA version (`13.0`, `12.6`, `12.6.3`); None: not known."""
    return next((row for row in _rules() if version_key(cuda) and within(cuda, row.cuda_from, row.cuda_to)), None)


def cuda_minimum(cuda: str) -> str | None:
    """Lowest Linux driver for a CUDA version: `580` for 13.0, `525.60.13` for 12.6. None: not known."""
    rule = cuda_rule(cuda)
    return rule.linux if rule else None


def _rules() -> tuple[CudaMinimum, ...]:
    return records("nvidia/drivers", "minimum", CudaMinimum)

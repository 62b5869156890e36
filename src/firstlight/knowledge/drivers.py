"""Which NVIDIA driver a CUDA version needs."""

from __future__ import annotations

import msgspec

from .tables import records
from .versions import at_least, version_key, within

__all__ = ["CudaMinimum", "at_least", "cuda_minimum", "cuda_rule", "version_key"]


class CudaMinimum(msgspec.Struct, frozen=True, kw_only=True):
    """Lowest driver for a range of CUDA versions, by minor version compatibility."""

    cuda_from: str
    cuda_to: str
    linux: str
    windows: str | None = None
    sources: tuple[str, ...] = ()
    as_of: str | None = None


def cuda_rule(cuda: str) -> CudaMinimum | None:
    """The rule for a CUDA version (`13.0`, `12.6`, `12.6.3`); None: not known."""
    return next((row for row in _rules() if version_key(cuda) and within(cuda, row.cuda_from, row.cuda_to)), None)


def cuda_minimum(cuda: str) -> str | None:
    """Lowest Linux driver for a CUDA version: `580` for 13.0, `525.60.13` for 12.6. None: not known."""
    rule = cuda_rule(cuda)
    return rule.linux if rule else None


def _rules() -> tuple[CudaMinimum, ...]:
    return records("nvidia/drivers", "minimum", CudaMinimum)

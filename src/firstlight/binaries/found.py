"""What one reader makes of one file, and the adding up of like code."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..knowledge.versions import version_key
from .model import Code, Fault, Kind


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A reader's answer."""

    kind: Kind
    code: tuple[Code, ...] = ()
    reference: str | None = None
    """Path of the archive that holds the code instead."""
    faults: tuple[Fault, ...] = ()


def merged(codes: Iterable[Code]) -> tuple[Code, ...]:
    """Alike ones as one: counts, sizes and kernels summed, registers and LDS the largest; sorted."""
    found: dict[tuple[object, ...], Code] = {}
    for code in codes:
        key = (code.vendor, code.target, code.form, code.code_object_version, code.generic_version, code.wave)
        found[key] = _together(found[key], code) if key in found else code
    return tuple(sorted(found.values(), key=lambda one: (one.vendor, one.target, one.form, one.wave or 0)))


def _together(one: Code, other: Code) -> Code:
    return msgspec.structs.replace(
        one,
        count=one.count + other.count,
        size=_sum(one.size, other.size),
        kernels=_sum(one.kernels, other.kernels),
        registers=_most(one.registers, other.registers),
        lds=_most(one.lds, other.lds),
        ptx_isa=max(one.ptx_isa, other.ptx_isa, key=version_key) if one.ptx_isa and other.ptx_isa else None,
    )


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _most(one: int | None, other: int | None) -> int | None:
    return max((value for value in (one, other) if value is not None), default=None)

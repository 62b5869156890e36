"""Can one library run on a target?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from ..knowledge.builds import Runs, generic_loads, runs_on
from ..knowledge.drivers import at_least, cuda_of_ptx, ptx_driver
from ..knowledge.versions import version_key
from ..words import Words
from . import reasons
from .bringing import Brings, bringing
from .built_for import BuiltFor
from .libraries import Library
from .model import Code, Report
from .targets import packed

Verdict = Literal["native", "generic", "jit", "no", "unknown"]
"""`unknown`: a part that may decide could not be read."""
SHOWN = 16
"""Targets that a sentence tells one by one."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A target, and what is known of the machine that has it."""

    target: str
    driver: str | None = None
    """NVIDIA's."""
    arch: str = "x86_64"
    """Processor for which other builds are named."""

    @property
    def vendor(self) -> str:
        """`amd` or `nvidia`."""
        return "amd" if self.target.startswith("gfx") else "nvidia"

    @property
    def base(self) -> str:
        """Without modes: `gfx90a` of `gfx90a:xnack-`."""
        return self.target.partition(":")[0]


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """One library on one target."""

    library: Library
    verdict: Verdict
    why: Words
    counts: bool
    """Whether the whole answer rests on it. What is optional, made for single other chips, or not to be judged by what
    can be read, does not stand in the way."""
    driver: str | None = None
    """Lowest driver that compiles its PTX."""
    brings: Brings | None = None
    """What would bring the code that is missing."""


def judged(library: Library, report: Report, made: BuiltFor, asked: Asked, *, partly: bool = False) -> Judged:
    """By what it holds; `made`: what its report was built for; `partly`: others of its report do run."""
    codes = loadable(library.code, asked)
    names = [code.target for code in codes]
    runs: Runs = runs_on(names, asked.target, backend_version=made.cuda)
    counts = not library.optional
    if runs != "no" and library.indexed and runs_on(library.indexed, asked.target) == "no":
        runs = "no"
    if runs == "no" and library.faults:
        fault = library.faults[0]
        why = reasons.DAMAGED.fill(where=fault.where, detail=fault.detail)
        return Judged(library=library, verdict="unknown", why=why, counts=counts)
    if runs == "no" and library.unlisted:
        return Judged(library=library, verdict="unknown", why=reasons.UNLISTED, counts=False)
    if runs == "no":
        brings = bringing(library, report, asked.target, asked.arch, partly=partly)
        return Judged(library=library, verdict="no", why=_lacks(library, names, asked), counts=counts, brings=brings)
    if runs == "jit":
        return _jit(library, codes, made, asked)
    return Judged(library=library, verdict=runs, why=_has(names, asked, runs), counts=counts)


def loadable(codes: Sequence[Code], asked: Asked) -> list[Code]:
    """Those of the vendor, without generic code of a version that the loader refuses. An index or a database for a
    target is no code: it decides only where there is nothing else."""
    mine = [code for code in codes if code.vendor == asked.vendor]
    mine = [code for code in mine if code.form not in ("library", "database")] or mine
    return [code for code in mine if generic_loads(code.target.partition(":")[0], code.generic_version)]


def _lacks(library: Library, names: Sequence[str], asked: Asked) -> Words:
    if library.reference is not None and not names:
        why = reasons.ELSEWHERE.fill(archive=library.reference)
    elif library.indexed and runs_on(names, asked.target) != "no":
        why = reasons.NO_INDEX.fill(target=asked.target)
    elif names:
        why = reasons.NO_CODE.fill(target=asked.target, has=packed(names, SHOWN))
    else:
        why = reasons.NOTHING.fill(target=asked.target)
    without = library.without
    return Words(f"{why.en} ({without.en})", f"{why.zh}（{without.zh}）") if without else why


def _has(names: Sequence[str], asked: Asked, runs: Runs) -> Words:
    used = [name for name in names if runs_on([name], asked.target) == runs]
    if runs == "generic":
        return reasons.GENERIC.fill(code=packed(used))
    mine = [name for name in used if name.partition(":")[0] == asked.base]
    if mine and all(":" in name for name in mine) and ":" not in asked.target and not _both_ways(mine):
        return reasons.ONLY_MODES.fill(code=packed(mine))
    if mine or not used:
        return reasons.NATIVE.fill(target=asked.target)
    return reasons.NATIVE_BY.fill(code=used[-1], target=asked.target)


def _both_ways(names: Sequence[str]) -> bool:
    """Whether code is found with each mode on as with it off."""
    modes = {mode[:-1] for name in names for mode in name.split(":")[1:]}
    return all(
        any(f":{mode}{sign}" in name or f":{mode}" not in name for name in names) for mode in modes for sign in "+-"
    )


def _jit(library: Library, codes: Sequence[Code], made: BuiltFor, asked: Asked) -> Judged:
    fitting = [code for code in codes if runs_on([code.target], asked.target) == "jit"]
    cuda = _ptx_cuda(fitting) or made.cuda
    known = ptx_driver(cuda) if cuda else None
    used = packed([code.target for code in fitting], SHOWN)
    counts = not library.optional
    if known is None:
        return Judged(library=library, verdict="jit", why=reasons.BY_SOME_DRIVER.fill(code=used), counts=counts)
    least = known.linux
    if asked.driver and not at_least(asked.driver, least):
        why = reasons.OLD_DRIVER.fill(code=used, cuda=cuda, least=least, driver=asked.driver)
        return Judged(library=library, verdict="no", why=why, counts=counts, driver=least)
    text = reasons.BY_PTX if known.exact else reasons.BY_NEWER_DRIVER
    why = text.fill(code=used, cuda=cuda, least=least)
    return Judged(library=library, verdict="jit", why=why, counts=counts, driver=least)


def _ptx_cuda(codes: Sequence[Code]) -> str | None:
    """By the newest ISA version among the PTX that may be taken: each kernel has its own."""
    versions = [cuda for code in codes if code.ptx_isa and (cuda := cuda_of_ptx(code.ptx_isa))]
    return max(versions, key=version_key, default=None)

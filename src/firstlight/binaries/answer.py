"""Can these files run on a target? Library by library, and as a whole."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..knowledge.builds import runs_on
from ..knowledge.versions import version_key
from ..words import Words, same
from . import reasons
from .built_for import built_for
from .judging import Asked, Judged, Verdict, judged
from .libraries import Library, libraries, variants
from .model import Report

__all__ = ["Answer", "Asked", "Judged", "Verdict", "answer"]

WORST_FIRST: tuple[Verdict, ...] = ("no", "unknown", "jit", "generic", "native")
CHIP_SUFFIXES = ("a", "f")
"""`sm_90a`, `sm_100f`: code for one chip or family, beside which there is other code for the others."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """Everything on one target."""

    target: str
    verdict: Verdict
    """The worst of the libraries that count."""
    why: Words
    libraries: tuple[Judged, ...] = ()
    """Those with code for GPUs of this vendor, or that could not be read."""
    driver: str | None = None
    """Lowest NVIDIA driver that the just-in-time parts need."""

    @property
    def lacking(self) -> tuple[Judged, ...]:
        """Those that do not run on it, needed or not."""
        return tuple(one for one in self.libraries if one.verdict == "no")


def answer(reports: Sequence[Report], asked: Asked) -> Answer:
    """How the files of all reports, taken together, run on a target: what one lacks another may bring."""
    made = [built_for(report) for report in reports]
    held = [one for one in libraries(reports) if _concerns(one, asked)]
    partly = {one.report for one in held if runs_on(one.targets, asked.target) != "no"}
    found = [judged(one, reports[one.report], made[one.report], asked, partly=one.report in partly) for one in held]
    return _whole(reports, asked, _weighed(found))


def _concerns(library: Library, asked: Asked) -> bool:
    """Code for the other vendor's GPUs says nothing about this one."""
    if library.code:
        return any(code.vendor == asked.vendor for code in library.code)
    if library.unlisted:
        return asked.vendor == "nvidia"
    return bool(library.faults) or (library.reference is not None and asked.vendor == "amd")


def _weighed(found: Sequence[Judged]) -> list[Judged]:
    """What stands in nobody's way does not count; where nothing else is left, all counts."""
    best = _best_variants(found)
    kept = [
        msgspec.structs.replace(one, counts=False)
        if (one.verdict == "no" and _special(one.library)) or best.get(variants(one.library) or "", one) is not one
        else one
        for one in found
    ]
    return kept if any(one.counts for one in kept) else [msgspec.structs.replace(one, counts=True) for one in found]


def _best_variants(found: Sequence[Judged]) -> dict[str, Judged]:
    """Of libraries of which one is loaded: that which runs best."""
    best: dict[str, Judged] = {}
    for one in found:
        key = variants(one.library)
        if key and (key not in best or WORST_FIRST.index(one.verdict) >= WORST_FIRST.index(best[key].verdict)):
            best[key] = one
    return best


def _special(library: Library) -> bool:
    """A library whose code is all for single chips was made for these, and is asked for by nobody else."""
    names = [code.target for code in library.code if code.vendor == "nvidia"]
    return bool(names) and all(name.endswith(CHIP_SUFFIXES) for name in names)


def _whole(reports: Sequence[Report], asked: Asked, found: Sequence[Judged]) -> Answer:
    damaged = any(report.faults for report in reports)
    counted = [one for one in found if one.counts]
    verdict: Verdict = next((one for one in WORST_FIRST if any(each.verdict == one for each in counted)), "no")
    if damaged and (verdict != "no" or not counted):
        verdict, why = "unknown", reasons.NOT_ALL_READ
    elif not counted:
        why = reasons.OTHER_VENDOR.fill(target=asked.target) if _holds_code(reports) else reasons.NO_GPU_CODE
    else:
        why = _sentence(asked, verdict, counted, len(found))
    needed = [one.driver for one in counted if one.driver]
    driver = max(needed, key=version_key, default=None)
    return Answer(target=asked.target, verdict=verdict, why=why, libraries=tuple(found), driver=driver)


def _holds_code(reports: Sequence[Report]) -> bool:
    return any(piece.code for report in reports for piece in report.pieces)


def _sentence(asked: Asked, verdict: Verdict, counted: Sequence[Judged], every: int) -> Words:
    deciding = [one for one in counted if one.verdict == verdict]
    first = deciding[0]
    name = same(first.library.path)
    if len(counted) == 1:
        return reasons.told(name, first.why)
    if verdict in ("native", "generic"):
        whole = reasons.WHOLE.fill(count=len(counted), target=asked.target)
        generic = reasons.SOME_GENERIC.fill(count=len(deciding)) if verdict == "generic" else same("")
        rest = reasons.OPTIONAL.fill(count=every - len(counted)) if every > len(counted) else same("")
        return Words(whole.en + generic.en + rest.en, whole.zh + generic.zh + rest.zh)
    form = {"jit": reasons.SOME_PTX, "no": reasons.SOME_LACK}.get(verdict, reasons.SOME_UNREAD)
    return reasons.told(form.fill(count=len(deciding), all=len(counted)), name, first.why)

"""Files that lie side by side and do not fit one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ..knowledge.libraries import known_library, number_of, stem_of
from ..words import Words
from .built_for import BuiltFor, of_distribution, parted
from .model import Report
from .needed import names_of, of_host
from .problems import Problem, ProblemKind

_OTHER_VERSION = Words("asks for {wanted}, but what is here is {have}", "要求 {wanted}，但这里有的是 {have}")
_VERSIONS = Words(
    "built for {what} {first}, and {other} for {second}", "为 {what} {first} 构建，而 {other} 为 {second}"
)
_VENDORS = Words("holds code for AMD GPUs, and {other} for NVIDIA's", "含 AMD GPU 的代码，而 {other} 含 NVIDIA 的")


class Made(msgspec.Struct, frozen=True):
    """Something that was built for a runtime."""

    subject: str
    """A report's path, or a distribution."""
    loosely: bool
    """Only the major number counts: NVIDIA's libraries of one major version go together (CUDA minor version
    compatibility)."""
    built_for: BuiltFor


def disagreements(reports: Sequence[Report], made: Sequence[BuiltFor]) -> Iterator[Problem]:
    """What lies side by side and does not fit."""
    yield from _library_versions(reports)
    everything = list(_everything(reports, made))
    yield from _runtimes("cuda-versions", "CUDA", [(one, one.built_for.cuda) for one in everything])
    yield from _runtimes("rocm-versions", "ROCm", [(one, one.built_for.rocm) for one in everything])
    yield from _vendors(reports)


def _everything(reports: Sequence[Report], made: Sequence[BuiltFor]) -> Iterator[Made]:
    """The reports, each with the distributions that lie beside it."""
    for report, one in zip(reports, made, strict=True):
        yield Made(report.path, _loosely(report.distribution), one)
        yield from (Made(name, _loosely(name), of_distribution(name)) for name in report.beside)


def _loosely(distribution: str | None) -> bool:
    return parted(distribution)[0].startswith("nvidia-")


def _runtimes(kind: ProblemKind, what: str, versions: Sequence[tuple[Made, str | None]]) -> Iterator[Problem]:
    """All against the first; of two versions of which one is only a major number, that number decides."""
    told = [(one, version) for one, version in versions if version]
    for one, version in told[1:]:
        first = told[0]
        least = 1 if one.loosely or first[0].loosely else min(first[1].count(".") + 1, version.count(".") + 1, 2)
        if first[1].split(".")[:least] != version.split(".")[:least]:
            text = _VERSIONS.fill(what=what, first=first[1], other=one.subject, second=version)
            yield Problem(kind=kind, subject=first[0].subject, text=text, stops=False)


def _vendors(reports: Sequence[Report]) -> Iterator[Problem]:
    held = [{code.vendor for piece in report.pieces for code in piece.code} for report in reports]
    amd = next((report for report, vendors in zip(reports, held, strict=True) if vendors == {"amd"}), None)
    nvidia = next((report for report, vendors in zip(reports, held, strict=True) if vendors == {"nvidia"}), None)
    if amd and nvidia:
        yield Problem(kind="vendors", subject=amd.path, text=_VENDORS.fill(other=nvidia.path), stops=False)


def _library_versions(reports: Sequence[Report]) -> Iterator[Problem]:
    """A library is asked for by one number, and there is only another: it is loaded from elsewhere, or not at all."""
    names = {name for report in reports for piece in report.pieces for name in names_of(piece)}
    numbers: dict[str, set[str]] = {}
    for name in names:
        if number := number_of(name):
            numbers.setdefault(stem_of(name), set()).add(number)
    seen: set[str] = set()
    for report in reports:
        for piece in report.pieces:
            for wanted in piece.needs.libraries if piece.needs and of_host(piece) else ():
                have = numbers.get(stem_of(wanted), set())
                if wanted in names or wanted in seen or not _contradicts(wanted, have):
                    continue
                seen.add(wanted)
                here = ", ".join(f"{stem_of(wanted)}.so.{number}" for number in sorted(have))
                text = _OTHER_VERSION.fill(wanted=wanted, have=here)
                yield Problem(kind="library-version", subject=piece.path, text=text, stops=False)


def _contradicts(wanted: str, have: set[str]) -> bool:
    """Only of libraries that are known: of others a number may mean anything."""
    known = known_library(wanted)
    number = number_of(wanted)
    return bool(have) and number is not None and number not in have and known is not None and known.origin == "package"

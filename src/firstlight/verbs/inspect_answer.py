"""What `inspect` answers, as records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from ..binaries.answer import Answer as Judgement
from ..binaries.answer import Judged, Verdict
from ..binaries.built_for import built_for
from ..binaries.libraries import Library, libraries
from ..binaries.loading import Loading
from ..binaries.model import Code, Fault, Kind, Needs, Report
from ..binaries.needed import Origin
from ..binaries.problems import ProblemKind
from ..binaries.targets import ordered
from ..words import Lang
from .answer import Answer


class PieceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One file inside: what it is, the GPU code in it, what it needs to load."""

    path: str
    kind: Kind
    size: int
    targets: tuple[str, ...]
    code: tuple[Code, ...]
    needs: Needs | None
    reference: str | None
    faults: tuple[Fault, ...]


class LibraryAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A binary, or a folder of files for one target each, as one."""

    path: str
    name: str | None
    """`rocBLAS`, where it is known."""
    kind: Kind
    files: int
    size: int
    targets: tuple[str, ...]
    optional: bool
    reference: str | None
    """The archive that must bring its code and is not here."""
    faults: tuple[Fault, ...]


class FileAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One argument. `others` counts the files inside that hold nothing of interest."""

    path: str
    kind: Literal["file", "wheel", "deb", "tar", "folder", "environment"]
    distribution: str | None
    python: tuple[str, ...]
    cuda: str | None
    rocm: str | None
    targets: tuple[str, ...]
    libraries: tuple[LibraryAnswer, ...]
    pieces: tuple[PieceAnswer, ...]
    others: int
    unread: tuple[str, ...]
    """Of an address: binaries without GPU code that were not fetched; what these need is not known."""
    faults: tuple[Fault, ...]


class MissingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What would bring code that is missing: a Python distribution, or the indices that have such builds."""

    package: str | None
    indices: tuple[str, ...]
    text: str


class LibraryVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """One library on one target. `counts`: whether the whole answer rests on it."""

    file: str
    library: str
    name: str | None
    verdict: Verdict
    counts: bool
    optional: bool
    driver: str | None
    missing: MissingAnswer | None
    why: str


class TargetAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """All files together on one target. `driver`: the lowest NVIDIA driver for just-in-time compilation."""

    verdict: Verdict
    driver: str | None
    libraries: tuple[LibraryVerdict, ...]
    why: str


class NeededAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A shared library that files ask for. `where`: the files that are it, or packages that bring it."""

    name: str
    origin: Origin
    where: tuple[str, ...]
    by: tuple[str, ...]


class ProblemAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What keeps the files from loading (`stops`), or makes it doubtful."""

    kind: ProblemKind
    subject: str
    stops: bool
    text: str


class LoadsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What else is needed, and what of it is missing or contradicts."""

    machines: tuple[str, ...]
    glibc: str | None
    libstdcxx: str | None
    pythons: tuple[str, ...]
    libraries: tuple[NeededAnswer, ...]
    problems: tuple[ProblemAnswer, ...]


class UnjudgedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A GPU of the host whose target is not known."""

    gpu: str
    why: str


class InspectAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.inspect/1"):
    """What the files hold, and how each target runs them. `host`: the machine whose GPUs were asked for, null where
    targets were named and no machine was."""

    files: tuple[FileAnswer, ...]
    runs_on: dict[str, TargetAnswer]
    loads: LoadsAnswer
    host: str | None
    unjudged: tuple[UnjudgedAnswer, ...]

    @property
    def exit_code(self) -> int:
        """0 all run, or nothing was asked; 1 some target does not, or the machine cannot load them; 3 cannot tell, or
        nothing was asked and a file could not be read."""
        verdicts = {one.verdict for one in self.runs_on.values()}
        if "no" in verdicts or any(one.stops for one in self.loads.problems):
            return 1
        closed = not self.runs_on and any(map(_closed, self.files))
        return 3 if "unknown" in verdicts or self.unjudged or closed else 0


def _closed(file: FileAnswer) -> bool:
    """Whether what it holds is not known."""
    return not file.targets and bool(file.faults or any(one.faults for one in file.libraries))


def answered(
    reports: Sequence[Report],
    judged: Sequence[Judgement],
    found: Loading,
    lang: Lang,
    *,
    host: str | None = None,
    unjudged: tuple[UnjudgedAnswer, ...] = (),
) -> InspectAnswer:
    """Reports and what was made of them, with its words in one language."""
    return InspectAnswer(
        files=tuple(_file(at, reports) for at in range(len(reports))),
        runs_on={one.target: _on(one, reports, lang) for one in judged},
        loads=_loads(found, lang),
        host=host,
        unjudged=unjudged,
    )


def _file(at: int, reports: Sequence[Report]) -> FileAnswer:
    report = reports[at]
    made = built_for(report)
    held = libraries((report,))
    return FileAnswer(
        path=report.path,
        kind=report.kind,
        distribution=report.distribution,
        python=report.python,
        cuda=made.cuda,
        rocm=made.rocm,
        targets=ordered(code.target for piece in report.pieces for code in piece.code),
        libraries=tuple(map(_library, held)),
        pieces=tuple(
            PieceAnswer(
                path=one.path,
                kind=one.kind,
                size=one.size,
                targets=ordered(code.target for code in one.code),
                code=one.code,
                needs=one.needs,
                reference=one.reference,
                faults=one.faults,
            )
            for one in report.pieces
        ),
        others=report.others,
        unread=report.unread,
        faults=report.faults,
    )


def _library(one: Library) -> LibraryAnswer:
    return LibraryAnswer(
        path=one.path,
        name=one.title,
        kind=one.kind,
        files=one.files,
        size=one.size,
        targets=ordered(one.targets),
        optional=one.optional,
        reference=one.reference,
        faults=one.faults,
    )


def _on(one: Judgement, reports: Sequence[Report], lang: Lang) -> TargetAnswer:
    return TargetAnswer(
        verdict=one.verdict,
        driver=one.driver,
        libraries=tuple(_judged(each, reports, lang) for each in one.libraries),
        why=one.why.say(lang),
    )


def _judged(one: Judged, reports: Sequence[Report], lang: Lang) -> LibraryVerdict:
    brings = one.brings
    return LibraryVerdict(
        file=reports[one.library.report].path,
        library=one.library.path,
        name=one.library.title,
        verdict=one.verdict,
        counts=one.counts,
        optional=one.library.optional,
        driver=one.driver,
        missing=MissingAnswer(package=brings.package, indices=brings.indices, text=brings.text.say(lang))
        if brings
        else None,
        why=one.why.say(lang),
    )


def _loads(found: Loading, lang: Lang) -> LoadsAnswer:
    return LoadsAnswer(
        machines=found.machines,
        glibc=found.glibc,
        libstdcxx=found.glibcxx,
        pythons=found.pythons,
        libraries=tuple(
            NeededAnswer(name=one.name, origin=one.origin, where=one.where, by=one.by) for one in found.libraries
        ),
        problems=tuple(
            ProblemAnswer(kind=one.kind, subject=one.subject, stops=one.stops, text=one.text.say(lang))
            for one in found.problems
        ),
    )

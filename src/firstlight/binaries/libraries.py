"""The pieces of reports as libraries: what has to have code for a target as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from ..knowledge.libraries import known_folder, known_library
from ..words import Words
from .found import merged
from .kept_apart import Archives
from .model import Code, Fault, Kind, Piece, Report

CONTAINED: tuple[Kind, ...] = ("elf", "archive")
"""Kinds of which each file is a library of its own."""
ELSEWHERE = ("dynamic section", "needed versions", "sycl-")
"""How places begin whose faults say nothing about code for AMD's and NVIDIA's GPUs: what the loader reads
(needs.py), and entries of bundles for Intel's."""


class Library(msgspec.Struct, frozen=True, kw_only=True):
    """One host binary with its code, wherever that lies, or a folder of files for one target each."""

    report: int
    """Which of the reports it is in."""
    path: str
    """Of the file, or of the folder."""
    title: str | None = None
    """`rocBLAS`, where it is known."""
    kind: Kind
    files: int = 1
    size: int = 0
    code: tuple[Code, ...] = ()
    reference: str | None = None
    """Of a host binary: the archive that must bring its code and is not here."""
    faults: tuple[Fault, ...] = ()
    indexed: tuple[str, ...] | None = None
    """Of matrix kernels: targets with an index file of their own. None: there is one for all, or none at all."""
    optional: bool = False
    """Those who use it do something else without it."""
    unlisted: bool = False
    """Its kernels lie where no tool lists them."""
    without: Words | None = None

    @property
    def targets(self) -> tuple[str, ...]:
        """Each once."""
        return tuple(dict.fromkeys(one.target for one in self.code))


def libraries(reports: Sequence[Report]) -> tuple[Library, ...]:
    """Of all reports, in their order. Pieces without code, marker and fault are none."""
    archives = Archives(piece for report in reports for piece in report.pieces)
    found: list[Library] = []
    used: set[str] = set()
    for at, report in enumerate(reports):
        groups: dict[tuple[str, Kind | None], list[Piece]] = {}
        for piece in report.pieces:
            if piece.code or piece.reference or any(map(matters, piece.faults)) or _unlisted(piece.path):
                groups.setdefault(_place(piece), []).append(piece)
        found += [_of_name(at, path) for path in report.unread if _unlisted(path)]
        for (path, _), pieces in groups.items():
            one, from_archives = _library(at, path, pieces, archives)
            used |= from_archives
            found.append(one)
    return tuple(one for one in found if one.kind != "kpack" or one.path not in used)


def _unlisted(path: str) -> bool:
    known = known_library(path)
    return bool(known and known.unlisted)


def _of_name(report: int, path: str) -> Library:
    """Of a file that was passed over since it lists no code."""
    known = known_library(path)
    return Library(report=report, path=path, title=known.title if known else None, kind="elf", unlisted=True)


def _place(piece: Piece) -> tuple[str, Kind | None]:
    """What the piece belongs to: itself, or the folder of which it is a part."""
    if piece.kind in CONTAINED or piece.kind == "python":
        return piece.path, None
    if piece.kind == "kpack":
        return folder_of(piece.path), piece.kind
    folder, _, name = piece.path.rpartition("/")
    parts = folder.split("/") if folder else []
    first = next((at for at, part in enumerate(parts) if _names_target(part)), None)
    if first is not None:
        return "/".join(parts[:first]) or ".", piece.kind if piece.kind in ("tensile", "miopen") else None
    if piece.kind in ("tensile", "miopen") or _names_target(name):
        return folder or ".", piece.kind if piece.kind in ("tensile", "miopen") else None
    return piece.path, None


def matters(fault: Fault) -> bool:
    """Whether code for a GPU of AMD's or NVIDIA's may lie behind it."""
    return not fault.where.startswith(ELSEWHERE)


def folder_of(path: str) -> str:
    """Of a path inside a container."""
    return path.rpartition("/")[0] or "."


def _names_target(word: str) -> bool:
    """Whether a name bears a target between its other parts: `amd-gfx115x`, `Kernels.so-000-gfx90a.hsaco`, `sm_90a`."""
    lower = word.lower()
    for mark in ("gfx", "sm_", "sm", "compute_"):
        at = lower.find(mark)
        while at >= 0:
            starts = at == 0 or not lower[at - 1].isalnum()
            if starts and lower[at + len(mark) : at + len(mark) + 2].isdigit():
                return True
            at = lower.find(mark, at + 1)
    return False


def _library(report: int, path: str, pieces: Sequence[Piece], archives: Archives) -> tuple[Library, set[str]]:
    """(the library, folders of the archives that its code came from)."""
    first = pieces[0]
    brought = [one for piece in pieces for one in archives.named(piece.reference)]
    known = known_library(path) or known_folder(first.path)
    missing = next((piece.reference for piece in pieces if piece.reference), None) if not brought else None
    return Library(
        report=report,
        path=path,
        title=known.title if known else None,
        kind=first.kind,
        files=len(pieces),
        size=sum(piece.size for piece in pieces),
        code=merged(code for piece in (*pieces, *brought) for code in piece.code),
        reference=missing,
        faults=tuple(fault for piece in (*pieces, *brought) for fault in piece.faults if matters(fault)),
        indexed=_indexed(pieces),
        optional=bool(known and known.optional) or _only_databases(pieces),
        unlisted=bool(known and known.unlisted),
        without=known.without if known else None,
    ), {folder_of(one.path) for one in brought}


def _indexed(pieces: Iterable[Piece]) -> tuple[str, ...] | None:
    """Tensile opens the index of the device's target first, so that code without one is never found; in its older
    layout there is one index for all (Tensile/TensileCreateLibrary.py: merged and separate architectures)."""
    found: list[str] = []
    for piece in pieces:
        name = piece.path.rpartition("/")[2]
        if name.startswith("TensileLibrary.") or piece.kind != "tensile":
            return None
        found += [code.target for code in piece.code if code.form == "library"]
    return tuple(dict.fromkeys(found)) or None


def variants(library: Library) -> str | None:
    """What is equal of libraries of which one is loaded, by the runtime that it finds: `libbitsandbytes_cuda128.so` and
    `..._rocm72.so`. None: its name names no runtime."""
    folder, _, name = library.path.rpartition("/")
    for mark in ("cuda", "rocm", "cu", "hip"):
        at = name.lower().rfind(mark)
        digits = len(name) - at - len(mark) - len(name[at + len(mark) :].lstrip("0123456789")) if at > 0 else 0
        if at > 0 and digits >= 2 and not name[at - 1].isalpha():
            return f"{library.report}:{folder}/{name[:at]}{name[at + len(mark) + digits :]}"
    return None


def _only_databases(pieces: Iterable[Piece]) -> bool:
    """What is tuned for a target makes it faster; without it things are compiled or searched for."""
    codes = [code for piece in pieces for code in piece.code]
    return bool(codes) and all(code.form == "database" for code in codes)

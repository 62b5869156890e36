"""MIOpen's databases: kernels compiled ahead (`.kdb`), and what was found to be fastest (`.db.txt`, `.fdb.txt`).

Names: ROCm/MIOpen src/include/miopen/handle.hpp (GetDbBasename), src/target_properties.cpp (InitDbId),
src/db_path.cpp.in, src/conv/heuristics: `<target><modes><compute units>.<ext>`. Up to 64 compute units are written as
`_60`, more in hexadecimal without a line before them: `gfx906_60`, `gfx90a68` (104), `gfx90878` (120), `gfx942130`
(304). So only a list of targets tells where one ends. Modes are written where they are not usual: `_nosramecc` (gfx906,
gfx908), `_sramecc` (others), `_xnack`. A kdb is an SQLite database of bzip2-packed code objects; the others are text,
`<problem>=<answers>`; `.model` files are networks in JSON that guess what was not measured.

MIOpen compiles what it does not find: a missing database costs time, and never makes code run that would not.
"""

from __future__ import annotations

import struct

from ..knowledge.mach import is_target
from .found import Found
from .model import Code, Fault
from .source import Source

KERNELS = (".kdb", ".ukdb")
RECORDS = (".fdb.txt", ".ufdb.txt", ".db.txt", ".udb.txt", ".pdb.txt", ".updb.txt")
MODELS = (".tn.model", ".ktn.model", ".model")
"""`u` stands for the user's own."""
FEW = 64
"""Up to so many compute units are written as a decimal number."""
_MODES = {"nosramecc": ":sramecc-", "sramecc": ":sramecc+", "xnack": ":xnack+"}
_POINTER = b"version https://git-lfs"
_SQLITE = b"SQLite format 3\0"


def read(source: Source, path: str) -> Found | None:
    """For which target a database is; None: it is none of MIOpen's."""
    name = path.rpartition("/")[2]
    if not name.startswith("gfx") or not name.endswith((*KERNELS, *RECORDS, *MODELS)):
        return None
    target = target_of(name.partition(".")[0])
    if target is None:
        detail = "no target that is known, or one that its number of compute units hides"
        return Found(kind="miopen", faults=(Fault(kind="unknown-form", where=name[:200], detail=detail),))
    wrong = _wrong(source, name)
    if wrong is not None:
        return Found(kind="miopen", faults=(Fault(kind="damaged", where=name[:200], detail=wrong),))
    code = Code(vendor="amd", target=target, form="database", size=source.size)
    return Found(kind="miopen", code=(code,))


def target_of(stem: str) -> str | None:
    """Of the name before the first dot: `gfx90a68` -> `gfx90a`, `gfx906_nosramecc_60` -> `gfx906:sramecc-`."""
    head, *words = stem.split("_")
    base = head if is_target(head) else _with_units(head)
    if base is None:
        return None
    modes = ""
    for word in words:
        mode = next((one for one in _MODES if word.startswith(one)), None)
        if mode is None:
            break
        modes += _MODES[mode]
    return base + modes


def _with_units(head: str) -> str | None:
    """The longest target before a hexadecimal number of more than 64."""
    for end in range(len(head) - 1, 3, -1):
        digits = head[end:]
        if is_target(head[:end]) and len(digits) <= 4 and not digits.startswith("0"):
            return head[:end] if _number(digits) > FEW else None
    return None


def _number(digits: str) -> int:
    try:
        return int(digits, 16)
    except ValueError:
        return 0


def _wrong(source: Source, name: str) -> str | None:
    """Why it is no database of its kind."""
    head = source.read(0, 4096)
    if not head:
        return "it is empty"
    if head.startswith(_POINTER):
        return "it is a pointer of Git LFS: the file itself was never fetched"
    if name.endswith(KERNELS):
        return _database(head, source.size)
    if b"\0" in head:
        return "it is no text"
    return None if name.endswith(MODELS) or b"=" in head else "no record in it"


def _database(head: bytes, size: int) -> str | None:
    """By its header (sqlite.org/fileformat2.html): bytes of a page at 16, number of pages at 28, which holds if the
    numbers at 24 and 92 are equal."""
    if len(head) < 100 or not head.startswith(_SQLITE):
        return "it is no SQLite database"
    (page,) = struct.unpack_from(">H", head, 16)
    change, pages = struct.unpack_from(">II", head, 24)
    (valid,) = struct.unpack_from(">I", head, 92)
    page = 65536 if page == 1 else page
    if page < 512 or page & (page - 1):
        return f"pages of {page} bytes"
    return "it is cut off" if change == valid and pages * page > size else None

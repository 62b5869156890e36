"""Libraries of matrix kernels (rocBLAS, hipBLASLt, hipSPARSELt), which Tensile writes: files for one target each.

Names: Tensile/TensileCreateLibrary.py, hipblaslt/tensilelite (SolutionAdapter, check_dat_integrity), rocm-kpack
database_handlers.py. In `<library>/library/`, or in a folder for each target below it:

- `TensileLibrary_<type>_gfx1151.co`, `Kernels.so-000-gfx90a-xnack-.hsaco`, `extop_gfx1151.co`: code, as an ELF file or
  an offload bundle, compressed or not;
- `TensileLibrary_lazy_gfx1151.dat`, `TensileLibrary_<type>_gfx1151.dat`: which kernel is for which problem, in
  MessagePack (`.dat.zlib`: packed; `.yaml`: as text). The library opens the first one for a device, so that code
  without it is never found. `..._fallback.dat` holds for every target;
- `TensileLibrary.dat`: the same for all targets at once: the hardware predicates in it name them;
- `TensileLiteLibrary_lazy_Mapping.dat`, `hipblasltExtOpLibrary.dat`: names of files, by number and by target.

Code says what it is for; a name that says otherwise is a fault, since the library goes by names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

import msgspec

from .bundle import MARKS, codes_of
from .code_object import look
from .elf import MAGIC as ELF
from .forward import Forward
from .found import Found, merged
from .model import Code, Fault
from .msgpack import MalformedError, Values
from .named import target_named
from .source import Source
from .unpacking import spend

CODE = (".co", ".hsaco")
INDEX = (".dat", ".dat.zlib", ".yaml")
HELD = 32 << 20
"""Bytes of an index that are held at once; one that is larger is only searched."""
LARGEST_MAPPING = 8 << 20
MOST_SEARCHED = 1 << 30
_STEP = 1 << 20
_LONGEST = 96
"""Bytes of a predicate."""


def read(source: Source, path: str) -> Found | None:
    """What a file of such a library holds; None: it is none."""
    return _read(Forward.of(source), path, source.size, source) if _mine(path) else None


def read_forward(forward: Forward, path: str, size: int) -> Found | None:
    """The same from bytes that pass by. An ELF of code is left to who can hold parts of it: None."""
    if not _mine(path) or forward.peek(len(ELF)) == ELF:
        return None
    return _read(forward, path, size, None)


def _mine(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    if not name.endswith((*CODE, *INDEX)):
        return False
    return bool(_patterns().name.match(name) or _patterns().folder.search(f"/{folder}/"))


class _Patterns(msgspec.Struct, frozen=True):
    name: re.Pattern[str]
    folder: re.Pattern[str]
    revision: re.Pattern[str]
    packed: re.Pattern[bytes]
    plain: re.Pattern[bytes]


@cache
def _patterns() -> _Patterns:
    return _Patterns(
        re.compile(
            r"Tensile(?:Lite)?Library[_.]|Kernels\.so-\d|extop_gfx|hip(?:blas|sparse)lt(?:ExtOpLibrary|Transform)"
        ),
        re.compile(r"/(?:rocblas|hipblaslt|hipsparselt)/(?:[^/]+/)?library/"),
        re.compile(r"/(gfx[0-9]+[a-f]?v[0-9])/"),
        re.compile(rb"\xa4type\xa9Processor\xa5value[\xa0-\xbf](gfx[0-9a-z:+-]{3,29})"),
        re.compile(rb"type:\s{1,8}['\"]?Processor['\"]?,?\s{1,64}value:\s{1,8}['\"]?(gfx[0-9a-z:+-]{3,29})"),
    )


def _named(path: str) -> str | None:
    """Target by the file's name, or by a folder below `library`; the folder's revision is kept."""
    folder, _, name = path.rpartition("/")
    revision = _patterns().revision.search(f"/{folder}/")
    if revision is not None:
        return revision[1]
    return target_named(name) or target_named(folder.rpartition("/library/")[2])


def _read(forward: Forward, path: str, size: int, source: Source | None) -> Found:
    named = _named(path)
    if path.endswith(CODE):
        return _code(forward, path, named, source)
    chunks = _chunks(forward, packed=path.endswith(".zlib"))
    first = next(chunks, b"")
    if not first or not (path.endswith(".yaml") or _is_map(first)):
        return _wrong("it is no index: nothing, or no MessagePack", path)
    name = path.rpartition("/")[2]
    if "Mapping" in name or "ExtOpLibrary" in name:
        return _listed(first, chunks, named, size)
    return _index(first, chunks, path, named, size)


def _is_map(data: bytes) -> bool:
    return 0x80 <= data[0] <= 0x8F or data[0] in (0xDE, 0xDF)


def _wrong(detail: str, where: str) -> Found:
    return Found(kind="tensile", faults=(Fault(kind="damaged", where=where.rpartition("/")[2], detail=detail),))


def _code(forward: Forward, path: str, named: str | None, source: Source | None) -> Found:
    """Code tells its target itself."""
    head = forward.peek(max(map(len, MARKS)))
    if head[:4] == ELF and source is not None:
        code, faults = look(source)
        codes: tuple[Code, ...] = (code,) if code else ()
    elif head.startswith(MARKS):
        found = codes_of(forward)
        codes, faults = found.code, found.faults
    else:
        return _wrong("neither a code object nor an offload bundle", path)
    if named is None:
        return Found(kind="tensile", code=codes, faults=faults)
    if codes and not any(_agree(named, one.target) for one in codes):
        faults = (*faults, _contradiction(path, named, (one.target for one in codes)))
    elif named[-2:-1] == "v":
        codes = tuple(msgspec.structs.replace(one, target=named) for one in codes)
    return Found(kind="tensile", code=codes, faults=faults)


def _agree(named: str, target: str) -> bool:
    """Whether a name means this target: the same chip, revision aside, and no mode that is the other way round."""
    base, *modes = named.split(":")
    name, *others = target.split(":")
    opposite = {mode[:-1] + "+-"[mode.endswith("+")] for mode in modes}
    return name == (base[:-2] if base[-2:-1] == "v" else base) and opposite.isdisjoint(others)


def _contradiction(path: str, named: str, targets: Iterable[str]) -> Fault:
    detail = f"its name says {named}, it is for {', '.join(sorted(set(targets))[:8])}"
    return Fault(kind="damaged", where=path.rpartition("/")[2], detail=detail)


def _chunks(forward: Forward, *, packed: bool) -> Iterator[bytes]:
    """The content; of one that cannot be unpacked what came before that."""
    import zlib

    if not packed:
        while data := forward.read(HELD):
            yield data
        return
    engine = zlib.decompressobj()
    try:
        while not engine.eof and (data := engine.unconsumed_tail or forward.read(_STEP)):
            if piece := engine.decompress(data, _STEP):
                spend(len(piece))
                yield piece
    except zlib.error:
        return


def _index(first: bytes, chunks: Iterator[bytes], path: str, named: str | None, size: int) -> Found:
    """Whom an index serves: by its name; by its predicates where it has them."""
    name = path.rpartition("/")[2]
    if named is not None and "_lazy_" not in name:
        return _sound(first, path, size, (_library(named, size),))
    targets = _searched(first, chunks, yaml=path.endswith(".yaml"))
    if named is None:
        return _sound(
            first, path, size, tuple(_library(one, None if len(targets) > 1 else size) for one in sorted(targets))
        )
    found = _sound(first, path, size, (_library(named, size),))
    if targets and not any(_agree(named, one) for one in targets):
        return msgspec.structs.replace(found, faults=(*found.faults, _contradiction(path, named, targets)))
    return found


def _library(target: str, size: int | None, count: int = 1) -> Code:
    return Code(vendor="amd", target=target, form="library", count=count, size=size)


def _sound(first: bytes, path: str, size: int, codes: tuple[Code, ...]) -> Found:
    """With a fault, and without the code, where an index that is held as a whole is cut off."""
    if path.endswith(".dat") and len(first) == size and not _whole(first):
        return _wrong("it is cut off, or no MessagePack", path)
    return Found(kind="tensile", code=codes)


def _whole(data: bytes) -> bool:
    """Whether it is one value; nothing is built."""
    try:
        msgspec.msgpack.decode(data, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _searched(first: bytes, chunks: Iterator[bytes], *, yaml: bool) -> set[str]:
    """Targets in the hardware predicates of an index."""
    pattern = _patterns().plain if yaml else _patterns().packed
    found: set[str] = set()
    passed, held = 0, first
    while held and passed < MOST_SEARCHED and len(found) < 256:
        found.update(match.decode() for match in pattern.findall(held))
        passed += len(held)
        chunk = next(chunks, b"")
        held = held[-_LONGEST:] + chunk if chunk else b""
    return found


def _listed(first: bytes, chunks: Iterator[bytes], named: str | None, size: int) -> Found:
    """A list of files: how many there are for each target."""
    data = first
    while len(data) <= LARGEST_MAPPING and (chunk := next(chunks, b"")):
        data += chunk
    if len(data) > LARGEST_MAPPING:
        return Found(kind="tensile", faults=(Fault(kind="too-large", where="list of files", detail=f"{size} bytes"),))
    try:
        counts = _counted(Values(data))
    except MalformedError as wrong:
        return _wrong(str(wrong), "list of files")
    if named is not None and not counts:
        counts = {named: 1}
    return Found(kind="tensile", code=merged(_library(one, None, count) for one, count in counts.items()))


def _counted(values: Values) -> dict[str, int]:
    """`{0: "TensileLibrary_..._gfx1151"}` or `{"gfx1151": ...}`."""
    counts: dict[str, int] = {}
    for _ in range(values.map() or 0):
        key = values.text()
        found = target_named(key) if key else target_named(values.text() or "")
        if key:
            values.skip()
        if found and (found in counts or len(counts) < 256):
            counts[found] = counts.get(found, 0) + 1
    return counts

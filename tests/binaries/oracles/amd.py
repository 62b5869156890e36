"""What LLVM's tools say about AMD code: `clang-offload-bundler --list`, `llvm-readelf` on code objects."""

from __future__ import annotations

import mmap
import re
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from firstlight.binaries.model import Code

from .features import FEATURES
from .tools import ToolFailed, run

PLAIN, PACKED = b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB"
PAGE = 4096
"""The alignment that clang gives a bundle in `.hip_fatbin`."""
EM_AMDGPU = 224
AT_ONCE = 100
DEVICE = re.compile(r"(?:hip|hipv4|openmp)-amdgcn-amd-amdhsa-.*?-(gfx[^\s]+)")
SECTION = re.compile(r"\]\s+(\S+)\s+\S+\s+[0-9a-f]+\s+([0-9a-f]+)\s+([0-9a-f]+)\s")


def targets(path: Path) -> Counter[str] | None:
    """Each target with the number of its code objects; None if the file is nothing of AMD's."""
    with path.open("rb") as file:
        start = file.read(64)
    if start[:4] == b"\x7fELF":
        return _of_elf(path, start)
    if start.startswith((PLAIN, PACKED)):
        return _of_bundles(path, 0, path.stat().st_size)
    return _of_archive(path) if start.startswith(b"!<arch>\n") else None


def sections(path: Path, wanted: str) -> list[tuple[int, int]]:
    """Offset and size of each section of that name, as `llvm-readelf -S` tells."""
    text = run("llvm-readelf", ["-S", "-W", path])
    return [(int(at, 16), int(size, 16)) for name, at, size in SECTION.findall(text) if name == wanted]


def targets_of_objects(paths: Sequence[Path]) -> dict[Path, str]:
    """`gfx90a:sramecc+:xnack-` of each code object, from the flags that `llvm-readelf -h` names. Many at once: starting
    the tool takes longer than its work."""
    found: dict[Path, str] = {}
    for start in range(0, len(paths), AT_ONCE):
        some = paths[start : start + AT_ONCE]
        texts = run("llvm-readelf", ["-h", *some]).split("ELF Header:")[1:]
        if len(texts) != len(some):
            raise ToolFailed(f"{len(texts)} headers of {len(some)} files")
        found |= {path: _target(text) for path, text in zip(some, texts, strict=True)}
    return found


class Details(msgspec.Struct, frozen=True, kw_only=True):
    """What else is told of a code object."""

    version: int | None
    generic: int | None
    wave: int | None
    kernels: int | None
    registers: int | None
    lds: int | None

    @classmethod
    def of(cls, code: Code) -> Details:
        """Of our own record."""
        return cls(
            version=code.code_object_version,
            generic=code.generic_version,
            wave=code.wave,
            kernels=code.kernels,
            registers=code.registers,
            lds=code.lds,
        )


def details(path: Path) -> Details:
    """By `llvm-readelf --notes` and `-h`; of a file without kernels the last four are unknown or none."""
    text = run("llvm-readelf", ["-h", "--notes", path])
    abi = re.search(r"ABI Version:\s+(\d+)", text)
    generic = re.search(r"generic_v(\d+)", text)
    numbers = {key: [int(one) for one in re.findall(rf"\.{key}:\s+(\d+)", text)] for key in _NUMBERS}
    waves = set(numbers["wavefront_size"])
    return Details(
        version=int(abi[1]) + 2 if abi else None,
        generic=int(generic[1]) if generic else None,
        wave=waves.pop() if len(waves) == 1 else None,
        kernels=len(numbers["kernarg_segment_size"]),
        registers=max(numbers["vgpr_count"], default=None),
        lds=max(numbers["group_segment_fixed_size"], default=None),
    )


_NUMBERS = ("wavefront_size", "kernarg_segment_size", "vgpr_count", "group_segment_fixed_size")


def is_object(path: Path) -> bool:
    """Whether it is an ELF for an AMD GPU."""
    with path.open("rb") as file:
        start = file.read(20)
    return start[:4] == b"\x7fELF" and int.from_bytes(start[18:20], "little") == EM_AMDGPU


def _target(text: str) -> str:
    flags = [one.strip() for one in text.partition("Flags:")[2].splitlines()[0].split(",")]
    name = next((one for one in flags if one.startswith("gfx")), None)
    if name is None:
        raise ToolFailed(f"no target among {flags}")
    features = sorted(one for one in flags if re.fullmatch(r"(sramecc|xnack)[+-]", one))
    abi = re.search(r"ABI Version:\s+(\d+)", text)
    if abi and int(abi[1]) < 2:  # before version 4 a flag is there or not, and not there means that it is off
        having = FEATURES.get(name, "")
        flags = (
            flags if int(abi[1]) else [one for one in flags if one != "sramecc"]
        )  # version 2's ISA note cannot name it
        features = [
            f"{one}{'+' if one in flags else '-'}" for one in ("sramecc", "xnack") if one[0] in having or one in flags
        ]
    return ":".join([name, *features])


def pieces(path: Path, offset: int, size: int, folder: Path) -> Iterator[Path]:
    """Each bundle of a stretch as a file of its own: the bundler lists only one."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        starts = _starts(data, offset, offset + size)
        for number, (begin, end) in enumerate(zip(starts, [*starts[1:], offset + size], strict=True)):
            piece = folder / f"{number}.bundle"
            piece.write_bytes(data[begin : _end(data, begin, end)])
            yield piece
            piece.unlink()


def _of_elf(path: Path, start: bytes) -> Counter[str] | None:
    if int.from_bytes(start[18:20], "little") == EM_AMDGPU:
        return Counter(targets_of_objects([path]).values())
    counted: Counter[str] = Counter()
    names = {name for name, _, _ in SECTION.findall(run("llvm-readelf", ["-S", "-W", path]))}
    for offset, size in sections(path, ".hip_fatbin"):
        counted += _of_bundles(path, offset, size)
    if ".llvm.offloading" in names:
        counted.update(_offloading(path))
    if any(name.startswith(PLAIN.decode()) for name in names):
        listed = run("clang-offload-bundler", ["--list", "--type=o", f"--input={path}"])
        counted.update(DEVICE.findall(listed))
    return counted or None


def _offloading(path: Path) -> list[str]:
    """Of `llvm-objdump --offloading`, in a folder of its own since it writes what it finds."""
    with tempfile.TemporaryDirectory() as folder:
        return re.findall(
            r"^arch\s+(gfx\S+)$", run("llvm-objdump", ["--offloading", path.resolve()], Path(folder)), re.MULTILINE
        )


def _of_archive(path: Path) -> Counter[str] | None:
    counted: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        run("llvm-ar", ["x", path.resolve()], Path(folder))
        for member in sorted(Path(folder).iterdir()):
            counted += targets(member) or Counter()
    return counted or None


def _of_bundles(path: Path, offset: int, size: int) -> Counter[str]:
    counted: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for piece in pieces(path, offset, size, Path(folder)):
            counted.update(DEVICE.findall(_listed(piece)))
    return counted


def _listed(piece: Path) -> str:
    """LLVM before 21 knows no version 3 of compressed bundles: it gets the same bundle unpacked."""
    arguments = ["--list", "--type=o", f"--input={piece}"]
    try:
        return run("clang-offload-bundler", arguments)
    except ToolFailed:
        data = piece.read_bytes()
        if data[:6] != PACKED + b"\3\0":
            raise
        piece.write_bytes(_unpacked(data))
        return run("clang-offload-bundler", arguments)


def _unpacked(data: bytes) -> bytes:
    """Of version 3: magic; version and method, 2 bytes each; whole size, plain size and hash, 8 bytes each."""
    import zstandard

    method = int.from_bytes(data[6:8], "little")
    return zstandard.ZstdDecompressor().decompress(data[32:]) if method else zlib.decompress(data[32:])


def _starts(data: mmap.mmap, begin: int, end: int) -> list[int]:
    found = {at for magic in (PLAIN, PACKED) for at in _occurrences(data, magic, begin, end) if not (at - begin) % PAGE}
    return sorted(found)


def _occurrences(data: mmap.mmap, magic: bytes, begin: int, end: int) -> Iterator[int]:
    at = data.find(magic, begin, end)
    while at >= 0:
        yield at
        at = data.find(magic, at + 1, end)


def _end(data: mmap.mmap, begin: int, limit: int) -> int:
    """Padding after a compressed bundle disturbs the decompressor: versions 2 and 3 tell their length."""
    if data[begin : begin + 4] != PACKED:
        return limit
    version = int.from_bytes(data[begin + 4 : begin + 6], "little")
    length = {2: 4, 3: 8}.get(version)
    return begin + int.from_bytes(data[begin + 8 : begin + 8 + length], "little") if length else limit

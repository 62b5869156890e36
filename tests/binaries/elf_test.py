"""ELF headers, sections and needs: against readelf on this machine's own libraries, and against what lies."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.binaries import elf as elves
from firstlight.binaries.elf import NOBITS, Elf, read_elf, read_header
from firstlight.binaries.model import Fault, Needs
from firstlight.binaries.needs import needs_of, read_needs
from firstlight.binaries.source import Held

NAMES = b"\0.text\0.bss\0.strings\0.shstrtab\0.dynamic\0.gnu.version_r\0"
VERSIONS = ("GLIBC_2.2.5", "GLIBC_2.34", "GLIBC_2.9", "GLIBCXX_3.4.30", "GLIBC_PRIVATE")
SEARCH = "$ORIGIN/../lib:/opt"
STRINGS = "\0".join(("", "libhip.so.7", "libc.so.6", *VERSIONS, "me.so", SEARCH, "")).encode()


def string(text: str) -> int:
    return STRINGS.index(b"\0" + text.encode() + b"\0") + 1


class Layout:
    """One class and byte order."""

    def __init__(self, bits: int, order: str) -> None:
        self.bits, self.order = bits, order
        self.wide = bits == 64

    def pack(self, form: str, *values: int) -> bytes:
        return struct.pack(self.order + form, *values)

    def segment(self, kind: int, offset: int, size: int) -> bytes:
        if self.wide:
            return self.pack("IIQQQQQQ", kind, 4, offset, 0x1000 + offset, 0, size, size, 8)
        return self.pack("IIIIIIII", kind, offset, 0x1000 + offset, 0, size, size, 4, 8)

    def section(self, name: bytes, kind: int, offset: int, size: int) -> bytes:
        form = "IIQQQQIIQQ" if self.wide else "IIIIIIIIII"
        return self.pack(form, NAMES.index(name + b"\0"), kind, 0, 0x1000 + offset, offset, size, 0, 0, 1, 0)

    def header(self, machine: int, segments: Sequence[bytes], *, table: int, count: int, names: int) -> bytes:
        ident = b"\x7fELF" + bytes((2 if self.wide else 1, 1 if self.order == "<" else 2, 1)) + b"\0" * 9
        size, start = (64, 56) if self.wide else (52, 32)
        form = "HHIQQQIHHHHHH" if self.wide else "HHIIIIIHHHHHH"
        at = size if segments else 0
        row = 64 if self.wide else 40
        rest = self.pack(form, 3, machine, 1, 0, at, table, 0, size, start, len(segments), row, count, names)
        return ident + rest + b"".join(segments)


def library(bits: int = 64, order: str = "<", machine: int = 62, *, versions: bytes | None = None) -> bytes:
    """A shared library with needs."""
    layout = Layout(bits, order)
    start = (64 + 2 * 56) if layout.wide else (52 + 2 * 32)
    need = layout.pack("HHIII", 1, 4, string("libc.so.6"), 16, 80)
    need += b"".join(
        layout.pack("IHHII", 0, 0, 2, string(one), 16) for one in ("GLIBC_2.9", "GLIBC_2.34", "GLIBC_2.2.5")
    )
    need += layout.pack("IHHII", 0, 0, 2, string("GLIBC_PRIVATE"), 0)
    need += layout.pack("HHIII", 1, 1, string("libhip.so.7"), 16, 0)
    need += layout.pack("IHHII", 0, 0, 2, string("GLIBCXX_3.4.30"), 0)
    need = need if versions is None else versions
    places = {"strings": start, "needs": start + len(STRINGS)}
    tags = [
        (1, string("libhip.so.7")), (1, string("libc.so.6")), (14, string("me.so")), (29, string(SEARCH)),
        (5, 0x1000 + places["strings"]), (10, len(STRINGS)), (0x6FFFFFFE, 0x1000 + places["needs"]), (0x6FFFFFFF, 2),
        (0, 0), (1, 3),
    ]  # fmt: skip
    dynamic = b"".join(layout.pack("qQ" if layout.wide else "iI", tag, value) for tag, value in tags)
    at = places["needs"] + len(need)
    content = STRINGS + need + dynamic + NAMES
    rows = [
        layout.section(b"", 0, 0, 0),
        layout.section(b".text", 1, start, 4),
        layout.section(b".bss", NOBITS, start, 1 << 30),
        layout.section(b".dynamic", 6, at, len(dynamic)),
        layout.section(b".shstrtab", 3, at + len(dynamic), len(NAMES)),
    ]
    table = start + len(content)
    segments = [layout.segment(1, 0, table), layout.segment(2, at, len(dynamic))]
    return layout.header(machine, segments, table=table, count=len(rows), names=4) + content + b"".join(rows)


def read(data: bytes) -> Elf:
    elf = read_elf(Held(data))
    assert isinstance(elf, Elf), elf
    return elf


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("order", ["<", ">"])
def test_headers_sections_and_needs_of_every_class(bits: int, order: str) -> None:
    data = library(bits, order)
    elf = read(data)
    assert (elf.machine, elf.kind, elf.bits, elf.order) == ("x86_64", "dyn", bits, order)
    assert [one.name for one in elf.sections] == ["", ".text", ".bss", ".dynamic", ".shstrtab"]
    assert elf.section(".bss") is None
    assert elf.section(".nothing") is None
    text = elf.section(".text")
    assert text
    assert (text.size, text.address) == (4, 0x1000 + text.offset)
    assert read_needs(Held(data), elf) == (
        Needs(
            machine="x86_64",
            soname="me.so",
            libraries=("libhip.so.7", "libc.so.6"),
            search=("$ORIGIN/../lib", "/opt"),
            glibc="2.34",
            glibcxx="3.4.30",
        ),
        (),
    )


@pytest.mark.parametrize(
    ("machine", "name"),
    [(183, "aarch64"), (224, "amdgpu"), (190, "cuda"), (243, "riscv64"), (21, "ppc64le"), (999, "em-999")],
)
def test_names_of_machines(machine: int, name: str) -> None:
    assert read(library(machine=machine)).machine == name


def test_every_truncation_is_a_fault() -> None:
    whole = library()
    for end in range(len(whole)):
        assert isinstance(read_elf(Held(whole[:end])), Fault), end
        header = read_header(Held(whole[:end]))
        assert isinstance(header, Fault) == (end < 64 + 2 * 56)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (4, b"\3"),
        (5, b"\0"),
        (0, b"MZ"),
        (54, b"\x37\0"),
        (56, b"\xff\xff"),
        (58, b"\x10\0"),
        (32, b"\xff" * 8),
        (40, b"\xff" * 8),
    ],
)
def test_headers_that_lie_are_faults(place: int, value: bytes) -> None:
    data = bytearray(library())
    data[place : place + len(value)] = value
    assert isinstance(read_elf(Held(bytes(data))), Fault)


def test_more_sections_than_anyone_has() -> None:
    """More than 65,279: the number stands in the first section header."""
    layout = Layout(64, "<")
    names = layout.section(b".shstrtab", 3, 64, len(NAMES))
    for count, kind in ((70_000, Elf), (elves.MOST_SECTIONS + 1, Fault)):
        first = layout.pack("IIQQQQIIQQ", 0, 0, 0, 0, 0, count, 1, 0, 0, 0)
        head = layout.header(62, (), table=64 + len(NAMES), count=0, names=0xFFFF)
        data = head + NAMES + first + names + layout.section(b".text", 1, 64, 1) * (70_000 - 2)
        found = read_elf(Held(data))
        assert isinstance(found, kind)
        if isinstance(found, Elf):
            assert len(found.sections) == count
            assert found.section(".text")


def test_names_that_are_long_or_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    data = library()
    place = data.index(NAMES)
    longer = data[: place + 1] + b"x" * 600 + data[place + 601 :]
    assert isinstance(read_elf(Held(longer)), Elf | Fault)
    monkeypatch.setattr(elves, "MOST_NAMES", 4)
    assert [one.name for one in read(data).sections] == ["", ".text", ".bss", ".dynamic", ".shstrtab"]
    table = len(data) - 5 * 64
    wrong = bytearray(data)
    wrong[table + 64 : table + 68] = b"\xff" * 4
    assert read(bytes(wrong)).sections[1].name == ""


def test_needs_that_are_damaged_are_said() -> None:
    whole = library()
    place = whole.index(struct.pack("<qQ", 14, string("me.so")))
    data = bytearray(whole)
    data[place + 8 : place + 16] = b"\xff" * 8
    needs, faults = read_needs(Held(bytes(data)), read(bytes(data)))
    assert (needs.soname, needs.libraries) == (None, ("libhip.so.7", "libc.so.6"))
    assert [one.where for one in faults] == ["dynamic section"]
    place = whole.index(struct.pack("<qQ", 0x6FFFFFFE, 0)[:8])
    data = bytearray(whole)
    data[place + 8 : place + 16] = b"\xff" * 8
    needs, faults = read_needs(Held(bytes(data)), read(bytes(data)))
    assert (needs.glibc, [one.where for one in faults]) == (None, ["needed versions"])
    assert needs_of(Held(bytes(data)), read(bytes(data))) == needs


@pytest.mark.parametrize("step", [0, 1, 4, 16])
def test_versions_that_lead_into_each_other_end_soon(step: int) -> None:
    layout = Layout(64, "<")
    ring = (layout.pack("HHIII", 1, 0xFFFF, 1, 16, step) + layout.pack("IHHII", 0, 0, 2, 1, step)) * 3000
    data = library(versions=ring)
    assert needs_of(Held(data), read(data)).glibc is None


def test_a_file_without_needs() -> None:
    data = library()
    plain = Layout(64, "<").header(62, (), table=0, count=0, names=0)
    assert read_needs(Held(plain), read(plain)) == (Needs(machine="x86_64"), ())
    cut = read(data)
    assert read_needs(Held(data[:200]), cut)[1]


@given(st.binary(max_size=120), st.integers(0, 900))
def test_any_bytes_are_a_value_or_a_fault(noise: bytes, place: int) -> None:
    whole = library()
    data = Held(whole[:place] + noise + whole[place + len(noise) :])
    elf = read_elf(data)
    if isinstance(elf, Elf):
        assert isinstance(needs_of(data, elf), Needs)


READELF = shutil.which("readelf") or shutil.which("llvm-readelf")
WANTED = ("libstdc++.so.6", "libc.so.6", "libm.so.6", "libssl.so.*", "libcrypto.so.*", "libz.so.1")
FOLDERS = [
    folder for top in ("/lib", "/usr/lib", "/usr/lib64") for folder in (Path(top), *Path(top).glob("*-linux-gnu*"))
]
LIBRARIES = {path.resolve() for folder in FOLDERS for name in WANTED for path in folder.glob(name)}


@pytest.mark.skipif(READELF is None, reason="no readelf here")
@pytest.mark.parametrize("path", sorted({*LIBRARIES, Path(sys.executable).resolve()}), ids=lambda path: path.name)
def test_as_readelf_says(path: Path) -> None:
    data = Held(path.read_bytes())
    elf = read_elf(data)
    if isinstance(elf, Fault):
        pytest.skip(f"{path.name} is a linker script")
    needs, faults = read_needs(data, elf)
    assert faults == ()
    run = [READELF or "", "-W", "-S", "-d", "-V", str(path)]
    said = subprocess.run(run, capture_output=True, text=True, check=True, env={"LC_ALL": "C"}).stdout
    sections = re.findall(r"^ *\[ *[0-9]+\] (\S+) +(\S+) +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)", said, re.MULTILINE)
    ours = [(one.name, one.offset, one.size) for one in elf.sections if one.name]
    assert [(name, int(offset, 16), int(size, 16)) for name, _, offset, size in sections] == ours
    assert list(needs.libraries) == re.findall(r"\(NEEDED\).*\[(.*)\]", said)
    assert needs.soname == next(iter(re.findall(r"\(SONAME\).*\[(.*)\]", said)), None)
    versions = said.partition("Version needs")[2]
    for prefix, ours_newest in (("GLIBC_", needs.glibc), ("GLIBCXX_", needs.glibcxx)):
        found = re.findall(rf"Name: {prefix}([0-9.]+) ", versions)
        newest = max(found, key=lambda text: [int(part) for part in text.split(".")], default=None)
        assert ours_newest == newest

"""Offload bundles, plain and compressed, in sections and files; against clang's own tools where they are there."""

from __future__ import annotations

import shutil
import struct
import subprocess
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.binaries import bundle, offload_binary
from firstlight.binaries.bundle import Entry, codes, codes_of, embedded, target_of, walk
from firstlight.binaries.elf import Elf, read_elf
from firstlight.binaries.forward import Forward
from firstlight.binaries.found import Found
from firstlight.binaries.model import Fault
from firstlight.binaries.source import Held, Part

from .amd_files import MAGIC, code_object, compressed, kernel, metadata
from .amd_files import bundle as bundled

HIP = "hipv4-amdgcn-amd-amdhsa--"
GFX1151 = code_object(0x4A, notes=metadata([kernel(registers=24)], "gfx1151"), size=6000)
GFX90A = code_object(0x63F, notes=metadata([kernel(wave=64)], "gfx90a:xnack-"), size=5000)
GENERIC = code_object(0x01000054, abi=4, notes=metadata([kernel(), kernel()], "gfx11-generic"), size=7000)
ALL = bundled([(f"{HIP}gfx1151", GFX1151), (f"{HIP}gfx90a:xnack-", GFX90A), (f"{HIP}gfx11-generic", GENERIC)])
TARGETS = ["gfx11-generic", "gfx1151", "gfx90a:xnack-"]
CONTAINERS = {
    "plain": ALL,
    "tight": bundled(
        [(f"{HIP}gfx1151", GFX1151), (f"{HIP}gfx90a:xnack-", GFX90A), (f"{HIP}gfx11-generic", GENERIC)], 1
    ),
    **{f"{method}-{version}": compressed(ALL, version, method) for version in (1, 2, 3) for method in ("zlib", "zstd")},
}


def targets(found: Found) -> list[str]:
    return [one.target for one in found.code]


def kinds(found: Found) -> list[str]:
    return [one.kind for one in found.faults]


def test_code_for_other_vendors_is_none_of_ours() -> None:
    spirv = [("sycl-spir64_gen", b"any"), ("sycl-spir64", b"thing"), ("openmp-spirv64-intel", b"else")]
    found = codes(Held(bundled([*spirv, (f"{HIP}gfx1151", GFX1151)])))
    assert (targets(found), found.faults) == (["gfx1151"], ())


@pytest.mark.parametrize("form", CONTAINERS)
def test_what_a_bundle_holds(form: str) -> None:
    found = codes(Held(CONTAINERS[form]))
    assert found.faults == ()
    assert targets(found) == TARGETS
    generic, strix, instinct = found.code
    assert (generic.code_object_version, generic.generic_version, generic.kernels) == (6, 1, 2)
    assert (strix.registers, strix.wave, instinct.wave) == (24, 32, 64)
    packed = form not in ("plain", "tight")
    assert found.kind == ("compressed-bundle" if packed else "offload-bundle")
    assert strix.size == (None if packed else 6000)


@pytest.mark.parametrize("gap", [0, 1, 4096])
@pytest.mark.parametrize("form", CONTAINERS)
def test_many_bundles_one_after_another(form: str, gap: int) -> None:
    one = CONTAINERS[form] + b"\0" * gap
    found = codes(Held(one * 3))
    assert found.faults == ()
    assert [code.count for code in found.code] == [3, 3, 3]
    assert found.code[1].kernels == 3


@pytest.mark.parametrize("form", CONTAINERS)
@pytest.mark.parametrize("length", [1, 333, 1 << 16])
def test_bytes_that_pass_by_tell_the_same(form: str, length: int) -> None:
    data = CONTAINERS[form] * 2
    chunks = (data[at : at + length] for at in range(0, len(data), length))
    assert codes_of(Forward(chunks)) == codes(Held(data))


def test_order_and_place_of_entries() -> None:
    found = [one for one in walk(Forward.of(Held(b"\0" * 4096 + ALL))) if isinstance(one, Entry)]
    assert [one.id for one in found] == [f"{HIP}gfx1151", f"{HIP}gfx90a:xnack-", f"{HIP}gfx11-generic"]
    assert {(one.offset, one.packed) for one in found} == {(4096, False)}


@pytest.mark.parametrize(
    ("id", "target"),
    [
        ("hip-amdgcn-amd-amdhsa--gfx906", ("amd", "gfx906")),
        ("hip-amdgcn-amd-amdhsa-gfx906", ("amd", "gfx906")),
        ("hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-:sramecc+", ("amd", "gfx90a:sramecc+:xnack-")),
        ("hipv4-amdgcn-amd-amdhsa-unknown-gfx1151", ("amd", "gfx1151")),
        ("hipv4-amdgcn-amd-amdhsa--gfx9-4-generic:xnack+", ("amd", "gfx9-4-generic:xnack+")),
        ("hipv4-amdgcn-amd-amdhsa--gfx12-5-generic", ("amd", "gfx12-5-generic")),
        ("hip-spirv64-amd-amdhsa-unknown-amdgcnspirv", ("amd", "amdgcnspirv")),
        ("openmp-amdgcn-amd-amdhsa--gfx90c", ("amd", "gfx90c")),
        ("openmp-nvptx64-nvidia-cuda--sm_90a", ("nvidia", "sm_90a")),
        ("openmp-amdgcn-amd-amdhsa", None),
        ("hip-amdgcn-amd-amdhsa--gfx", None),
        ("hip-amdgcn-amd-amdhsa--gfx90a:xnack", None),
        ("gfx906", None),
        ("", None),
    ],
)
def test_targets_in_ids(id: str, target: tuple[str, str] | None) -> None:
    assert target_of(id) == target


def test_what_entries_hold() -> None:
    entries = [
        (f"{HIP}gfx906", b"BC\xc0\xde" + b"\0" * 90),
        (f"{HIP}gfx908", b"\xde\xc0\x17\x0b" + b"\0" * 90),
        ("hip-spirv64-amd-amdhsa--amdgcnspirv", b"\x03\x02\x23\x07" + b"\0" * 90),
        ("openmp-nvptx64-nvidia-cuda--sm_90", b"\x7fELF" + b"\0" * 90),
        (f"{HIP}gfx1010", b"text"),
        (f"{HIP}gfx1011", b""),
        ("hip-amdgcn-amd-amdhsa", GFX1151),
    ]
    found = codes(Held(bundled(entries)))
    assert {(one.target, one.form) for one in found.code} == {
        ("gfx906", "bitcode"), ("gfx908", "bitcode"), ("amdgcnspirv", "spirv"), ("sm_90", "cubin"),
    }  # fmt: skip
    assert kinds(found) == ["unknown-form"] * 3


def test_an_entry_whose_code_is_for_another_chip_does_not_count() -> None:
    found = codes(Held(bundled([(f"{HIP}gfx1100", GFX1151)])))
    assert found.code == ()
    assert "gfx1151" in found.faults[0].detail


def test_code_with_a_mode_that_its_name_does_not_have_is_said() -> None:
    found = codes(Held(bundled([(f"{HIP}gfx90a:xnack+", GFX90A)])))
    assert kinds(found) == ["damaged"]
    either = code_object(0x53F, notes=metadata([kernel(wave=64)], "gfx90a"))
    found = codes(Held(bundled([(f"{HIP}gfx90a:xnack+", either)])))
    assert (targets(found), found.faults) == (["gfx90a:xnack+"], ())


def test_a_chip_that_is_not_known_goes_by_the_name_in_the_bundle() -> None:
    found = codes(Held(bundled([(f"{HIP}gfx1399", code_object(0xFE))])))
    assert (targets(found), found.faults) == (["gfx1399"], ())


def test_of_many_compressed_bundles_only_tables_are_unpacked_beyond_a_limit() -> None:
    data = compressed(ALL) * 3
    found = codes(Held(data), most=2 * len(ALL))
    assert found.faults == ()
    assert sum(one.count for one in found.code if one.code_object_version) == 6
    tables = [one for one in found.code if one.code_object_version is None]
    assert [(one.target, one.count, one.kernels) for one in tables] == [(target, 1, None) for target in TARGETS]


@pytest.mark.parametrize("form", CONTAINERS)
def test_every_truncation_is_a_fault(form: str) -> None:
    data = CONTAINERS[form]
    for end in {*range(4, 400), *range(400, len(data) - 1, 997), len(data) - 1} & set(range(len(data))):
        found = codes(Held(data[:end]))
        whole = end >= len(bundle.MAGIC) or form not in ("plain", "tight")
        assert bool(found.faults) == whole, end
        assert set(targets(found)) <= set(TARGETS)


def test_a_damaged_bundle_does_not_hide_the_next() -> None:
    broken = bytearray(CONTAINERS["zstd-3"])
    broken[60:64] = b"\xff" * 4
    none = MAGIC + struct.pack("<Q", 1 << 40)
    text = MAGIC + b"__START__ hip-amdgcn-amd-amdhsa--gfx906"
    for first in (bytes(broken), none, text, b"CCOB\x09\0\x01\0", MAGIC + struct.pack("<QQQQ", 1, 0, 0, 1 << 33)):
        found = codes(Held(first + b"\0" * 100 + ALL))
        assert targets(found) == TARGETS
        assert found.faults


def table(rows: list[tuple[int, int]]) -> bytes:
    ids = [f"{HIP}gfx1151".encode()] * len(rows)
    parts = (struct.pack("<QQQ", offset, size, len(id)) + id for (offset, size), id in zip(rows, ids, strict=True))
    return MAGIC + struct.pack("<Q", len(rows)) + b"".join(parts)


@pytest.mark.parametrize(
    "rows", [[(1 << 63, 1 << 63)], [(0, 100)], [(4096, 1 << 50)], [(4096, 6000)] * 4, [(4096, 6000), (4200, 100)]]
)
def test_entries_that_lie_about_their_place(rows: list[tuple[int, int]]) -> None:
    found = codes(Held(table(rows).ljust(4096, b"\0") + GFX1151))
    assert "damaged" in kinds(found)
    assert sum(one.count for one in found.code) <= 1


def test_thousands_of_bundles_of_nothing_take_little() -> None:
    data = Held((MAGIC + struct.pack("<Q", 0)) * 5_000 + (MAGIC + b"\xff" * 8) * 5_000)
    tracemalloc.start()
    found = codes(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found.faults) == 65
    assert peak < 4 << 20


def test_a_bomb_inside_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firstlight.binaries.compressed.FREE", 1 << 20)
    far = table([(4096, 100), (64 << 20, 100)]).ljust(65 << 20, b"\0")
    found = codes(Held(compressed(far)))
    assert "too-large" in kinds(found)


def test_a_bundle_in_a_bundle_is_not_opened() -> None:
    found = codes(Held(compressed(compressed(ALL))))
    assert (targets(found), kinds(found)) == ([], ["unknown-form"])


def test_600_mib_are_walked_without_being_read() -> None:
    size = 60 << 20
    rows = [(4096 + number * size, size) for number in range(10)]

    class Sparse:
        """Ten entries of 60 MiB of which only headers exist."""

        size = 4096 + 10 * (60 << 20)
        read_bytes = 0

        def read(self, offset: int, length: int) -> bytes:
            length = max(0, min(length, self.size - offset))
            self.read_bytes += length
            data = bytearray(length)
            for place, part in [(0, table(rows)), *((row[0], GFX1151) for row in rows)]:
                start, end = max(place, offset), min(place + len(part), offset + length)
                if start < end:
                    data[start - offset : end - offset] = part[start - place : end - place]
            return bytes(data)

    source = Sparse()
    found = codes(source)
    assert (found.code[0].count, found.code[0].size, found.faults) == (10, 10 * size, ())
    assert source.read_bytes < 10 * (256 << 10)


@given(st.binary(max_size=60), st.integers(0, 500), st.sampled_from(sorted(CONTAINERS)))
def test_any_bytes_are_values_and_faults(noise: bytes, place: int, form: str) -> None:
    whole = CONTAINERS[form]
    found = codes(Held(whole[:place] + noise + whole[place + len(noise) :]))
    assert all(one.form in ("code-object", "bitcode", "spirv", "cubin") for one in found.code)


CLANG = next((path for path in ("clang-20", "clang-19") if shutil.which(path)), None)
BUNDLER = next((path for path in ("clang-offload-bundler-20", "clang-offload-bundler-19") if shutil.which(path)), None)
HIP_SOURCE = """
typedef unsigned long size_t;
struct dim3 { unsigned x, y, z; };
extern "C" int hipLaunchKernel(const void*, dim3, dim3, void**, size_t, void*);
extern "C" int __hipPushCallConfiguration(dim3, dim3, size_t, void*);
extern "C" int __hipPopCallConfiguration(dim3*, dim3*, size_t*, void*);
extern "C" __attribute__((global)) void k(float* o) { o[0] = 1.0f; }
"""
CHIPS = ("gfx906:sramecc+:xnack-", "gfx90a:xnack+", "gfx942", "gfx1030", "gfx1151", "gfx1201")


def compiled(folder: Path, *options: str) -> tuple[Held, Elf]:
    """An object that clang makes of a HIP source."""
    (folder / "k.hip").write_text(HIP_SOURCE)
    chips = [f"--offload-arch={chip}" for chip in CHIPS]
    run = [CLANG or "", "-x", "hip", "-nogpulib", "-nogpuinc", *chips, *options, "-c", "k.hip", "-o", "k.o"]
    subprocess.run(run, cwd=folder, check=True)
    data = Held((folder / "k.o").read_bytes())
    elf = read_elf(data)
    assert isinstance(elf, Elf)
    return data, elf


def section(data: Held, elf: Elf, name: str) -> Part:
    found = elf.section(name)
    assert found
    return Part(data, found.offset, found.size)


def listed(path: Path) -> list[str]:
    """Targets that clang's own tool finds."""
    run = [BUNDLER or "", "-list", "-type=o", f"-input={path}"]
    ids = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    return sorted(id.rpartition("--")[2] for id in ids if not id.startswith("host"))


needs_clang = pytest.mark.skipif(CLANG is None or BUNDLER is None, reason="no clang 19 here")


@needs_clang
@pytest.mark.parametrize("options", [(), ("--offload-compress",)])
def test_as_clang_makes_them(options: tuple[str, ...], tmp_path: Path) -> None:
    part = section(*compiled(tmp_path, "--no-offload-new-driver", *options), ".hip_fatbin")
    (tmp_path / "section").write_bytes(part.read(0, part.size))
    found = codes(part)
    assert found.faults == ()
    assert sorted(targets(found)) == listed(tmp_path / "section") == sorted(CHIPS)
    assert {one.kernels for one in found.code} == {1}
    assert found.kind == ("compressed-bundle" if options else "offload-bundle")


@needs_clang
def test_relocatable_code_lies_in_sections_of_its_own(tmp_path: Path) -> None:
    data, elf = compiled(tmp_path, "--no-offload-new-driver", "-fgpu-rdc")
    found = embedded(data, elf)
    assert found.faults == ()
    assert sorted(targets(found)) == listed(tmp_path / "k.o")
    assert {one.form for one in found.code} == {"bitcode"}


@needs_clang
def test_offload_binaries_before_they_are_linked(tmp_path: Path) -> None:
    data, elf = compiled(tmp_path, "--offload-new-driver", "-fgpu-rdc")
    part = section(data, elf, offload_binary.SECTION)
    found = offload_binary.codes_of(Forward.of(part))
    assert (sorted(targets(found)), found.faults) == (sorted(CHIPS), ())
    whole = part.read(0, part.size)
    for end in range(8, len(whole), 61):
        assert offload_binary.codes_of(Forward.of(Held(whole[:end]))).faults


def offload(images: list[tuple[int, int, str, bytes]], version: int = 2) -> bytes:
    """An offload binary by hand: (kind, flags, arch, image)."""
    width = 16 if version == 1 else 24
    start = 32 + 40 * len(images)
    entries, rest = b"", b""
    for kind, flags, arch, image in images:
        place = start + len(rest)
        texts = b"arch\0" + arch.encode() + b"\0"
        row = struct.pack("<QQQ", place + width, place + width + 5, len(arch))[:width]
        entries += struct.pack("<HHIQQQQ", kind, 4, flags, place, 1, place + width + len(texts), len(image))
        rest += row + texts + image
    size = start + len(rest)
    return MAGIC_BINARY + struct.pack("<IQQQ", version, size, 32, 40 if version == 1 else len(images)) + entries + rest


MAGIC_BINARY = offload_binary.MAGIC


@pytest.mark.parametrize("version", [1, 2])
def test_offload_binaries_of_both_versions(version: int) -> None:
    one = offload([(1, 0, "gfx1151", GFX1151)], version).ljust(8000, b"\0")
    found = offload_binary.codes_of(Forward.of(Held(one * 2)))
    assert (targets(found), found.code[0].count, found.faults) == (["gfx1151"], 2, ())


def test_what_offload_binaries_hold() -> None:
    images = [
        (5, 0, "sm_90", b".version"),
        (3, 0, "sm_80", b"\x7fELF"),
        (1, 1, "gfx906", b""),
        (1, 0, "what", b"x"),
        (6, 0, "amdgcnspirv", b"\x03\x02\x23\x07"),
        (1, 0, "gfx1100", GFX1151),
        (4, 0, "sm_70", b"none"),
    ]
    found = offload_binary.codes_of(Forward.of(Held(offload(images))))
    assert {(one.target, one.form) for one in found.code} == {
        ("compute_90", "ptx"), ("sm_80", "cubin"), ("amdgcnspirv", "spirv"),
    }  # fmt: skip
    assert {"unknown-form", "damaged"} <= set(kinds(found))


@given(st.binary(max_size=40), st.integers(0, 200))
def test_any_offload_binary_is_values_and_faults(noise: bytes, place: int) -> None:
    whole = offload([(1, 0, "gfx1151", GFX1151), (1, 0, "gfx90a:xnack-", GFX90A)])
    found = offload_binary.codes_of(Forward.of(Held(whole[:place] + noise + whole[place + len(noise) :])))
    assert not any(isinstance(one, Fault) for one in found.code)

from __future__ import annotations

import lzma
import struct
import zipfile

import pytest

from firstlight.binaries.aotriton import read, read_forward
from firstlight.binaries.forward import Forward
from firstlight.binaries.found import Found
from firstlight.binaries.source import Held

from .archives_written import aks2, code_object, flat_zip

FOLDER = "torch/lib/aotriton.images/amd-"
NAME = "attn_fwd-Sig-F__\uff0abf16@16_16_F_F_0_0__P__0_2_32_16_False__CO__wave3_warp2_stg1--Arch_"


def found_in(data: bytes, pack: str, name: str = "flash/attn_fwd/FONLY__x.aks2") -> Found:
    found = read(Held(data), f"{FOLDER}{pack}/{name}")
    assert found is not None
    assert found.kind == "aotriton"
    return found


def brief(found: Found) -> list[tuple[str, int]]:
    return [(one.target, one.count) for one in found.code]


def test_a_pack_of_several_targets_names_each() -> None:
    images = [(NAME + one, code_object(one)) for one in ("gfx1100", "gfx1151", "gfx1151")]
    found = found_in(aks2([*images, (NAME + "gfx1150", b"")]), "gfx11xx")
    assert brief(found) == [("gfx1100", 1), ("gfx1151", 2)]
    assert not found.faults
    code = found.code[1]
    assert (code.form, code.kernels, code.lds, code.size) == ("code-object", 2, 4096, None)


def test_a_kernel_that_could_not_be_compiled_is_none() -> None:
    assert found_in(aks2([(NAME + "gfx942", b"")]), "gfx942").code == ()


def test_names_without_target_in_the_folder_of_one() -> None:
    data = aks2([("fmha_fwd_hd128_bf16", code_object("gfx942")), ("fmha_bwd", code_object("gfx942"))])
    (code,) = found_in(data, "gfx942").code
    assert (code.target, code.count, code.size) == ("gfx942", 2, len(data))


def test_names_without_target_in_a_pack() -> None:
    data = aks2([("P__64_64", code_object("gfx1100")), ("P__128_64", code_object("gfx1151"))])
    assert brief(found_in(data, "gfx11xx")) == [("gfx1100", 1), ("gfx1151", 1)]


def test_a_pack_that_is_too_large_to_look_through() -> None:
    data = bytearray(aks2([("P__64_64", code_object("gfx1100"))]))
    struct.pack_into("<I", data, 4, 1 << 30)
    found = found_in(bytes(data), "gfx11xx")
    assert (found.code, [one.kind for one in found.faults]) == ((), ["too-large"])


def test_zip_files_of_storages() -> None:
    inside = {
        "a.aks2": aks2([(NAME + "gfx1151", code_object("gfx1151"))]),
        "b.aks2": aks2([(NAME + "gfx1100", code_object("gfx1100")), (NAME + "gfx1151", code_object("gfx1151"))]),
    }
    found = found_in(flat_zip(inside), "gfx115x", "flash/attn_fwd.zip")
    assert brief(found) == [("gfx1100", 1), ("gfx1151", 2)]
    assert not found.faults


def test_a_zip_that_passes_by() -> None:
    inside = {f"f{at}": aks2([(NAME + one, code_object(one))]) for at, one in enumerate(("gfx1151", "gfx1100"))}
    data, path = flat_zip(inside), f"{FOLDER}gfx11xx/flash/attn_fwd.zip"

    def passing(data: bytes, path: str = path) -> Found | None:
        return read_forward(Forward(data[at : at + 100] for at in range(0, len(data), 100)), path)

    assert passing(data) == read(Held(data), path)
    assert passing(data, "other.zip") is None
    for length in range(0, data.index(b"PK\1\2"), 11):
        found = passing(data[:length])
        assert found is not None
        assert found.faults[-1].kind == "damaged"
    packed = passing(flat_zip(inside, method=zipfile.ZIP_DEFLATED))
    assert packed is not None
    assert "packed or encrypted" in packed.faults[0].detail


def test_a_zip_that_aotriton_does_not_read() -> None:
    data = flat_zip({"a.aks2": aks2([(NAME + "gfx1151", code_object("gfx1151"))])}, method=zipfile.ZIP_DEFLATED)
    found = found_in(data, "gfx115x", "flash/attn_fwd.zip")
    assert found.code == ()
    assert "packed or encrypted" in found.faults[0].detail


def test_zip_files_that_are_cut_off() -> None:
    data = flat_zip({"a": aks2([(NAME + "gfx1151", code_object("gfx1151"))])})
    for length in range(0, len(data), 7):
        found = found_in(data[:length], "gfx115x", "flash/attn_fwd.zip")
        assert found.code == ()
        assert found.faults[0].kind == "damaged"


def test_storages_that_are_cut_off() -> None:
    data = aks2([("a", code_object("gfx1100")), ("b", code_object("gfx1151"))])
    for pack in ("gfx11xx", "gfx942"):
        for length in range(0, len(data), 5):
            found = found_in(data[:length], pack)
            assert found.code == ()
            assert found.faults[0].kind == "damaged"


@pytest.mark.parametrize(
    ("total", "count", "length"),
    [(10, 1, 100), (1000, 100, 90), (1 << 31, 1, 1 << 30), (1000, 1, 20), (1000, 1, 40), (1000, 0xFFFFFFFF, 999)],
)
def test_numbers_that_lie(total: int, count: int, length: int) -> None:
    directory = struct.pack("<5I", 0, 0, 0, 0, 5) + b"name\0" + bytes(60)
    data = struct.pack("<4s3I", b"AKS2", total, count, length) + lzma.compress(directory)
    found = found_in(data, "gfx942")
    assert found.code == ()
    assert len(found.faults) == 1


def test_images_that_are_not_where_they_are_said_to_be() -> None:
    for offset, size in ((0, 1 << 31), (1 << 31, 100), (5000, 5000)):
        directory = struct.pack("<5I", 0, 0, offset, size, 2) + b"a\0"
        data = struct.pack("<4s3I", b"AKS2", len(directory) + 4500, 1, len(directory))
        found = found_in(data + lzma.compress(directory + code_object("gfx942")), "gfx942")
        assert found.faults[0].detail == "an image is not in the file"


@pytest.mark.parametrize("path", ["a/b.aks2", FOLDER + "gfx942/__signature__", "aotriton.images/amd-x/a.aks2"])
def test_other_files_are_none_of_these(path: str) -> None:
    assert read(Held(b"AKS2"), path) is None


def test_entries_that_lie_in_one_another_are_not_all_unpacked() -> None:
    """A zip of 60,000 entries that are the same two hundred bytes, which unpack to 64 MiB."""
    name = struct.pack("<5I", 0, 0, 0, 64 << 20, 2) + b"a\0"
    stream = lzma.compress(name + code_object("gfx1100") + bytes(64 << 20), preset=0)
    data = struct.pack("<4s3I", b"AKS2", len(name) + (64 << 20), 1, len(name)) + stream
    whole = flat_zip({"a": data})
    start = whole.index(b"PK\1\2")
    row = whole[start : whole.index(b"PK\5\6")]
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 60_000, 60_000, 60_000 * len(row), start, 0)
    found = found_in(whole[:start] + row * 60_000 + end, "gfx11xx", "flash/attn_fwd.zip")
    assert found.faults[-1].detail == "it unpacks to too much"

from __future__ import annotations

import pytest

from firstlight.binaries.found import Found
from firstlight.binaries.miopen import read, target_of
from firstlight.binaries.source import Held

from .archives_written import sqlite

RECORD = b"3-224-224-7x7-64-112-112-1-3x3-2x2-1x1-0-NCHW-FP32-F=ConvAsm1x1U:1,8,3,2,1,1\n"


def found_in(data: bytes, path: str) -> Found:
    found = read(Held(data), path)
    assert found is not None
    assert found.kind == "miopen"
    return found


@pytest.mark.parametrize(
    ("stem", "target"),
    [
        ("gfx90a68", "gfx90a"), ("gfx90a6e", "gfx90a"), ("gfx90878", "gfx908"), ("gfx942130", "gfx942"),
        ("gfx942e4", "gfx942"), ("gfx94250", "gfx942"), ("gfx950100", "gfx950"), ("gfx906_60", "gfx906"),
        ("gfx1030_36", "gfx1030"), ("gfx1151_20", "gfx1151"), ("gfx110060", "gfx1100"), ("gfx1250100", "gfx1250"),
        ("gfx803_36", "gfx803"), ("gfx908", "gfx908"), ("gfx942_3d_metadata", "gfx942"),
        ("gfx90a_ConvHipIgemmGroupXdlops_encoder", "gfx90a"), ("gfx906_nosramecc_60", "gfx906:sramecc-"),
        ("gfx90a_sramecc_xnack68", "gfx90a:sramecc+:xnack+"), ("gfx900_xnack_56", "gfx900:xnack+"),
    ],
)  # fmt: skip
def test_where_a_target_ends(stem: str, target: str) -> None:
    """Names of ROCm's releases, of rocm-kpack's tests and of MIOpen's rule (hexadecimal above 64 compute units)."""
    assert target_of(stem) == target


@pytest.mark.parametrize("stem", ["gfx90a40", "gfx90a068", "gfx9999_60", "gfx", "gfx908zz", "gfx90a12345"])
def test_names_that_are_none(stem: str) -> None:
    """0x40 is 64 and would be written as `_64`."""
    assert target_of(stem) is None


def test_the_rule_the_other_way_round() -> None:
    """As MIOpen writes them: each target with each number is found again."""
    for target in ("gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1201"):
        for units in range(1, 400):
            stem = target + (f"_{units}" if units <= 64 else f"{units:x}")
            assert target_of(stem) == target, stem


@pytest.mark.parametrize(
    "name",
    ["gfx90a68.db.txt", "gfx90a68.HIP.fdb.txt", "gfx90a6e.OpenCL.fdb.txt", "gfx90a68.HIP.3_4_0_abc.ufdb.txt",
     "gfx90a_64.udb.txt", "gfx90a_64.cd.updb.txt"],
)  # fmt: skip
def test_records(name: str) -> None:
    (code,) = found_in(RECORD, f"torch/share/miopen/db/{name}").code
    assert (code.vendor, code.target, code.form, code.size) == ("amd", "gfx90a", "database", len(RECORD))


def test_models() -> None:
    (code,) = found_in(b'{"architecture": {}}', "share/miopen/db/gfx942.tn.model").code
    assert code.target == "gfx942"


@pytest.mark.parametrize("page", [512, 4096, 65536])
def test_compiled_kernels(page: int) -> None:
    (code,) = found_in(sqlite(size=page), "share/miopen/db/gfx90a68.kdb").code
    assert (code.target, code.size) == ("gfx90a", 3 * page)


@pytest.mark.parametrize(
    ("name", "data", "detail"),
    [
        ("gfx90a68.kdb", sqlite()[:-1], "it is cut off"),
        ("gfx90a68.kdb", sqlite()[:90], "it is no SQLite database"),
        ("gfx90a68.kdb", b"BZh91AY&SY" + bytes(200), "it is no SQLite database"),
        ("gfx90a68.kdb", sqlite(size=768), "pages of 768 bytes"),
        ("gfx90a68.kdb", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
         "it is a pointer of Git LFS: the file itself was never fetched"),
        ("gfx90a68.db.txt", b"", "it is empty"),
        ("gfx90a68.db.txt", b"\x7fELF\0", "it is no text"),
        ("gfx90a68.fdb.txt", b"Not Found\n", "no record in it"),
    ],
)  # fmt: skip
def test_damaged_ones_serve_nobody(name: str, data: bytes, detail: str) -> None:
    found = found_in(data, f"share/miopen/db/{name}")
    assert found.code == ()
    assert [(one.kind, one.detail) for one in found.faults] == [("damaged", detail)]


def test_a_number_of_pages_that_does_not_hold() -> None:
    """SQLite trusts it only where two counters agree (fileformat2, "In-header database size")."""
    data = sqlite()[:92] + b"\0\0\0\1" + sqlite()[96:-4096]
    assert found_in(data, "gfx90a68.kdb").code


def test_a_target_that_is_not_known_is_said() -> None:
    (fault,) = found_in(RECORD, "share/miopen/db/gfx77770.db.txt").faults
    assert fault.kind == "unknown-form"


@pytest.mark.parametrize("path", ["share/miopen/db/miopen.db", "gfx906.txt", "a/gfx906/x.kdb", "gfx906_60.db"])
def test_other_files_are_none_of_these(path: str) -> None:
    assert read(Held(RECORD), path) is None

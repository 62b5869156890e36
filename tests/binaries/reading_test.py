"""What a file is, by name and first bytes, and what of it counts."""

from __future__ import annotations

import pytest

from firstlight.binaries.choice import is_tar, nested, tells, worth
from firstlight.binaries.model import Kind
from firstlight.binaries.reading import read
from firstlight.binaries.source import Held

from .layers import Head, Made, Section, host, sound
from .seeds import SEEDS, Seed

KINDS: dict[str, Kind] = {
    "a.co": "code-object", "d.bundle": "offload-bundle", "e.bundle": "compressed-bundle", "f.fatbin": "fatbin",
    "g.cubin": "cubin", "j.ptx": "ptx", "libk.so": "elf", "n.a": "archive", "q.kpack": "kpack",
}  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed[0])
def test_every_kind_of_file_is_read_by_its_reader(seed: Seed) -> None:
    path, make, targets = seed
    piece = read(Held(make(sound).data), path)
    assert piece is not None
    assert {code.target for code in piece.code} == targets
    assert piece.kind == KINDS.get(path, piece.kind)
    assert piece.path == path


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed[0])
def test_a_file_that_is_read_is_one_that_is_chosen(seed: Seed) -> None:
    path, make, _ = seed
    assert worth(path) == "whole" or (worth(path) == "head" and tells(make(sound).data[:1024]))


def test_a_host_binary_keeps_what_it_needs_and_where_its_code_is() -> None:
    marker = next(make(sound).data for path, make, _ in SEEDS if path == "libk.so")
    piece = read(Held(marker), "libk.so")
    assert piece is not None
    assert piece.needs is not None
    assert (piece.needs.glibc, piece.needs.glibcxx, piece.needs.soname) == ("2.28", "3.4.29", "libfill.so.1")
    assert piece.reference == "../.kpack/fill_@GFXARCH@.kpack"


def test_what_decides_nothing_is_no_piece() -> None:
    assert read(Held(b"just text, and more of it"), "notes") is None
    assert read(Held(b""), "empty.so") is None
    plain = host([Section(".text", 1, Made(b"\x90" * 64))], Head(kind=1))
    assert read(Held(plain.data), "plain.o") is None


def test_a_damaged_section_leaves_the_others() -> None:
    good = next(make(sound) for path, make, _ in SEEDS if path == "f.fatbin")
    piece = read(
        Held(host([Section(".nv_fatbin", 1, good), Section(".hip_fatbin", 1, Made(b"CCOB\2\0"))]).data), "x.so"
    )
    assert piece is not None
    assert "sm_80" in {code.target for code in piece.code}
    assert piece.faults


@pytest.mark.parametrize(
    ("path", "choice"),
    [
        ("torch/lib/libtorch.so", "whole"),
        ("lib/libgomp.so.1", "whole"),
        ("rocblas/library/TensileLibrary_lazy_gfx1151.dat", "whole"),
        ("rocblas/library/TensileLibrary_a.yaml", "whole"),
        ("miopen/db/gfx906_60.HIP.fdb.txt", "whole"),
        ("aotriton.images/amd-gfx11xx/flash/attn_fwd.zip", "whole"),
        ("torch/__init__.py", "no"),
        ("torch-2.14.1.dist-info/RECORD", "no"),
        ("data/notes.txt", "no"),
        ("config.yaml", "no"),
        (".hidden", "no"),
        ("bin/rocblas-test", "head"),
        ("aiter/install_mode", "head"),
    ],
)
def test_names_tell_what_to_read(path: str, choice: str) -> None:
    assert worth(path) == choice


def test_packages_inside_are_known_by_name() -> None:
    assert nested("a/b.whl")
    assert nested("x.TAR.XZ")
    assert is_tar("x.tgz")
    assert not is_tar("x.deb")
    assert not nested("x.so")

"""Cubins: both numberings of e_flags, and what the kernels use."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from firstlight.binaries.cubin import read_cubin
from firstlight.binaries.model import Code, Fault
from firstlight.binaries.source import Held

from .cuda_files import attribute, cubin
from .oracles import nvidia, tools


def _read(data: bytes) -> Code:
    found = read_cubin(Held(data))
    assert isinstance(found, Code)
    return found


@pytest.mark.parametrize(
    ("flags", "abi", "target"),
    [
        (0x1E0523, 7, "sm_35"),
        (0x4B054B, 7, "sm_75"),
        (0x5A055A, 7, "sm_90"),
        (0x5A0D5A, 7, "sm_90a"),
        (0x3C0D32, 7, "sm_50"),  # of cuBLAS 11
        (0x6005004, 8, "sm_80"),
        (0x6005A04, 8, "sm_90"),
        (0x6006402, 8, "sm_100"),
        (0x600640A, 8, "sm_100a"),
        (0x600790A, 8, "sm_121a"),
    ],
)
def test_target_in_the_flags_as_ptxas_writes_them(flags: int, abi: int, target: str) -> None:
    assert _read(cubin(flags, abi)).target == target


@pytest.mark.parametrize(
    ("compat", "target"),
    [
        (b"\2\x09\1\0", "sm_90a"),
        (b"\2\x0c\0\0" + attribute(0xB, bytes(8)) + b"\2\x09\1\0", "sm_90a"),
        (b"\2\x09\0\0", "sm_90"),
        (b"\2\x0c\1\0", "sm_90"),
        (b"\7\x07\0\0\2\x09\1\0", "sm_90"),
        (b"\4\x0b\xff\0\2\x09\1\0", "sm_90"),
        (b"\2\x09", "sm_90"),
    ],
)
def test_target_in_the_section_of_cuda_13(compat: bytes, target: str) -> None:
    assert _read(cubin(0x6005A04, 8, {".nv.compat": compat})).target == target


def test_the_section_means_nothing_in_the_first_numbering() -> None:
    assert _read(cubin(0x5A055A, 7, {".nv.compat": b"\2\x09\1\0"})).target == "sm_90"


def test_kernels_registers_and_shared_memory() -> None:
    registers = b"".join(
        attribute(0x2F, struct.pack("<II", symbol, count)) for symbol, count in ((6, 21), (7, 40), (8, 4))
    )
    data = cubin(
        0x6005A04,
        8,
        {
            ".nv.info": registers + attribute(0x11, struct.pack("<II", 6, 99)) + attribute(0x2F, b"\1\2\3\4"),
            ".text.one": bytes(16),
            ".nv.constant0.one": bytes(8),
            ".nv.constant0.two": bytes(8),
            ".nv.shared.one": 1200,
            ".nv.shared.two": 800,
            ".nv.shared.reserved.0": 4096,
        },
    )
    assert _read(data) == Code(
        vendor="nvidia", target="sm_90", form="cubin", size=len(data), kernels=2, registers=40, lds=1200
    )


def test_no_kernel_uses_nothing() -> None:
    found = _read(cubin(0x4B054B, 7))
    assert (found.kernels, found.registers, found.lds) == (0, None, None)


def test_other_files_are_faults() -> None:
    for data in (b"", b"\x7fELF", b"MZ" + bytes(100), cubin(0, 0, machine=62), cubin(0x4B054B, 7)[:-1]):
        assert isinstance(read_cubin(Held(data)), Fault)


@pytest.mark.parametrize("arch", ["75", "86", "90", "90a", "100", "100a", "100f", "120", "121a"])
def test_as_nvdisasm_reads(arch: str, tmp_path: Path) -> None:
    tools.require("ptxas", "nvdisasm")
    text, machine = tmp_path / "k.ptx", tmp_path / "k.cubin"
    text.write_text(f".version 9.0\n.target sm_{arch}\n.address_size 64\n.visible .entry k() {{ ret; }}\n")
    tools.run("ptxas", [f"-arch=sm_{arch}", text, "-o", machine])
    found = _read(machine.read_bytes())
    assert found.target == nvidia.target_of_cubin(machine)
    assert found.kernels == 1

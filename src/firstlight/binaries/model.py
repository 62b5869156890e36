"""What was found in files."""

from __future__ import annotations

from typing import Literal

import msgspec

Vendor = Literal["amd", "nvidia"]
Form = Literal["code-object", "library", "database", "cubin", "ptx", "bitcode", "spirv"]
"""`code-object`: an AMD ELF of kernels; `library`: a file that is made for one target (Tensile, hipBLASLt);
`database`: tuned or compiled kernels for one target (MIOpen); `cubin`: SASS; `ptx`: NVIDIA's portable code; `bitcode`:
LLVM's code for one target, which a linker has yet to make into kernels; `spirv`: AMD's portable code (target
`amdgcnspirv`), which the runtime compiles for the chip at hand."""
Kind = Literal[
    "elf", "code-object", "offload-bundle", "compressed-bundle", "kpack", "tensile", "miopen", "aotriton", "fatbin",
    "cubin", "ptx", "archive", "python", "other"
]  # fmt: skip


class Code(msgspec.Struct, frozen=True, kw_only=True):
    """GPU code for one target in one place of a file. Alike ones of a file are one, with their number."""

    vendor: Vendor
    target: str
    """`gfx1151`, `gfx90a:sramecc+:xnack-`, `gfx11-generic`, `sm_90a`; of PTX `compute_90`."""
    form: Form
    count: int = 1
    size: int | None = None
    """Bytes of all of them as they lie in the file, packed or not."""
    code_object_version: int | None = None
    """AMD: 2 to 6."""
    generic_version: int | None = None
    wave: int | None = None
    """AMD: 32 or 64; None: both occur, or not known."""
    kernels: int | None = None
    registers: int | None = None
    """Most vector registers of any kernel."""
    lds: int | None = None
    """Most bytes of group memory of any kernel."""
    ptx_isa: str | None = None
    """PTX: its newest ISA version, `8.7`, which decides what driver compiles it."""


class Needs(msgspec.Struct, frozen=True, kw_only=True):
    """What decides whether an ELF loads, beside its GPU code."""

    machine: str
    """`x86_64`, `aarch64`, `amdgpu`, `cuda` ..."""
    soname: str | None = None
    libraries: tuple[str, ...] = ()
    """DT_NEEDED."""
    search: tuple[str, ...] = ()
    """DT_RUNPATH or DT_RPATH, as they stand."""
    glibc: str | None = None
    """Newest GLIBC_ version that it asks for: `2.28`."""
    glibcxx: str | None = None
    """Newest GLIBCXX_ version."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A part that could not be read: damaged, or of a form that is not known. The rest still counts."""

    kind: Literal["damaged", "unknown-form", "too-large", "denied"]
    where: str
    """Section, member or offset."""
    detail: str
    """In English, for the evidence."""


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """One file, alone or inside a container."""

    path: str
    """Inside its container, or as it was given."""
    kind: Kind
    size: int
    code: tuple[Code, ...] = ()
    needs: Needs | None = None
    reference: str | None = None
    """Of a host binary whose code lies in a `.kpack` archive: the path that its marker names."""
    faults: tuple[Fault, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """One argument: a file, a wheel, a package, a folder, an environment."""

    path: str
    """As it was given; of a URL without credentials."""
    kind: Literal["file", "wheel", "deb", "tar", "folder", "environment"]
    pieces: tuple[Piece, ...]
    """Those that hold GPU code, or load libraries; others are counted only."""
    others: int = 0
    distribution: str | None = None
    """`torch 2.14.1+rocm7.2` of a wheel, `librocsparse1 6.4.4-1` of a deb."""
    beside: tuple[str, ...] = ()
    """Of an environment: distributions that torch's GPU code rests on, torch among them."""
    python: tuple[str, ...] = ()
    """Compatibility tags of a wheel."""
    faults: tuple[Fault, ...] = ()
    unread: tuple[str, ...] = ()
    """Of a wheel at an address: binaries that were not fetched, as their names or first bytes say that they hold no GPU
    code. What they need in order to load is not known."""

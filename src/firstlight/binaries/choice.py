"""Which files of a container are worth reading, told by their names alone."""

from __future__ import annotations

from typing import Literal

Worth = Literal["whole", "head", "no"]

_CODE = frozenset({
    "so", "hsaco", "co", "dat", "kdb", "ukdb", "kpack", "cubin", "fatbin", "ptx", "aks2", "a", "o", "hipfb", "zlib",
})  # fmt: skip
_PLAIN = frozenset({
    "py", "pyi", "pyc", "pyx", "pxd", "h", "hpp", "hh", "hxx", "cuh", "inl", "inc", "c", "cc", "cpp", "cxx", "cu",
    "hip", "f90", "rs", "js", "mjs", "ts", "css", "html", "htm", "svg", "png", "jpg", "gif", "ico", "pdf", "md",
    "rst", "txt", "csv", "json", "jsonl", "toml", "yaml", "yml", "xml", "cfg", "ini", "in", "cmake", "pc", "ld",
    "lock", "typed", "md5", "sha256", "ipynb", "jinja", "j2", "npy", "npz", "template", "tpl", "proto", "thrift",
    "bib", "cff", "zip", "gz", "xz", "bz2", "zst", "whl", "deb", "rpm", "tar", "tgz", "sh", "bash", "csh", "fish",
    "ps1", "bat", "1", "3", "7", "8", "rsa", "pem", "exp", "def", "map", "mo", "po",
})  # fmt: skip
_TEXTS = frozenset({
    "METADATA", "RECORD", "WHEEL", "LICENSE", "NOTICE", "INSTALLER", "COPYING", "README", "AUTHORS", "CHANGELOG",
})  # fmt: skip
_NAMED = ("Tensile", "Kernels.so-")


def worth(path: str) -> Worth:
    """`whole`: of a kind that can hold GPU code or load libraries; `head`: its first bytes tell; `no`: text."""
    name = path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    suffix = suffix.lower()
    if suffix in _CODE or ".so." in name or name.startswith(_NAMED):
        return "whole"
    if name.startswith("gfx") and name.endswith(("db.txt", ".model")):
        return "whole"
    if suffix == "zip" and "aotriton.images/" in path:
        return "whole"
    if suffix in _PLAIN or name.partition(".")[0] in _TEXTS or (not stem and dot):
        return "no"
    return "head"


MAGICS = (
    b"\x7fELF", b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB", b"\x50\xed\x55\xba", b"!<arch>\n", b"!<thin>\n", b"KPAK", b"AKS2",
    b"\x10\xff\x10\xad",
)  # fmt: skip


def tells(head: bytes) -> bool:
    """Whether a file that begins so is worth reading whole."""
    return head.startswith(MAGICS)


_PACKAGES = (
    ".whl",
    ".deb",
    ".rpm",
    ".tar",
    ".tgz",
    ".tbz2",
    ".txz",
    ".tar.gz",
    ".tar.bz2",
    ".tar.xz",
    ".tar.zst",
    ".conda",
)


def nested(path: str) -> bool:
    """Whether a file is itself a container, by its name."""
    return path.lower().endswith(_PACKAGES)


def is_tar(path: str) -> bool:
    """Whether it is a tar archive, by its name."""
    return path.lower().endswith(_PACKAGES[3:-1])

"""Which GPU code torch's own libraries hold: for a build that no list describes."""

from __future__ import annotations

from ..host.model import Host, HostKind, Missing, Unread
from .value import Fact, Unknown, unknown

LIBRARIES = {"rocm": "libtorch_hip.so", "cuda": "libtorch_cuda.so"}
"""The library with the kernels of torch's operators (pytorch caffe2/CMakeLists.txt). What links with it (linear
algebra) carries targets of its own, which the ladder's rung `code-for-chip` and `firstlight inspect` tell apart."""


def targets_in_files(host: Host, site: str, backend: str) -> Fact[list[str]]:
    """Targets of the machine code and PTX in the library, without running any of it. Only where the machine's own files
    are at hand: a recorded one holds no libraries. About a tenth of a second for a gigabyte."""
    path = f"{site}/torch/lib/{LIBRARIES[backend]}"
    if host.kind is not HostKind.LIVE:
        return Unknown("not-captured", path)
    found = host.resolve(path)
    if isinstance(found, Unread):
        return unknown(found)
    from ..binaries.report import inspect
    from ..errors import FirstlightError

    try:
        report = inspect(found)
    except FirstlightError as error:
        return Unknown(Missing.UNREADABLE.value, path, error.what.en[:200])
    targets = sorted({code.target for piece in report.pieces for code in piece.code})
    if report.faults or any(piece.faults for piece in report.pieces):
        return Unknown("malformed", path, "its GPU code")
    return targets or Unknown("absent", path, "GPU code")

"""Numbers as people read them. Bytes by powers of 1024, as ROCm's and NVIDIA's own tools give memory."""

from __future__ import annotations

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


def size(count: int | None) -> str:
    """`128.0 GiB`, `512 B`; `?` for None."""
    if count is None:
        return "?"
    value = float(count)
    for unit in _UNITS[:-1]:
        if abs(value) < 1024:
            return f"{value:.0f} {unit}" if unit in ("B", "KiB") else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} {_UNITS[-1]}"


def short(count: int) -> str:
    """`2.1G`, `190M`, `0`: at most five cells up to a pebibyte, for the columns of a table."""
    value = float(count)
    for unit in ("", "K", "M", "G", "T"):
        if value < 9.95 and unit not in ("", "K"):
            return f"{value:.1f}{unit}"
        if value < 1023.5:
            return f"{value:.0f}{unit}"
        value /= 1024
    return f"{value:.1f}P"


def span(ms: float) -> str:
    """`3 ms`, `1.2 s`, `2 min 05 s`."""
    if ms < 1000:
        return f"{ms:.0f} ms"
    seconds = ms / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60):02d} s"

"""Names of PCI devices, from a copy of pci.ids cut to GPUs and neural processors (date and licence are in it)."""

from __future__ import annotations

from functools import cache

from .tables import FOLDER


@cache
def _text() -> bytes:
    with open(f"{FOLDER}/pci.ids", "rb") as file:
        return file.read()


@cache
def _vendor(vendor: int) -> bytes:
    """All lines below a vendor's own."""
    text = _text()
    start = text.find(b"\n%04x  " % vendor)
    if start < 0:
        return b""
    end = text.find(b"\n\n", start)
    return text[text.index(b"\n", start + 1) : end if end >= 0 else len(text)]


def name(vendor: int, device: int, sub: tuple[int, int] | None = None) -> str | None:
    """Name of a device (vendor and device id), or of the board if `sub` (subsystem vendor, subsystem id) is given and
    known. None: not in the list. Costs one scan of the vendor's lines."""
    if not (0 <= vendor <= 0xFFFF and 0 <= device <= 0xFFFF):
        return None
    lines = _vendor(vendor)
    start = lines.find(b"\n\t%04x  " % device)
    if start < 0:
        return None
    board = _board(lines, start, sub) if sub else None
    return board or _line(lines, start + 8)


def bracketed(full: str) -> str:
    """The product inside the brackets of a pci.ids name (`Navi 31 [Radeon RX 7900 XTX]`), or the whole name."""
    start, end = full.find("["), full.rfind("]")
    return full[start + 1 : end] if 0 <= start < end else full


def products(vendor: int) -> list[tuple[str, str]]:
    """(name before the brackets, product in them) of every device of a vendor that has both."""
    found = []
    for line in _vendor(vendor).split(b"\n"):
        if line[:1] == b"\t" and line[1:2] != b"\t" and line.endswith(b"]"):
            full = line[7:].decode("utf-8", "replace")
            found.append((full.partition(" [")[0], bracketed(full)))
    return found


def _board(lines: bytes, device: int, sub: tuple[int, int]) -> str | None:
    end = device + 1
    while (end := lines.find(b"\n", end)) >= 0 and lines[end + 1 : end + 3] == b"\t\t":
        end += 1
    wanted = b"\n\t\t%04x %04x  " % (sub[0] & 0xFFFF, sub[1] & 0xFFFF)
    at = lines.find(wanted, device, end if end >= 0 else len(lines))
    return _line(lines, at + len(wanted)) if at >= 0 else None


def _line(lines: bytes, start: int) -> str:
    end = lines.find(b"\n", start)
    return lines[start : end if end >= 0 else len(lines)].decode("utf-8", "replace").strip()

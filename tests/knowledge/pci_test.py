"""Names of PCI devices against a plain reading of the whole file."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from firstlight.knowledge import pci
from firstlight.knowledge.tables import FOLDER

Names = dict[tuple[int, ...], str]


@cache
def plain() -> Names:
    """(vendor, device) and (vendor, device, subvendor, subdevice) -> name, line by line."""
    found: Names = {}
    vendor = device = 0
    with open(f"{FOLDER}/pci.ids", encoding="utf-8") as file:
        for line in file:
            text = line.rstrip("\n")
            if not text or text.startswith("#"):
                continue
            if text.startswith("\t\t"):
                found[vendor, device, int(text[2:6], 16), int(text[7:11], 16)] = text[13:].strip()
            elif text.startswith("\t"):
                device = int(text[1:5], 16)
                found[vendor, device] = text[7:].strip()
            else:
                vendor = int(text[:4], 16)
    return found


def test_every_name_is_found() -> None:
    assert len(plain()) > 6000
    for key, name in plain().items():
        if len(key) == 2:
            assert pci.name(*key) == name
        else:
            assert pci.name(key[0], key[1], (key[2], key[3])) == name


def test_an_unknown_board_has_its_devices_name() -> None:
    assert pci.name(0x1002, 0x744C, (0xFFFE, 1)) == pci.name(0x1002, 0x744C)


@given(st.integers(-2, 0x1FFFF), st.integers(-2, 0x1FFFF))
def test_what_is_not_there_is_not_found(vendor: int, device: int) -> None:
    assert pci.name(vendor, device) == plain().get((vendor, device))


def test_the_file_says_where_it_comes_from_and_is_small() -> None:
    with open(f"{FOLDER}/pci.ids", "rb") as file:
        content = file.read()
    assert len(content) < 600_000
    head = content[:1200].decode()
    assert "3-clause BSD" in head
    assert "Date:" in head


def test_brackets() -> None:
    assert pci.bracketed("Navi 31 [Radeon RX 7900 XT]") == "Radeon RX 7900 XT"
    assert pci.bracketed("Kaveri") == "Kaveri"
    assert pci.bracketed("] odd [") == "] odd ["

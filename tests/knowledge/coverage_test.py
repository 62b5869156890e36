"""Every card that pci.ids lists leads to a target, or to the reason why there is none."""

from __future__ import annotations

from pathlib import Path

from firstlight.knowledge.amd_chips import amd_by_device, is_before_gcn, is_management_display
from firstlight.knowledge.nvidia_chips import is_before_cuda, nvidia_by_device
from firstlight.knowledge.tables import FOLDER


def listed(vendor: int) -> list[tuple[int, str]]:
    """(device id, name) of everything that the list has of a vendor."""
    text = Path(FOLDER, "pci.ids").read_text(encoding="utf-8")
    lines = text.partition(f"\n{vendor:04x}  ")[2].partition("\n\n")[0]
    found = [line for line in lines.splitlines() if line.startswith("\t") and not line.startswith("\t\t")]
    return [(int(line[1:5], 16), line[7:].strip()) for line in found]


def test_every_amd_card_of_the_list_has_a_target_or_a_reason() -> None:
    never_sold = {0x154C}
    products = ("[Radeon", "[Mobility Radeon", "[FirePro", "[FireGL", "[Instinct", "[AMD ", "[FireMV", "Graphics]")
    cards = [(device, name) for device, name in listed(0x1002) if any(word in name for word in products)]
    cards = [(device, name) for device, name in cards if "Audio" not in name and "HDMI" not in name]
    assert len(cards) > 700
    left = [one for one in cards if amd_by_device(one[0]) is None and not is_before_gcn(one[0])]
    assert [name for device, name in left if not is_management_display(device) and device not in never_sold] == []


def test_every_nvidia_card_of_the_list_has_a_target_or_a_reason() -> None:
    no_target_known = ("MCP89", "GR10", "GB120", "GK11x")
    products = (
        "[GeForce",
        "[Quadro",
        "[Tesla",
        "[TITAN",
        "[RTX",
        "[NVS",
        "[GRID",
        "[A",
        "[H",
        "[B",
        "[L",
        "[T",
        "[Jetson",
    )
    cards = [(device, name) for device, name in listed(0x10DE) if any(word in name for word in products)]
    cards = [one for one in cards if one[1].endswith("]") and "NVSwitch" not in one[1] and "Audio" not in one[1]]
    assert len(cards) > 1000
    left = [name for device, name in cards if not is_before_cuda(device) and not target_of_nvidia(device)]
    assert [name for name in left if not name.startswith(no_target_known)] == []


def target_of_nvidia(device: int) -> str | None:
    chip = nvidia_by_device(device)
    return chip.target if chip else None

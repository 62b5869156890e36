"""Machines of which only the words of a tool were recorded: the sysfs that the words speak of, built and read. The
truth of each recording is the oracle."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from firstlight.facts.gpus import gpus
from firstlight.facts.model import Gpu

from .machines_test import GIB
from .memory_host import Content, MemoryHost, drm, function, kfd_node, location

FIXTURES = Path(__file__).resolve().parents[2].parent / "shared" / "fixtures"
pytestmark = pytest.mark.skipif(not FIXTURES.is_dir(), reason="no captured machines beside the project")
Words = tuple[str, str, int]
"""Address, `vendor:device`, class with its programming interface."""


def of_hwloc(folder: Path) -> Iterator[Words]:
    for device in ET.parse(folder / "topology.xml").iter("object"):
        if device.get("type") == "PCIDev":
            code, ids = device.attrib["pci_type"].split()[:2]
            yield device.attrib["pci_busid"], ids.strip("[]"), int(code, 16) << 8


def of_lspci(folder: Path) -> Iterator[Words]:
    name = "gpu-lines.txt" if (folder / "gpu-lines.txt").exists() else "lspci-nn.txt"
    for line in (folder / name).read_text().splitlines():
        address = re.match(r"[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", line)
        ids = re.search(r"\[([0-9a-f]{4}:[0-9a-f]{4})\]", line) or re.search(r"NVIDIA .* Device ([0-9a-f]{4})", line)
        code = re.search(r"\[([0-9a-f]{4})\]:", line)
        kinds = {"VGA": 0x300, "3D": 0x302, "Bridge:": 0x680, "Bridge": 0x680}
        known = int(code[1], 16) if code else kinds.get(line.split()[1], 0)
        if address and ids:
            yield f"0000:{address[0]}", ids[1] if ":" in ids[1] else f"10de:{ids[1]}", known << 8


def of_nvidia_smi(folder: Path) -> Iterator[Words]:
    text = "\n".join(path.read_text(errors="replace") for path in folder.iterdir() if path.suffix in {".txt", ".xml"})
    pairs = re.findall(r"<pci_device_id>(\w{4})10DE<.*?<pci_bus_id>0000(\S{12})<", text, re.DOTALL)
    pairs += re.findall(r"Device Id +: 0x(\w{4})10DE\n.*?Bus Id +: 0000(\S{12})\n", text, re.DOTALL)
    for device, address in dict.fromkeys(pairs):
        yield address.lower(), f"10de:{device.lower()}", 0x30200


def of_rocm_smi(folder: Path) -> Iterator[Words]:
    for card in json.loads((folder / "rocm-smi.json").read_text()).values():
        device = card.get("Device ID") or card.get("GPU ID")
        if device and card.get("PCI Bus"):
            yield card["PCI Bus"].lower(), f"1002:{device.removeprefix('0x')}", 0x30000


READERS = {"hwloc-xml": of_hwloc, "lspci": of_lspci, "nvidia-smi": of_nvidia_smi, "rocm-smi": of_rocm_smi}


NO_IDS = {"nvidia-smi/xml-nd-rtx-pro-6000-driver-580", "nvidia-smi/xml-rtx-3090-v12", "rocm-smi/gls-mi300x"}
"""Recordings that name no device ids."""


def recordings() -> list[str]:
    found = sorted(path.parent for path in FIXTURES.glob("*/*/truth.json") if path.parents[1].name in READERS)
    return [path.relative_to(FIXTURES).as_posix() for path in found]


def truth_of(folder: Path) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads((folder / "truth.json").read_text())
    return truth


def built(words: list[Words]) -> list[Gpu]:
    files: dict[str, Content] = {}
    for address, ids, code in words:
        driver = {"10de": "nvidia", "1002": "amdgpu"}.get(ids[:4])
        files |= function(address, ids, driver=driver, code=code)
    return gpus(MemoryHost(files))


@pytest.mark.parametrize("name", [name for name in recordings() if name not in NO_IDS])
def test_each_gpu_that_the_tool_names_is_found_with_its_target(name: str) -> None:
    folder = FIXTURES / name
    truth, words = truth_of(folder), list(READERS[folder.parent.name](folder))
    wanted = {(one["pci"], one["target"]) for one in truth["gpus"]}
    found = [gpu for gpu in built(words) if gpu.vendor in {"amd", "nvidia"}]
    assert {(gpu.pci, gpu.target) for gpu in found} == wanted, "neither NVSwitch nor BMC"
    for gpu in found:
        told = [one["apu"] for one in truth["gpus"] if one["pci"] == gpu.pci and one.get("apu") is not None]
        assert told in ([], [gpu.apu])


@pytest.mark.parametrize("name", [name for name in recordings() if name.startswith("nvidia-smi/")])
def test_the_model_alone_names_the_target(name: str) -> None:
    truth = truth_of(FIXTURES / name)
    files: dict[str, Content] = {
        f"/proc/driver/nvidia/gpus/{one['pci']}/information": f"Model: \t {one['name']}\n" for one in truth["gpus"]
    }
    found = gpus(MemoryHost(files))
    assert [(gpu.pci, gpu.target, gpu.usable) for gpu in found] == [
        (one["pci"], one["target"], True) for one in sorted(truth["gpus"], key=lambda one: str(one["pci"]))
    ]


def of_rocminfo(text: str) -> Iterator[dict[str, int]]:
    for agent in re.split(r"\*{7}\s*\nAgent \d+", text)[1:]:
        told = dict(re.findall(r"^  ([\w ]+):\s+(\S+)", agent, re.MULTILINE))
        if told.get("Device Type") == "GPU":
            chip = int(told["Chip ID"].partition("(")[0])
            yield {
                "chip": chip,
                "bdf": int(told["BDFID"]),
                "units": int(told["Compute Unit"]),
                "node": int(told["Node"]),
            }


@pytest.mark.parametrize("name", ["mi210-x8", "rx7700xt-gfx1101", "strix-halo-gfx1151", "mi25-wx-threadripper"])
def test_what_rocminfo_says_is_what_kfd_said(name: str) -> None:
    folder = FIXTURES / "rocminfo" / name
    truth = truth_of(folder)["gpus"]
    agents = list(of_rocminfo((folder / "rocminfo.txt").read_text(errors="replace")))
    files: dict[str, Content] = {}
    for node in range(min(agent["node"] for agent in agents)):
        files |= kfd_node(node, cpu_cores_count=8)
    for agent, one in zip(agents, truth, strict=True):
        address = f"0000:{agent['bdf'] >> 8:02x}:{agent['bdf'] >> 3 & 31:02x}.{agent['bdf'] & 7}"
        files |= function(address, f"1002:{agent['chip']:04x}", driver="amdgpu", code=0x38000)
        files |= drm(address, agent["node"], 127 + agent["node"])
        files |= kfd_node(
            agent["node"], simd_count=agent["units"] * 4, device_id=agent["chip"], location_id=agent["bdf"],
            drm_render_minor=127 + agent["node"], bank=one["pool_bytes"],
        )  # fmt: skip
    found = {gpu.pci: gpu for gpu in gpus(MemoryHost(files))}
    for agent, one in zip(agents, truth, strict=True):
        gpu = found[one["pci"]]
        assert (gpu.target, gpu.apu, gpu.memory_bytes) == (one["target"], one["apu"], one["pool_bytes"])
        assert (gpu.usable, gpu.compute_units) == (True, agent["units"])


def with_ids() -> list[Path]:
    found = sorted(FIXTURES.glob("rccl-topo/models/*.xml"))
    return [path for path in found if 'vendor="0x1002"' in path.read_text()]


@pytest.mark.parametrize("path", with_ids(), ids=lambda path: path.stem)
def test_rccl_topologies(path: Path) -> None:
    truth = truth_of(path.parent)["per_file"][path.name]
    words = []
    for one in ET.parse(path).iter("pci"):
        code = int(one.attrib["class"], 16)
        if one.get("vendor"):
            ids = f"{int(one.attrib['vendor'], 16):04x}:{int(one.attrib['device'], 16):04x}"
            words.append((one.attrib["busid"], ids, code))
    known = sorted(gpu.target or "" for gpu in built(words))
    wanted = [one["target"] for one in truth]
    assert len(known) == len(wanted)
    assert None in wanted or known == sorted(wanted)


def test_both_dies_of_an_mi250x_are_one_card_by_its_serial_number() -> None:
    files: dict[str, Content] = kfd_node(0, cpu_cores_count=64)
    buses = (0xC1, 0xC6, 0xC9, 0xCE)
    for at, bus in enumerate(buses):
        address = f"0000:{bus:02x}:00.0"
        files |= function(
            address, "1002:7408", driver="amdgpu", code=0x38000, files={"serial_number": f"69221100{at // 2}\n"}
        )
        files |= drm(address, at, 128 + at)
        files |= kfd_node(
            at + 1, simd_count=440, gfx_target_version=90010, device_id=0x7408, unique_id=900 + at,
            location_id=location(bus), drm_render_minor=128 + at, bank=64 * GIB,
        )  # fmt: skip
    found = gpus(MemoryHost(files))
    assert [gpu.physical for gpu in found] == ["0000:c1:00", "0000:c1:00", "0000:c9:00", "0000:c9:00"]
    without = {path: "N/A" if path.endswith("serial_number") else content for path, content in files.items()}
    assert len({gpu.physical for gpu in gpus(MemoryHost(without))}) == 4

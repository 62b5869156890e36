"""Damaged trees: structure-aware mutation of captured machines. A list, or a shorter one, never an exception."""

from __future__ import annotations

import random
import time
from pathlib import Path

import msgspec
import pytest

from firstlight.facts.gpus import gpus
from firstlight.facts.npus import npus
from firstlight.host.model import HostKind, Missing

from .machines_test import ORIN
from .memory_host import Content, MemoryHost, captured, function, kfd_node

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
SEED, SECONDS, ROUNDS = 20261201, 4.0, 2500
NUMBERS = (b"0", b"-1", b"4294967295", b"18446744073709551616", b"9" * 30, b"0x", b"1e9", "٣".encode(), b"")
NAMES = (
    "card0",
    "renderD128",
    "card999999999999",
    "renderD",
    "nodes",
    "0000:03:00.0",
    "zzzz:03:00.0",
    "..",
    "\udcff",
    "7",
)


def seeds() -> list[dict[str, Content]]:
    """Small captured machines of every kind, and a Jetson, an NPU, cards without compute."""
    names = (
        "kfd/phoenix-gfx1103", "kfd/mi25-gfx900-old-kernel", "kfd/rx9070xt-gfx1201", "drm/rx580", "drm/nvidia-rtx4080",
        "nvidia-proc/rtx3090-590", "machines/hp-zbook-power-16-inch-g11", "udev/hp-elitebook-835-13-inch-g10",
    )  # fmt: skip
    found = [captured(SHARED / "fixtures" / name / "root") for name in names]
    found = [
        {path: data for path, data in one.items() if "ip_discovery" not in path and "hwmon" not in path}
        for one in found
    ]
    jetson: dict[str, Content] = {
        "/sys/bus/platform/devices/17000000.gpu": "->../../../devices/platform/bus@0/17000000.gpu",
        f"{ORIN}/uevent": b"DRIVER=gk20a\nOF_COMPATIBLE_0=nvidia,ga10b\n",
        "/sys/class/drm/renderD129": "->../../devices/platform/bus@0/17000000.gpu/drm/renderD129",
        f"{ORIN}/drm/renderD129/device": "->../../../17000000.gpu",
    }
    npu = function("0000:00:0b.0", "8086:7d1d", driver="intel_vpu", code=0x120000)
    npu["/sys/class/accel/accel0/device"] = "->../../../devices/pci0000:00/0000:00:0b.0"
    old = function("0000:01:00.0", "1002:6617", driver="radeon") | function("0000:02:00.0", "1002:744c", driver=None)
    old |= function("0000:04:00.0", "1002:744c", driver="amdgpu") | kfd_node(0, cpu_cores_count=8)
    alias: dict[str, Content] = {
        "/sys/class/drm/card0/device/modalias": b"pci:v00001002d0000731Fsv0000148Csd00002398bc03sc00i00\n",
        "/sys/class/drm/card0/device/serial_number": b"692211000999\n",
        "/sys/bus/pci/devices/0000:c4:00.0/modalias": b"pci:v000010DEd00000391sv0000148Csd00002398bc03sc00i00\n",
        "/sys/class/drm/card1/device": b"../../../devices/pci0000:00/0000:c4:00.0",
    }
    return [*found, jetson, npu, old, alias]


def damaged(data: Content, chance: random.Random) -> Content:  # noqa: PLR0911  one for each kind of damage
    """A file with one fault in it, of the kind that captures and kernels have."""
    raw = data if isinstance(data, bytes) else str(data).encode("utf-8", "surrogatepass")
    lines = raw.split(b"\n")
    at = chance.randrange(len(lines))
    kind = chance.randrange(11)
    if kind == 0:
        return raw[: chance.randrange(len(raw) + 1)]
    if kind == 1:
        return raw + b"\0" * chance.choice((1, 4096))
    if kind == 2:
        return bytes(chance.randrange(256) for _ in range(chance.randrange(64)))
    if kind == 3:
        return b"A" * (1 << 17)
    if kind == 4:
        return chance.choice(list(Missing))
    if kind == 5:
        return "->" + chance.choice(("/", "..", "loop", "../../../0000:03:00.0", "/sys/class/drm", "x" * 300))
    if kind == 6 and raw:
        flipped = bytearray(raw)
        flipped[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
        return bytes(flipped)
    if kind == 7:
        del lines[at]
    elif kind == 8:
        lines.insert(at, lines[chance.randrange(len(lines))])
    else:
        separator = next((one for one in (b"=", b" ", b":") if one in lines[at]), b"")
        head = lines[at].partition(separator)[0] if separator else b""
        lines[at] = head + separator + chance.choice(NUMBERS)
    return b"\n".join(lines)


def mutated(files: dict[str, Content], chance: random.Random) -> dict[str, Content]:
    found = dict(files)
    for _ in range(chance.randrange(1, 7)):
        path = chance.choice(sorted(found) or ["/sys/class/drm/card0"])
        kind = chance.randrange(10)
        data = found.pop(path, b"")
        if kind == 0:
            continue
        if kind == 1:
            found[path + "/inner"] = data
        elif kind == 2:
            parent, _, _ = path.rpartition("/")
            found[f"{parent}/{chance.choice(NAMES)}"] = data
        elif kind == 3:
            above = path.split("/")
            found["/".join(above[: chance.randrange(2, len(above) + 1)])] = b"a file where a folder was"
        else:
            found[path] = damaged(data, chance)
    return found


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is not here")
def test_damaged_trees_give_an_answer() -> None:
    chance = random.Random(SEED)
    base = seeds()
    until = time.monotonic() + SECONDS
    for round_ in range(ROUNDS):
        files = mutated(base[round_ % len(base)], chance)
        host = MemoryHost(files, chance.choice((HostKind.TREE, HostKind.RECORDED)))
        found = gpus(host)
        msgspec.json.encode([found, npus(host)])
        assert all(gpu.physical and (gpu.usable is False) == (gpu.why is not None) for gpu in found)
        if time.monotonic() > until:
            break


def test_a_folder_with_twenty_thousand_names_is_cut() -> None:
    files: dict[str, Content] = {f"/sys/class/drm/card{at}": b"" for at in range(20_000)}
    begin = time.monotonic()
    assert gpus(MemoryHost(files)) == []
    assert time.monotonic() - begin < 10

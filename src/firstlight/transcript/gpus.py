"""The GPUs that a text lists: outputs of the vendors' tools, lspci, the kernel's log, environment dumps.

Each tool is a few patterns over the whole text; lines of others between them do no harm. Of one vendor's tools the one
that lists most devices answers, since a filtered or cut output of another lists fewer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

import msgspec

from ..facts.devices import Gpu, Vendor

AT_MOST = 1024
"""Devices of one tool that are read."""


class Sighting(msgspec.Struct, frozen=True, kw_only=True):
    """One device as one tool lists it."""

    vendor: Vendor
    target: str | None = None
    name: str | None = None
    pci: str | None = None
    device: str | None = None
    """Four hexadecimal digits."""


def gpus(text: str) -> list[Gpu]:
    """What the text lists, AMD before NVIDIA. Linear in the text's length."""
    found: list[Gpu] = []
    for vendor in ("amd", "nvidia"):
        lists = [list(reader(text))[:AT_MOST] for reader in READERS[vendor]]
        best = max(lists, key=lambda one: (len(one), sum(_said(each) for each in one)), default=[])
        others = [one for one in lists if len(one) == len(best) and one is not best]
        found += [_gpu(at, _joined(each, [one[at] for one in others])) for at, each in enumerate(best)]
    return found


def _said(one: Sighting) -> int:
    return sum(value is not None for value in (one.target or _target(one), one.name, one.pci, one.device))


def _joined(one: Sighting, others: list[Sighting]) -> Sighting:
    for other in others:
        changes = {
            field: getattr(other, field)
            for field in ("target", "name", "pci", "device")
            if getattr(one, field) is None and getattr(other, field) is not None
        }
        one = msgspec.structs.replace(one, **changes)
    return one


def _target(one: Sighting) -> str | None:
    from ..knowledge.amd_chips import target_by_device, target_by_model
    from ..knowledge.nvidia_chips import nvidia_by_device, nvidia_by_model

    if one.target:
        return one.target
    if one.vendor == "amd":
        return (target_by_device(int(one.device, 16)) if one.device else None) or target_by_model(one.name or "")
    chip = (nvidia_by_device(int(one.device, 16)) if one.device else None) or nvidia_by_model(one.name or "")
    return chip.target if chip else None


def _gpu(at: int, one: Sighting) -> Gpu:
    vendor_id = "1002" if one.vendor == "amd" else "10de"
    unread = dict.fromkeys(("memory_bytes", "driver", "usable", "node", "kfd"), "not-captured")
    target = _target(one)
    return Gpu(
        vendor=one.vendor, target=target, name=one.name, memory_bytes=None, memory=None, pci=one.pci,
        device_id=f"{vendor_id}:{one.device}" if one.device else None, subsystem_id=None, apu=_apu(target), node=None,
        physical=one.pci or f"text:{one.vendor}:{at}", render_node=None, card_node=None, driver=None, kfd=None,
        compute_units=None, visible_vram_bytes=None, usable=None, why=None,
        unknown=unread if target else {**unread, "target": "not-captured"},
    )  # fmt: skip


def _apu(target: str | None) -> bool | None:
    from ..knowledge.amd_chips import amd

    chip = amd(target) if target and target.startswith("gfx") else None
    return chip.apu if chip else None


def _each(
    vendor: Vendor, pattern: str, *, key: str | None = None, word: str = ""
) -> Callable[[str], Iterator[Sighting]]:
    """A reader: each match is a device; with `key` only the first one of each value of that group. `word`: what must
    be in the text at all."""
    compiled = re.compile(pattern, re.MULTILINE)

    def reader(text: str) -> Iterator[Sighting]:
        seen = set()
        for match in compiled.finditer(text) if word in text else ():
            values = {name: value for name, value in match.groupdict().items() if value is not None}
            if key and values.get(key) in seen:
                continue
            seen.add(values.get(key or ""))
            yield sighting(vendor, values)

    return reader


def sighting(vendor: Vendor, values: Mapping[str, str]) -> Sighting:
    """A device from what the groups of a pattern matched."""
    sm = f"sm_{values['major']}{values['minor']}" if "major" in values else None
    name = values.get("name", "").strip() or None
    pci = _address(values["pci"]) if "pci" in values else None
    return Sighting(vendor=vendor, target=values.get("gfx") or sm, name=name, pci=pci,
                    device=values["device"].lower() if "device" in values else None)  # fmt: skip


def _address(text: str) -> str:
    """`00000000:83:00.0`, `c5:00.0` and the like as `0000:83:00.0`."""
    parts = text.lower().split(":")
    domain = parts[-3][-4:].zfill(4) if len(parts) > 2 else "0000"
    return f"{domain}:{parts[-2].zfill(2)}:{parts[-1]}"


_PCI = r"(?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]"
_LSPCI = (
    r"(?P<pci>" + _PCI + r") (?:VGA compatible controller|3D controller|Display controller|Processing accelerators)"
)


def _smi_cards(text: str) -> Iterator[Sighting]:
    """rocm-smi's JSON, also inside a string of another JSON."""
    for match in _CARD.finditer(text.replace('\\"', '"')):
        told = dict(_PAIR.findall(match[2]))
        name = told.get("Card Series") or told.get("Card series") or told.get("Card Model")
        gfx = told.get("GFX Version", "")
        device = next((value[2:] for key in ("Device ID", "GPU ID", "Card Model", "Card model")
                       if (value := told.get(key, "")).startswith("0x")), None)  # fmt: skip
        if told:
            pci = told.get("PCI Bus")
            yield Sighting(vendor="amd", target=gfx if gfx.startswith("gfx") else None, name=name,
                           device=device, pci=_address(pci) if pci else None)  # fmt: skip


_CARD = re.compile(r'"card(\d{1,4})"\s{0,4}:\s{0,4}\{([^{}]{0,20000})\}')
_PAIR = re.compile(r'"([A-Za-z ]{3,60})"\s{0,4}:\s{0,4}"([^"]{0,200})"')


def _hwloc(vendor: Vendor, number: str, osdev: str) -> Callable[[str], Iterator[Sighting]]:
    """hwloc's XML: PCI functions of display or accelerator class; an APU in partitions has several devices below."""
    function = re.compile(rf'pci_busid="({_PCI})" pci_type="(?:03|12)\w\w \[{number}:(\w{{4}})\]')
    device = re.compile(rf'name="({osdev}\d{{1,3}})"')

    def reader(text: str) -> Iterator[Sighting]:
        functions = [(match.start(), match) for match in function.finditer(text)]
        starts = [at for at, _ in functions] + [len(text)]
        for (at, match), end in zip(functions, starts[1:], strict=True):
            count = len(set(device.findall(text, at, end))) or 1
            for _ in range(count):
                yield Sighting(vendor=vendor, device=match[2], pci=_address(match[1]))

    return reader


def _amd_smi(text: str) -> Iterator[Sighting]:
    """amd-smi list and static: a block a GPU."""
    if "GPU: " not in text:
        return
    blocks = re.split(r"^.{0,60}?\bGPU: (?=\d{1,3}\s{0,3}$)", text, flags=re.MULTILINE)[1:]
    for block in blocks:
        values = {key: found[1] for key, pattern in _AMD_SMI.items() if (found := pattern.search(block))}
        if values:
            yield sighting("amd", values)


_AMD_SMI = {
    "name": re.compile(r"MARKET_NAME: (.{2,80})"),
    "gfx": re.compile(r"TARGET_GRAPHICS_VERSION: (gfx[0-9a-f]{3,4})"),
    "device": re.compile(r"\bDEVICE_ID: 0x([0-9a-fA-F]{4})\b"),
    "pci": re.compile(rf"\bBDF: ({_PCI})"),
}


def _topology(text: str) -> Iterator[Sighting]:
    """amd-smi topology and xgmi: the addresses that begin the tables' rows."""
    if " TABLE:" not in text:
        return
    found = re.finditer(rf"^(?:GPU\d{{1,3}} {{1,12}})?({_PCI}) {{1,20}}\S", text, re.MULTILINE)
    for address in dict.fromkeys(_address(match[1]) for match in found):
        yield Sighting(vendor="amd", pci=address)


def _rccl(text: str) -> Iterator[Sighting]:
    """RCCL's topology file: targets as names or, older, as numbers."""
    for match in re.finditer(r'<gpu dev="\d{1,3}" sm="\d{1,4}" gcn="(?:gfx)?(\w{3,4})"', text):
        yield Sighting(vendor="amd", target=_RENAMED.get(match[1], f"gfx{match[1]}"))


_RENAMED = {"910": "gfx90a", "940": "gfx942", "941": "gfx942"}
"""What early RCCL called two targets."""


def _bandwidth(text: str) -> Iterator[Sighting]:
    for match in re.finditer(r"Device: (\d{1,3}),  (.{3,60}),  GPU-\w{8,40},  (\w{2}:\w{1,2}\.\w)", text):
        bus, _, rest = match[3].partition(":")
        yield Sighting(vendor="amd", name=match[2], pci=f"0000:{bus}:{rest.zfill(4)}")


def _sysinfo(text: str) -> Iterator[Sighting]:
    if ",gpu_arch," in text and (
        match := re.search(r"^\w[^\n]{20,4000},(?P<name>[^,\n]{2,40}),(gfx\w{3,4}),", text, re.MULTILINE)
    ):
        yield Sighting(vendor="amd", target=match[2], name=match["name"])


_NAMED = r"(?P<name>(?:NVIDIA|Tesla|GeForce|Quadro|TITAN|GRID)[^|\n]{1,60}?)"
READERS: dict[str, tuple[Callable[[str], Iterator[Sighting]], ...]] = {
    "amd": (
        _each("amd", r"Name: {10,40}(?P<gfx>gfx[0-9a-f]{3,4}) {0,60}\r?$"),
        _smi_cards,
        _each("amd", r"^.{0,60}?(?P<index>\d{1,3}) {2,12}(?:\d{1,3} {1,10})?\[?0x(?P<device>[0-9a-f]{4})(?: : 0x\w\w\]|, {1,6}\d{2,6})", key="index", word="ROCm System Management Interface"),
        _amd_smi,
        _hwloc("amd", "1002", "rsmi"),
        _each("amd", r"\[GPU (?P<index>\d{1,3})\] (?P<gfx>gfx[0-9a-f]{3,4})", key="index"),
        _each("amd", _LSPCI + r"(?: \[03\w\w\]| \[1200\])?: Advanced Micro Devices.{0,160}?\[1002:(?P<device>[0-9a-f]{4})\]", key="pci", word="[1002:"),
        _each("amd", _LSPCI + r": Advanced Micro Devices, Inc\. \[AMD/ATI\] (?P<name>[^\n\[]{1,60}\[[^\]\n]{3,120}\]|Device [0-9a-f]{4})", key="pci", word="Advanced Micro Devices"),
        _each("amd", r"added device 1002:(?P<device>[0-9a-f]{4})"),
        _each("amd", r"initializing kernel modesetting \(\w{3,24} 0x1002:0x(?P<device>[0-9a-fA-F]{4})"),
        _each("amd", r"Device (?P<index>\d{1,3}): (?P<name>(?:AMD|Radeon)[^\n,]{3,60}), (?P<gfx>gfx[0-9a-f]{3,4})", key="index"),
        _each("amd", r"GPU models and configuration: (?P<name>(?:AMD|Radeon)[^\n(]{3,60}) \((?P<gfx>gfx[0-9a-f]{3,4})"),
        _each("amd", r"AMD Instinct (?P<name>MI\d{3}\w?) - (?P<index>\d{2,6})\b", key="index"),
        _each("amd", r"DevId=0x(?P<device>[0-9A-Fa-f]{4}) .{0,24}?(?P<name>Radeon [^\n]{2,40}|AMD [^\n]{2,40})", key="device"),
        _each("amd", r"library=(?:rocm|ROCm).{0,60}compute=(?P<gfx>gfx[0-9a-f]{3,4})"),
        _topology,
        _rccl,
        _bandwidth,
        _sysinfo,
    ),
    "nvidia": (
        _each("nvidia", r"\| {1,4}(?P<index>\d{1,3}) {1,4}" + _NAMED + r" {1,30}(?:On|Off|N/A) {1,3}\| {1,4}(?P<pci>" + _PCI + r")", key="pci"),
        _each("nvidia", r"^GPU (?P<pci>" + _PCI + r")\s{1,24}Product Name {1,60}: (?P<name>[^\n]{2,80})", key="pci"),
        _each("nvidia", r"GPU (?P<index>\d{1,3}): (?P<name>[^\n(]{2,80}?) \(UUID: GPU-", key="index"),
        _each("nvidia", r'<gpu id="(?P<pci>' + _PCI + r')">\s{0,40}(?:<[^>\n]{1,40}>[^<\n]{0,80}</[^>\n]{1,40}>\s{0,40}){0,4}?<product_name>(?P<name>[^<\n]{2,80})<', key="pci"),
        _each("nvidia", r'Device (?P<index>\d{1,3}): "(?P<name>[^"\n]{2,80})"(?:[^\n]{0,200}\n){1,4}?[^\n]{0,60}CUDA Capability Major/Minor version number: {1,10}(?P<major>\d{1,2})\.(?P<minor>\d)', key="index"),
        _hwloc("nvidia", "10de", "nvml"),
        _each("nvidia", _LSPCI + r"(?: \[03\w\w\])?: NVIDIA Corporation.{0,160}?\[10de:(?P<device>[0-9a-f]{4})\]", key="pci", word="[10de:"),
        _each("nvidia", _LSPCI + r": NVIDIA Corporation Device (?P<device>[0-9a-f]{4})\b", key="pci", word="NVIDIA Corporation Device"),
        _each("nvidia", _LSPCI + r": NVIDIA Corporation [^\n\[]{1,40}\[(?P<name>[^\]\n]{2,60})\]", key="pci", word="NVIDIA Corporation"),
        _each("nvidia", r"GPU (?P<index>\d{1,3}): (?P<name>NVIDIA [^\n(]{2,60})\s{0,3}$", key="index"),
        _each("nvidia", r"GPU models and configuration: (?P<name>(?:NVIDIA|GeForce|Tesla|Quadro)[^\n]{1,60})$"),
        _each("nvidia", r"Device (?P<index>\d{1,3}): (?P<name>(?:NVIDIA|GeForce|Tesla|Quadro)[^\n,]{1,60}), compute capability (?P<major>\d{1,2})\.(?P<minor>\d)", key="index"),
        _each("nvidia", r"^(?P<index>\d{1,3}), (?P<name>NVIDIA [^\n,]{2,60}), (?:GPU-[0-9a-f-]{8,40}|" + _PCI + r"|\d{3}\.\d)", key="index"),
    ),
}  # fmt: skip

"""Whether `firstlight facts` stays linear: sysfs of 10, 100, 1,000 GPUs, as KFD, PCI and DRM show them."""

from __future__ import annotations

import json
import os
import sys
import tempfile

from benchmarks.cost import cost

FIRSTLIGHT = os.path.join(os.path.dirname(sys.executable), "firstlight")
COUNTS = (10, 100, 1000)
PROPERTIES = """cpu_cores_count 0
simd_count 1216
mem_banks_count 1
gfx_target_version 90402
vendor_id 4098
device_id 29857
location_id {location}
domain {domain}
drm_render_minor {minor}
num_xcc 8
unique_id {unique}
"""


def main() -> None:
    """Print the time for each GPU at each count."""
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for count in COUNTS:
            root = os.path.join(folder, str(count))
            for index in range(count):
                gpu(root, index)
            rows[count] = cost([FIRSTLIGHT, "facts", "--host", root, "--json"], runs=3).wall
    base = rows[COUNTS[0]]
    document = {
        "seconds": {str(count): round(wall, 3) for count, wall in rows.items()},
        "ms_for_each_gpu_100": round((rows[100] - base) / 90 * 1000, 3),
        "ms_for_each_gpu_1000": round((rows[1000] - base) / 990 * 1000, 3),
    }
    print(json.dumps(document, indent=1))


def gpu(root: str, index: int) -> None:
    """One GPU: eight to a PCI domain, each on a bus of its own."""
    domain, bus = index // 8, 16 + index % 8 * 16
    address, minor = f"{domain:04x}:{bus:02x}:00.0", 128 + index
    write(f"{root}/sys/class/kfd/kfd/topology/nodes/{index + 1}/properties",
          PROPERTIES.format(location=bus << 8, domain=domain, minor=minor, unique=10**15 + index))  # fmt: skip
    write(f"{root}/sys/class/kfd/kfd/topology/nodes/{index + 1}/gpu_id", f"{index + 1000}\n")
    write(f"{root}/sys/class/kfd/kfd/topology/nodes/{index + 1}/mem_banks/0/properties",
          "heap_type 1\nsize_in_bytes 206141652992\nflags 0\nwidth 8192\nmem_clk_max 1300\n")  # fmt: skip
    for name, value in (("vendor", "0x1002"), ("device", "0x74a1"), ("class", "0x120000"), ("revision", "0x00"),
                        ("uevent", f"DRIVER=amdgpu\nPCI_ID=1002:74A1\nPCI_SLOT_NAME={address}")):  # fmt: skip
        write(f"{root}/sys/bus/pci/devices/{address}/{name}", value + "\n")
        write(f"{root}/sys/class/drm/card{index}/device/{name}", value + "\n")
    write(f"{root}/sys/class/drm/card{index}/device/mem_info_vram_total", "206141652992\n")


def write(path: str, text: str) -> None:
    """A file with its folders."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


if __name__ == "__main__":
    main()

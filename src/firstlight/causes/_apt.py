"""What several causes about apt ask: which packages of this machine's stack, which vendor's sources, which pins."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from ..facts.model import Facts, Pin, Repository, Unknown
from ..knowledge.repositories import VendorRepository, vendors

STACK = ("rocm*", "hip*", "amdrocm*", "amdgpu*", "roc*", "miopen*", "rccl*", "comgr*", "hsa*", "libhsa*", "libamdhip*",
         "nvidia*", "libnvidia*", "cuda*", "libcuda*", "libcudnn*", "libnccl*", "libcublas*", "linux-firmware*",
         "firmware-amd-graphics", "libdrm-amdgpu*")  # fmt: skip
"""Names of packages that GPU work stands on."""
ROCM_OF_A_RELEASE = ("rocminfo", "hipcc", "rocm-cmake", "rocm-device-libs", "rocm-smi")
"""Names that AMD's first generation of packages shares with the distributions' own."""


def of_stack(name: str) -> bool:
    """Whether a package belongs to a GPU's stack, by its name."""
    return any(fnmatchcase(name, pattern) for pattern in STACK)


def enabled(facts: Facts) -> list[Repository]:
    """Sources of packages that apt reads; none where that is not known."""
    found = facts.repositories
    return [] if isinstance(found, Unknown) else [one for one in found if one.enabled and "deb" in one.types]


def of_vendor(facts: Facts, *generations: str) -> Iterator[tuple[Repository, VendorRepository]]:
    """The machine's sources that are a vendor's of these generations, by host and path."""
    known = {_stem(one.url): one for one in vendors() if one.generation in generations}
    for repository in enabled(facts):
        for uri in repository.uris:
            found = known.get(_stem(uri))
            if found is not None:
                yield repository, found
                break


def _stem(url: str) -> str:
    """An address without what differs from release to release: `repo.radeon.com/rocm/apt`."""
    place = url.partition("://")[2].partition("{")[0].rstrip("/")
    parts = [part for part in place.split("/") if not part.replace(".", "").isdigit() and part != "latest"]
    if parts[:1] == ["developer.download.nvidia.com"]:
        return "/".join(parts[:4])
    return "/".join(part for part in parts if not part.startswith(("ubuntu2", "debian1")))


def pins(facts: Facts) -> list[Pin]:
    """What is pinned; none where that is not known."""
    return [] if isinstance(facts.apt.pins, Unknown) else facts.apt.pins


def prefers(pin: Pin, origin: str, host: str) -> bool:
    """Whether a pin puts all packages of an origin above what is not pinned (500)."""
    if pin.priority <= 500 or "*" not in pin.packages:
        return False
    kind, _, rest = pin.pin.partition(" ")
    said = [part.strip().strip('"') for part in rest.split(",")]
    return (kind == "release" and f"o={origin}" in said) or (kind == "origin" and host in said)


def shown(pin: Pin) -> str:
    """A stanza on one line."""
    return f"Package: {' '.join(pin.packages)[:80]}; Pin: {pin.pin[:80]}; Pin-Priority: {pin.priority}"

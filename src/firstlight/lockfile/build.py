"""What the locked torch was built for, by the lock's own names and by what is known of such builds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ..facts.torch_build import DEVICE_PREFIXES
from ..project.model import Backend
from ..routes.family import backend_of_local
from ..routes.model import Wheel


class Build(NamedTuple):
    """The locked torch."""

    backend: Backend
    torch: str | None
    """Its version."""
    number: str | None
    """Of ROCm or CUDA: `7.2`, `13.0`."""
    devices: tuple[str, ...]
    """Ends of the device packages beside it: `gfx1151`, `gfx115x`."""


def build_of(backend: Backend, locked: Sequence[Wheel]) -> Build:
    """Told by names and versions alone."""
    torch = next((wheel.version for wheel in locked if wheel.name == "torch"), None)
    number = backend_of_local(torch.partition("+")[2])[1] if torch else None
    if number is None and backend == "cuda":
        number = _cuda(locked)
    devices = [
        wheel.name.removeprefix(one) for wheel in locked for one in DEVICE_PREFIXES if wheel.name.startswith(one)
    ]
    return Build(backend, torch, number, tuple(dict.fromkeys(devices)))


def _cuda(locked: Sequence[Wheel]) -> str | None:
    """`13.0` from the version of the CUDA runtime that it depends on."""
    for wheel in locked:
        if wheel.name.startswith(("nvidia-cuda-runtime", "cuda-toolkit")):
            return ".".join(wheel.version.split(".")[:2])
    return None


def runs(build: Build, target: str, arch: str) -> Literal["yes", "no", "unknown"]:
    """Whether the build has code that a GPU of `target` runs."""
    from ..knowledge.builds import runs_on, torch_doubtful, torch_targets

    if build.devices:
        return "yes" if any(_covers(device, target) for device in build.devices) else "no"
    if build.torch is None or build.number is None:
        return "unknown"
    carried = torch_targets(build.backend, build.number, build.torch, arch)
    if carried is None:
        return "unknown"
    if runs_on(carried, target, backend_version=build.number) != "no":
        return "yes"
    doubtful = torch_doubtful(build.backend, build.number, build.torch, arch)
    return "unknown" if target.partition(":")[0] in doubtful else "no"


def _covers(device: str, target: str) -> bool:
    """A device package is of one target, of a family (`gfx115x`), or of all."""
    bare = target.partition(":")[0]
    return device in (bare, f"{bare[:-1]}x", "all")

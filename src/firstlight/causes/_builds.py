"""What a torch build has code for, and how its parts are named."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ..facts.model import Environment, Facts, Gpu, Unknown
from ._environments import path, shorten
from .model import Evidence, NotKnown

ARCHES = ("x86_64", "aarch64")
"""Processors that there are wheels with device code for."""
DEVICE_PREFIXES = ("amd-torch-device-", "rocm-sdk-device-")
"""Packages that hold the device code of one GPU (ROCm/TheRock RELEASES.md, 2026-08-22)."""


def rocm_suffix(version: str) -> str | None:
    """`7.2.0` of `2.9.1+rocm7.2.0.lw.git7e1940d4`; None: the version names no ROCm."""
    _, plus, local = version.partition("+")
    if not plus or not local.startswith("rocm"):
        return None
    parts: list[str] = []
    for part in local.removeprefix("rocm").split("."):
        if not part[:1].isdigit():
            break
        parts.append(part)
    return ".".join(parts) or None


def numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version: (10, 2, 0) of `10.2.0a20260929`."""
    found: list[int] = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits or len(digits) > 9:
            break
        found.append(int(digits))
        if digits != part:
            break
    return tuple(found)


def splits_device_code(environment: Environment) -> bool:
    """Whether this is AMD's layout of 7.14 and later, with device code in packages of their own. PyTorch's own
    index keeps whole wheels: their suffix has two numbers (`+rocm7.14`), AMD's three (`+rocm7.14.0`)."""
    if any(one.name.startswith(DEVICE_PREFIXES) for one in environment.distributions):
        return True
    suffix = rocm_suffix(environment.torch.version) if environment.torch else None
    version = numbers(suffix or "")
    return version >= (10,) or (version >= (7, 14) and len(version) >= 3)


def device_packages(environment: Environment) -> list[str]:
    """Names of the device packages that are installed."""
    return [one.name for one in environment.distributions if one.name.startswith(DEVICE_PREFIXES)]


def covers(package_suffix: str, target: str) -> bool:
    """Whether device code for `package_suffix` (`gfx1151`, `gfx115x`, `gfx11`, `all`) serves the target."""
    bare = package_suffix.split("-", maxsplit=1)[0].lower()
    return bare in {target, f"{target[:-1]}x", target[:-2], "all"} and bool(bare)


def targets(facts: Facts, environment: Environment, gpus: list[Gpu]) -> list[str] | NotKnown:
    """Targets that its torch carries; NotKnown if they, or the target of one of `gpus`, are not known."""
    known = environment.torch.targets if environment.torch else []
    if isinstance(known, Unknown):
        known = _on_any_processor(facts, environment) or known
    if isinstance(known, Unknown):
        return NotKnown((f"{path(facts, environment)}.torch.targets ({known.unknown}: {known.source})",))
    return without_target(facts, gpus) or known


def library_evidence(environment: Environment, served: Callable[[list[str]], bool]) -> tuple[Evidence, ...]:
    """Each of torch's libraries that was read and serves the GPU not, with what it holds instead."""
    read = environment.torch.libraries if environment.torch else []
    held = [(one, one.targets) for one in read if not isinstance(one.targets, Unknown)]
    return tuple(
        Evidence("python.environments.torch.libraries", shorten(" ".join(targets) or "none"), one.path)
        for one, targets in held
        if not served(targets)
    )


def was_read(environment: Environment) -> bool:
    """Whether the targets are what its libraries hold, which no list can contradict."""
    read = environment.torch.libraries if environment.torch else []
    return any(not isinstance(one.targets, Unknown) for one in read)


def _on_any_processor(facts: Facts, environment: Environment) -> list[str] | None:
    """Where the processor is not known: all that the wheel of this version carries for one processor or another. None
    where the processor is not what is missing, or no such wheel is known."""
    torch = environment.torch
    if torch is None or isinstance(facts.arch, str) or not isinstance(torch.backend_version, str):
        return None
    label, backend = torch.version.partition("+")[2], str(torch.backend)
    if label not in {f"rocm{torch.backend_version}", "cu" + torch.backend_version.replace(".", "")}:
        return None  # a build of someone else's may hold anything
    from ..knowledge import builds

    found = [builds.torch_targets(backend, torch.backend_version, torch.version, arch) for arch in ARCHES]
    return sorted({target for one in found for target in one or ()}) or None


def runs(carried: list[str], target: str, cuda: str | None = None) -> bool:
    """Whether a build with these targets has code that this target can run; `cuda`: what it was built with."""
    return _runs(tuple(carried), target, cuda)


@lru_cache(maxsize=256)
def _runs(carried: tuple[str, ...], target: str, cuda: str | None) -> bool:
    from ..knowledge import builds

    return builds.runs_on(carried, target, backend_version=cuda) != "no"


def in_doubt(facts: Facts, environment: Environment, gpu: Gpu) -> bool:
    """Whether sources disagree on this build's having code for the GPU, and it was not read either."""
    if was_read(environment):
        return False
    from ..knowledge import builds

    torch = environment.torch
    suffix = rocm_suffix(torch.version) if torch else None
    if torch is None or suffix is None:
        return False
    arch = facts.arch if isinstance(facts.arch, str) else ARCHES[0]
    return gpu.target in builds.torch_doubtful("rocm", suffix, torch.version, arch)


def without_target(facts: Facts, gpus: list[Gpu]) -> NotKnown | None:
    """NotKnown if the target of a GPU is not known."""
    wanted = {id(gpu) for gpu in gpus if not gpu.target}
    if not wanted:
        return None
    blank = [(at, gpu) for at, gpu in enumerate(facts.gpus) if id(gpu) in wanted]
    return NotKnown(tuple(f"gpus[{at}].target ({gpu.unknown.get('target', 'not-known')})" for at, gpu in blank[:4]))


def divide(gpus: list[Gpu], served: Callable[[Gpu], bool]) -> tuple[list[Gpu], list[Gpu]]:
    """Those that are served and those that are not. Linear in their number."""
    yes: list[Gpu] = []
    no: list[Gpu] = []
    for gpu in gpus:
        (yes if served(gpu) else no).append(gpu)
    return yes, no

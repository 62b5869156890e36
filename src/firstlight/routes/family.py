"""The torch family: what comes only from a route's own index, and how a build tells its backend."""

from __future__ import annotations

from ..project.model import Backend

FAMILY: tuple[str, ...] = (
    "torch", "torchvision", "torchaudio", "torchcodec", "torchao", "triton", "triton-rocm", "triton-xpu",
    "pytorch-triton", "pytorch-triton-rocm", "pytorch-triton-xpu", "rocm", "rocm-sdk-core", "rocm-sdk-devel",
    "rocm-sdk-libraries", "amd-torch-device",
)  # fmt: skip
"""Names that PyTorch's and AMD's own indices serve (https://download.pytorch.org/whl/, https://repo.amd.com/rocm/whl/).
The default index has other files under some of them, so a name is never looked up in both."""

BUILDS: tuple[str, ...] = ("torch", "torchvision", "torchaudio")
"""Those whose local version says what they were built for."""


def is_family(name: str) -> bool:
    """Whether a normalised name belongs to it. AMD's device wheels carry the chip: `rocm-sdk-device-gfx1151`,
    `amd-torchvision-device-gfx1151`."""
    return name in FAMILY or name.startswith("rocm-sdk-") or (name.startswith("amd-torch") and "-device-" in name)


ROCM_TRITON: tuple[str, ...] = ("triton-rocm", "pytorch-triton-rocm")
"""Names of the `triton` that PyTorch builds for ROCm: the newer one first (https://download.pytorch.org/whl/)."""

OWN_IF_SERVED: tuple[str, ...] = ("rocm-bootstrap",)
"""AMD's, on the default index too: from the route's own where that has it, else from the default one; never both."""


def may_be_own(name: str) -> bool:
    """Whether the route's own index is looked at for a normalised name."""
    return is_family(name) or name in OWN_IF_SERVED


def backend_of_local(local: str | None, arch: str | None = None) -> tuple[Backend | None, str | None]:
    """(backend, its version) from the local part of a version: `rocm7.2` is ROCm 7.2, `cu130` is CUDA 13.0.
    A torch for Linux without one is PyTorch's CUDA build (https://pytorch.org/get-started/locally/); which CUDA, its
    metadata tells. (None, None): another kind, such as `xpu`, or none for `arch`."""
    if not local:
        return ("cuda", None) if arch in (None, "x86_64", "aarch64") else (None, None)
    word = local.split(".")[0].split("-")[0].split("_")[0]
    if word == "cpu":
        return "cpu", None
    if word.startswith("rocm"):
        return "rocm", _rocm_version(local) or None
    if word.startswith("cu") and word[2:].isdigit() and len(word) >= 4:
        return "cuda", f"{word[2:-1]}.{word[-1]}"
    return None, None


def _rocm_version(local: str) -> str:
    """`rocm7.2.1.gitabcdef` -> `7.2.1`, `rocm10.2.0a20260918` -> `10.2.0`."""
    numbers = []
    for part in local.removeprefix("rocm").split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if digits:
            numbers.append(digits)
        if digits != part:
            break
    return ".".join(numbers)

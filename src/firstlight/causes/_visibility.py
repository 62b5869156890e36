"""What the *_VISIBLE_DEVICES variables leave of the GPUs.

Sources: ROCr core/runtime/amd_filter_device.cpp (an empty ROCR_VISIBLE_DEVICES leaves none; what follows an invalid
index is dropped), ROCclr device/rocm/rocdevice.cpp (HIP_VISIBLE_DEVICES, else CUDA_VISIBLE_DEVICES, index what ROCr
left), torch/cuda/__init__.py `_parse_visible_devices` (an empty HIP_VISIBLE_DEVICES means no device), CUDA C++
Programming Guide, "CUDA Environment Variables"."""

from __future__ import annotations

from typing import Literal

import msgspec

Problem = Literal["", "empty", "negative", "malformed", "out-of-range", "twice"]


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """What a list of devices selects."""

    kept: tuple[int, ...]
    """Indices that are valid, as far as the first that is not."""
    named: int
    """Devices named by UUID: facts do not tell which they are, or whether they are there."""
    problem: Problem
    """Why the list ends early, or selects nothing."""

    @property
    def count(self) -> int:
        """How many devices it leaves at most."""
        return len(self.kept) + self.named


def select(value: str, count: int | None) -> Selection:
    """What `value` leaves of `count` devices (None: not known how many there are). Linear in its length."""
    kept: list[int] = []
    named = 0
    if not value.strip():
        return Selection(kept=(), named=0, problem="empty")
    for token in value.split(","):
        word = token.strip()
        if _is_name(word):
            named += 1
            continue
        problem = _problem(word, count, kept)
        if problem:
            return Selection(kept=tuple(kept), named=named, problem=problem)
        kept.append(int(word))
    return Selection(kept=tuple(kept), named=named, problem="")


def _is_name(word: str) -> bool:
    return word.upper().startswith(("GPU-", "MIG-"))


def _problem(word: str, count: int | None, kept: list[int]) -> Problem:
    if word.startswith("-") and word[1:].isdecimal():
        return "negative"
    if not (word.isascii() and word.isdecimal() and len(word) <= 6):
        return "malformed"
    if count is not None and int(word) >= count:
        return "out-of-range"
    return "twice" if int(word) in kept else ""


def of_none(value: str) -> bool:
    """Whether the container runtime's list asks for no GPU: `void`, `none`, or nothing."""
    return value.strip().lower() in {"", "void", "none"}

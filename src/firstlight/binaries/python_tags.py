"""What a wheel's compatibility tags ask for (PyPA: platform compatibility tags; PEP 425, 600)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

LEGACY = {"manylinux1": "2.5", "manylinux2010": "2.12", "manylinux2014": "2.17"}
MOST = 64
"""Tags of one wheel that are looked at."""


class Asks(msgspec.Struct, frozen=True, kw_only=True):
    """Sets of which one member is enough; empty: nothing is asked."""

    pythons: tuple[str, ...] = ()
    """`3.11`; `3.9+` for the stable ABI, or for any newer one."""
    machines: tuple[str, ...] = ()
    """`x86_64`."""
    glibc: str | None = None
    """Lowest that one of the tags takes."""
    musl: bool = False
    """Whether every platform tag is for musl."""


def asks(tags: Sequence[str]) -> Asks:
    """Of tags as a wheel's name or WHEEL file gives them, compressed (`cp39.cp310-abi3-any`) or not."""
    pythons: dict[str, None] = {}
    machines: dict[str, None] = {}
    floors: list[tuple[int, ...]] = []
    platforms: list[str] = []
    for tag in tags[:MOST]:
        interpreters, _, rest = tag.partition("-")
        abi, _, where = rest.partition("-")
        pythons |= dict.fromkeys(found for one in interpreters.split(".")[:8] if (found := _python(one, abi)))
        for platform in where.split(".")[:8]:
            platforms.append(platform)
            floor, machine = _platform(platform)
            machines |= dict.fromkeys([machine] if machine else [])
            floors += [floor] if floor else []
    musl = bool(platforms) and all(one.startswith("musllinux_") for one in platforms)
    least = ".".join(map(str, min(floors))) if floors and not musl else None
    return Asks(pythons=tuple(pythons), machines=tuple(machines), glibc=least, musl=musl)


def serves(wanted: str, python: str) -> bool:
    """Whether Python `3.12` is one that `3.9+` or `3.11` means."""
    least, plus, _ = wanted.partition("+")
    have, want = _numbers(python), _numbers(least)
    return have >= want if plus else have[:2] == want[:2]


def _python(interpreter: str, abi: str) -> str | None:
    digits = interpreter.removeprefix("cp").removeprefix("py")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 4:
        return None
    if digits == "3":  # any that this program meets
        return None
    version = f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else f"{digits}.0"
    return f"{version}+" if abi == "abi3" or interpreter.startswith("py") else version


def _platform(platform: str) -> tuple[tuple[int, ...] | None, str | None]:
    """(lowest glibc, machine): `manylinux_2_28_x86_64` -> (2, 28), `x86_64`."""
    for name, least in LEGACY.items():
        if platform.startswith(f"{name}_"):
            return _numbers(least), platform.removeprefix(f"{name}_")
    words = platform.split("_", 3)
    if words[0] in ("manylinux", "musllinux") and len(words) == 4 and words[1].isdecimal() and words[2].isdecimal():
        floor = _numbers(f"{words[1]}.{words[2]}")
        return (floor if words[0] == "manylinux" else None), words[3]
    if platform.startswith("linux_"):
        return None, platform.removeprefix("linux_")
    return None, None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isascii() and part.isdecimal() and len(part) < 9)

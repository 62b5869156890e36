"""Names of targets: checked, ordered, and told shortly."""

from __future__ import annotations

from collections.abc import Iterable

from ..knowledge.amd_chips import amd, kfd_of_target
from ..knowledge.tables import raw

FEATURES = ("xnack", "sramecc")
MOST = 24
"""Characters that a mode or a target may have."""


def target_of(word: str) -> str | None:
    """The target that a person means by `gfx1151`, `GFX90A:xnack-`, `sm_121`, `sm_90a`; None: it is none of a device
    (`gfx11-generic` and `compute_90` are names of code)."""
    name, *modes = word.strip().lower().split(":")
    if len(word) > 2 * MOST or not name.isascii():
        return None
    if name.startswith("gfx"):
        fits = kfd_of_target(name) is not None and all(
            mode[:-1] in FEATURES and mode[-1:] in ("+", "-") for mode in modes
        )
        return ":".join([name, *sorted(modes)]) if fits else None
    digits = name.removeprefix("sm_").removesuffix("a").removesuffix("f")
    fits = name.startswith("sm_") and digits.isdigit() and 2 <= len(digits) <= 3 and not modes
    return name if fits else None


def meant(word: str) -> str | None:
    """The target that was perhaps meant by `1151`, `sm121`, `12.1`, `compute_90`, `MI300X`; None: no guess."""
    from ..knowledge.chips import targets_of_product

    plain = word.strip().lower()
    number = "".join(sign for sign in plain.removeprefix("compute").removeprefix("sm") if sign not in "_-. ")
    guesses = (f"gfx{number.removeprefix('gfx')}", f"sm_{number}")
    known = [one for one in guesses if target_of(one) and (amd(one) or raw("nvidia/targets").get(one.rstrip("af")))]
    products = () if known else targets_of_product(word)
    return known[0] if known else products[0] if len(products) == 1 else None


def order(target: str) -> tuple[object, ...]:
    """By vendor and by number: gfx908, gfx90a, gfx1030; generic ones behind their family; PTX behind SASS."""
    base = target.partition(":")[0]
    if base.startswith("gfx"):
        number = kfd_of_target(base)
        family = base.removeprefix("gfx").partition("-")[0].rstrip("xX")
        at = number if number is not None else int(family) * 10000 + 9999 if family.isdecimal() else 10**9
        return (0, number is None, at, target)
    digits = "".join(sign for sign in base if sign.isascii() and sign.isdigit())
    return (1, not base.startswith("sm_"), int(digits[:6] or "0"), target)


def ordered(targets: Iterable[str]) -> tuple[str, ...]:
    """Each once."""
    return tuple(sorted(set(targets), key=order))


def packed(targets: Iterable[str], most: int = 0) -> str:
    """`gfx900 906 90a 1151, gfx11-generic, sm_75 80 90a, compute_90`: a prefix is said once. With `most`, a longer list
    as its ends: `gfx900…gfx1201 (12)`."""
    parts: list[str] = []
    for prefix, names in _families(ordered(targets)):
        if most and len(names) > most:
            parts.append(f"{names[0]}…{names[-1]} ({len(names)})")
        else:
            parts.append(" ".join([names[0], *(name.removeprefix(prefix) for name in names[1:])]))
    return ", ".join(parts)


def _families(targets: Iterable[str]) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for target in targets:
        prefix = next((one for one in ("sm_", "compute_") if target.startswith(one)), "")
        if target.startswith("gfx") and not target.partition(":")[0].endswith("-generic"):
            prefix = "gfx"
        if prefix and found and found[-1][0] == prefix:
            found[-1][1].append(target)
        else:
            found.append((prefix, [target]))
    return found

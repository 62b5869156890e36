"""NVIDIA chips: how device ids, model names and device-tree strings lead to a chip and its target."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from . import pci
from .tables import raw

VENDOR = 0x10DE


class NvidiaChip(msgspec.Struct, frozen=True, kw_only=True):
    """One NVIDIA chip as a product carries it."""

    code: str
    """Chip code as pci.ids writes it: `AD107`, `GB20B`."""
    target: str | None
    """`sm_89`; None: not known to us."""
    family: str | None
    name: str | None
    """Product, from pci.ids."""
    integrated: bool | None
    """Shares memory with the processor."""
    last_driver: str | None
    """Last driver branch that serves it, where there is one."""
    sources: tuple[str, ...] = ()
    as_of: str | None = None


@cache
def nvidia_by_device(device: int) -> NvidiaChip | None:
    """The chip with this PCI device id; None if pci.ids does not name it or names no chip that we know."""
    full = (pci.name(VENDOR, device) or "").replace(" Engineering Sample", "")
    named, _, product = full.partition(" [")
    if " " in named.replace(" / ", "/") or "NVSwitch" in product:
        return None  # another function of the chip: `AD102 High Definition Audio Controller`
    return _chip(named, pci.bracketed(full))


def is_before_cuda(device: int) -> bool:
    """Whether pci.ids names a chip of GeForce 7 or older, which no CUDA was ever made for."""
    first = (pci.name(VENDOR, device) or "").partition(" ")[0]
    return first.startswith(tuple(raw("nvidia/chips")["before_cuda"]["codes"]))


def nvidia_by_compatible(compatible: str) -> NvidiaChip | None:
    """The integrated GPU (Jetson) with this device-tree string, e.g. `nvidia,ga10b`."""
    code = raw("nvidia/jetson")["compatible"].get(compatible)
    return _chip(code, None) if code else None


def jetson_wheels() -> str:
    """Where NVIDIA publishes its own torch for Jetson."""
    return str(raw("nvidia/jetson")["wheels"]["url"])


@cache
def nvidia_by_model(model: str) -> NvidiaChip | None:
    """The chip of a model as the driver names it (`NVIDIA GeForce RTX 3090`). Words are dropped from the end until
    products of pci.ids begin with what is left; they must then agree on the target. None: not known."""
    words = _words(model)[:12]
    whole = words
    if code := raw("nvidia/jetson")["models"].get(" ".join(words)):
        return _chip(code, None)
    entries = [(code, product, _words(product)) for code, product in _alternatives()]
    while words and (words is whole or _has_digit(words)):
        fitting = [one for one in entries if one[2] == words] or [
            one for one in entries if one[2][: len(words)] == words and _has_digit(words)
        ]
        chips = [chip for code, product, _ in fitting if (chip := _chip(code, product))]
        if chips:
            return _common(chips, exact=words == whole)
        words = words[:-1]
    return None


@cache
def _alternatives() -> tuple[tuple[str, str], ...]:
    """(chip code, product) of all products; `A / B` in one pair of brackets is two, as is `Quadro RTX 6000/8000`."""
    listed = ((code, one) for code, product in pci.products(VENDOR) for one in product.split(" / "))
    return tuple((code, each) for code, one in listed for each in _spelt_out(one))


def _spelt_out(product: str) -> list[str]:
    head, _, last = product.rpartition(" ")
    numbers = last.split("/")
    return [f"{head} {one}" for one in numbers] if all(one.isdecimal() for one in numbers) else [product]


def _has_digit(words: list[str]) -> bool:
    return any(sign.isdigit() for word in words for sign in word)


def _common(chips: list[NvidiaChip], *, exact: bool) -> NvidiaChip | None:
    if len({chip.target for chip in chips}) != 1:
        return None
    first = chips[0]
    one = exact and len({chip.code for chip in chips}) == 1
    return first if one else msgspec.structs.replace(first, name=None)


def _words(model: str) -> list[str]:
    plain = model.lower().replace("-", " ").replace("(", " ").replace(")", " ")
    return [word for word in plain.split() if word not in {"nvidia", "graphics", "device", "hgx"}]


def _chip(named: str, product: str | None) -> NvidiaChip | None:
    """`named`: chip code with its suffix and perhaps another name (`GB203M / GN22`)."""
    code = named.partition(" ")[0].partition("/")[0]
    row = _rows().get(code) or _rows().get(_bare(code))
    if row is None:
        return None
    table = raw("nvidia/chips")
    legend = table["legend"]
    return NvidiaChip(
        code=code if code in _rows() else _bare(code),
        target=row.get("target"),
        family=row.get("family"),
        name=product,
        integrated=row.get("integrated"),
        last_driver=row.get("last_driver"),
        sources=tuple(legend[key] for key in row["sources"]),
        as_of=table["as_of"],
    )


def _bare(code: str) -> str:
    """Without the suffix of the board's kind: GL workstation, M mobile, B of a revised board."""
    for suffix in ("BGLM", "BGL", "GLM", "BM", "GL", "M"):
        if code.endswith(suffix):
            return code.removesuffix(suffix)
    return code


@cache
def _rows() -> dict[str, dict[str, Any]]:
    return {code: row for row in raw("nvidia/chips")["chip"] for code in row["codes"]}

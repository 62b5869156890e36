"""The TOML tables beside this file, read once and only when something in them is asked for."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
FOLDER = __file__.rpartition("/")[0]


@cache
def raw(name: str) -> dict[str, Any]:
    """Table `name` (`amd/devices`) as parsed. Our own files: a missing or malformed one is a bug and raises."""
    tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    with open(f"{FOLDER}/{name}.toml", "rb") as file:
        table: dict[str, Any] = tomllib.load(file)
    return table


def records(name: str, key: str, kind: type[T]) -> tuple[T, ...]:
    """The array of tables `key` as records; short source keys are spelt out."""
    return tuple(msgspec.convert(sourced(name, entry), kind) for entry in raw(name).get(key, ()))


def sourced(name: str, entry: dict[str, Any]) -> dict[str, Any]:
    """An entry with its `sources` spelt out through the table's legend, and the day when the table was checked."""
    table = raw(name)
    legend = table.get("legend", {})
    spelt = tuple(legend.get(key, key) for key in entry.get("sources", ()))
    return {**entry, "sources": spelt, "as_of": table.get("as_of")}

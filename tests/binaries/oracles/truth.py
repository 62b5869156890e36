"""What the tools say about one file, kept between runs: asking them about a large library takes minutes."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import msgspec

from . import amd, nvidia
from .contents import CONTAINERS, opened
from .tools import ToolFailed


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """Of one file: targets with the number of their code objects, or why the tools could not say."""

    targets: dict[str, int] = {}
    failed: str | None = None


def of_file(path: Path) -> Truth | None:
    """None: neither vendor's tool finds GPU code."""
    try:
        found = amd.targets(path)
        if found is not None:
            return Truth(targets=dict(found))
        found = nvidia.targets(path)
    except (ToolFailed, OSError, ValueError) as failure:
        return Truth(failed=str(failure))
    return None if found is None else Truth(targets=dict(found))


def of_argument(path: Path) -> dict[str, Truth]:
    """Of a file, under its name, or of every member of a wheel or a package."""
    if not path.name.endswith(CONTAINERS):
        truth = of_file(path)
        return {path.name: truth} if truth else {}
    with opened(path) as members:
        objects = [member for member in members.values() if amd.is_object(member)]
        known = amd.targets_of_objects(objects)
        found = {
            name: Truth(targets={known[one]: 1}) if one in known else of_file(one) for name, one in members.items()
        }
    return {name: truth for name, truth in found.items() if truth}


def kept(path: Path, folder: Path | None) -> dict[str, Truth]:
    """`of_argument`, from the folder of earlier answers if the file is the same still."""
    if folder is None:
        return of_argument(path)
    told = path.stat()
    place = folder / f"{path.name}-{told.st_size}-{told.st_mtime_ns}.json"
    if place.exists():
        return msgspec.json.decode(place.read_bytes(), type=dict[str, Truth])
    truth = of_argument(path)
    folder.mkdir(parents=True, exist_ok=True)
    if not any(one.failed for one in truth.values()):
        partial = place.with_suffix(f".{os.getpid()}")
        partial.write_text(json.dumps(msgspec.to_builtins(truth)))
        partial.replace(place)
    return truth


def total(truths: dict[str, Truth]) -> Counter[str]:
    """All members together."""
    counted: Counter[str] = Counter()
    for truth in truths.values():
        counted.update(truth.targets)
    return counted

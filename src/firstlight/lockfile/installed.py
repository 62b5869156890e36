"""The distributions of an environment, told by its dist-info folders. Its Python is not run, nothing is imported."""

from __future__ import annotations

import os
from typing import NamedTuple

from ..facts.distributions import header, normalised
from .env_tree import CACHE, Tree, head, reason, walk
from .record import LIMIT, Claim, Record, parse

METADATA_AT_MOST = 1 << 18
"""Bytes; the name and the version stand in front."""
WORD_AT_MOST = 200
NOTHING = Record((), (), None)


class Installed(NamedTuple):
    """One distribution."""

    name: str
    """Normalised (PEP 503)."""
    version: str
    folder: str
    """Its dist-info (or egg-info), relative to the environment."""
    since: float | None
    """When its folder last changed, i.e. when it was installed; seconds since the epoch."""
    record: Record
    recorded: float | None
    """When its RECORD was written; None: it has none that can be read."""


class Environment(NamedTuple):
    """What is there."""

    tree: Tree
    site: str
    """Folder of packages, relative to the environment."""
    distributions: tuple[Installed, ...]


def read_environment(root: str, python: str) -> Environment:
    """`root`: the environment's folder, `python`: `3.11`. Never raises for what is there."""
    tree = walk(root)
    site = f"lib/python{python}/site-packages"
    folders = sorted(path for path in tree.folders if path.endswith((".dist-info", ".egg-info")))
    entries = [path for path in folders if path.rpartition("/")[0] == site]
    entries += [path for path in sorted(tree.files) if path.endswith(".egg-info") and path.rpartition("/")[0] == site]
    return Environment(tree, site, tuple(_installed(tree, site, path) for path in entries))


def _installed(tree: Tree, site: str, folder: str) -> Installed:
    name, version = _told(tree, folder)
    record, recorded = _record(tree, site, folder)
    return Installed(name, version, folder, tree.folders.get(folder), record, recorded)


def _told(tree: Tree, folder: str) -> tuple[str, str]:
    """By METADATA; where it cannot be read, by the folder's name."""
    stem = folder.rpartition("/")[2].rpartition(".")[0]
    name, _, version = stem.partition("-")
    try:
        content = head(os.path.join(tree.root, folder, "METADATA"), METADATA_AT_MOST).decode("utf-8", "replace")
    except OSError:
        content = ""
    said: dict[str, str] = {}
    for line in header(content).splitlines():
        field, _, value = line.partition(":")
        if field in ("Name", "Version"):
            said.setdefault(field, value.strip()[:WORD_AT_MOST])
    return normalised(said.get("Name") or name[:WORD_AT_MOST]), said.get("Version") or version[:WORD_AT_MOST]


def _record(tree: Tree, site: str, folder: str) -> tuple[Record, float | None]:
    path = f"{folder}/RECORD"
    seen = tree.files.get(path)
    try:
        record = parse(head(os.path.join(tree.root, path), LIMIT + 1), tree.root, site)
    except OSError as error:
        return NOTHING._replace(malformed=reason(error)), None
    return record, seen.mtime if seen else None


def claimed(distributions: tuple[Installed, ...]) -> dict[str, list[tuple[Installed, Claim]]]:
    """By path: who says that it is theirs. Several may: NVIDIA's packages share `nvidia/__init__.py`."""
    found: dict[str, list[tuple[Installed, Claim]]] = {}
    for one in distributions:
        for claim in one.record.claims:
            found.setdefault(claim.path, []).append((one, claim))
    return found


def versions(here: Environment) -> dict[str, str]:
    """Normalised name -> version."""
    return {one.name: one.version for one in here.distributions}


def lacking(here: Environment) -> str | None:
    """A file that some distribution's RECORD names and that is not there, relative to the environment; None: all are
    there. No content is compared."""
    broken = next((one.folder for one in here.distributions if one.recorded is None), None)
    if broken is not None:
        return f"{broken}/RECORD"
    gone = (path for path in claimed(here.distributions) if path not in here.tree.files)
    return next((path for path in gone if f"/{CACHE}/" not in path), None)

"""The commands that make an environment as it is locked."""

from __future__ import annotations

import os
from collections.abc import Sequence

from .difference import Difference, DifferenceKind

_WHICH: frozenset[DifferenceKind] = frozenset({"no-environment", "environment", "distribution-missing"})
_INSIDE: frozenset[DifferenceKind] = frozenset({
    "python", "distribution-version", "distribution-extra", "distribution-reinstalled", "record-unreadable",
    "record-outside", "file-missing", "file-changed", "file-added", "file-link",
})  # fmt: skip


def remedies(differences: Sequence[Difference], environment: str | None) -> tuple[tuple[str, ...], ...]:
    """`sync` takes the lock's environment for right if its distributions are there, so one whose content changed is
    removed first; and what changed through uv's hard links, in its cache too. One of another lock is left for a
    rollback; a hand-made one (told by its absolute path) is not ours to remove."""
    kinds = {one.kind for one in differences if one.unknown is None}
    if "pylock" in kinds or os.path.isabs(environment or "") or not kinds & (_INSIDE | _WHICH):
        return ()
    packages = sorted({one.of for one in differences if one.shared and one.of})
    clean = [("uv", "cache", "clean", *packages)] if packages else []
    inside = environment is not None and kinds & _INSIDE and "environment" not in kinds
    remove = [("rm", "-r", f".firstlight/envs/{environment}")] if inside else []
    return (*clean, *remove, ("firstlight", "sync"))

"""Whole terminal outputs compared with files. FIRSTLIGHT_UPDATE_SNAPSHOTS=1 writes what is new; read the diff then."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from io import StringIO
from pathlib import Path

from firstlight.cli.output import show
from firstlight.text.layout import Line, cells

FOLDER = Path(__file__).resolve().parent
WIDTH = 80


def drawn(lines: Iterable[Line]) -> str:
    """What a terminal of 80 columns without colour gets."""
    stream = StringIO()
    show(lines, stream, WIDTH)
    return stream.getvalue()


def check(name: str, text: str) -> None:
    """Compare with the file of that name; keep to 80 columns, but for what cannot be broken."""
    path = FOLDER / f"{name}.txt"
    # how many causes there are is no matter of wording: a new one is a new file and nothing else
    text = re.sub(r"\d+( causes| cause|\s*个原因)", r"N\1", text)
    if os.environ.get("FIRSTLIGHT_UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert path.exists(), "no snapshot yet: run with FIRSTLIGHT_UPDATE_SNAPSHOTS=1"
    assert text == path.read_text(encoding="utf-8")
    assert not [row for row in text.splitlines() if row != row.rstrip()]
    for row in text.splitlines():
        assert cells(row) <= WIDTH or unbreakable(row), f"wider than {WIDTH} columns: {row}"


def unbreakable(row: str) -> bool:
    """Commands are pasted whole, and a long path or address is one word."""
    words = row.split()
    return words[0] in ("sudo", "firstlight") or max(map(cells, words)) > WIDTH - 12

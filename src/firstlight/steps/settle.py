"""The same lock gives the same bytes in every folder and on every machine, RECORD among them: a note that uv leaves for
itself in what it installs from a file, which holds that file's time, is taken out again."""

from __future__ import annotations

import os

NOTE = "uv_cache.json"
LIMIT = 64 << 20
"""Bytes of one RECORD."""


def settle(environment: str, python: str) -> None:
    """`python`: `3.11`. Raises OSError."""
    site = os.path.join(environment, "lib", f"python{python}", "site-packages")
    for name in os.listdir(site):
        note = os.path.join(site, name, NOTE)
        if name.endswith(".dist-info") and os.path.lexists(note):
            _take_out(os.path.join(site, name, "RECORD"), f"{name}/{NOTE},".encode())
            os.unlink(note)


def _take_out(record: str, start: bytes) -> None:
    """Every line that begins so. A new file takes its place: uv's cache may share the old one."""
    with open(record, "rb") as file:
        lines = file.read(LIMIT).splitlines(keepends=True)
    with open(f"{record}.tmp", "wb") as file:
        file.writelines(line for line in lines if not line.startswith(start))
    os.replace(f"{record}.tmp", record)

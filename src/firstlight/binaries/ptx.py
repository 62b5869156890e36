"""PTX as text: what `nvcc -ptx` and Triton write, and files `.ptx`.

PTX ISA, 11.1: a module begins with `.version`, then `.target`, whose first word that names an architecture
(`sm_90a`) is the least that the code asks of the GPU; others are modes (`debug`, `texmode_independent`).
"""

from __future__ import annotations

import re
from functools import cache

from .found import Found
from .model import Code, Fault
from .source import Source

LONGEST_HEAD = 1 << 16
"""Bytes in which both directives must stand; comments before them included."""


def read_ptx(source: Source) -> Found | None:
    """The target of a PTX text; None if it is none. Raises OSError if the medium fails."""
    head = _bare(source.read(0, LONGEST_HEAD))
    if not head.startswith(".version"):
        return None
    told = _directives().match(head)
    if told is None:
        return Found(kind="ptx", faults=(Fault(kind="damaged", where="beginning", detail="PTX without a target"),))
    code = Code(vendor="nvidia", target=f"compute_{told[2]}", form="ptx", size=source.size, ptx_isa=told[1])
    return Found(kind="ptx", code=(code,))


def _bare(head: bytes) -> str:
    """Without comments and the white space before the first directive; cut where a comment does not end."""
    text = head.decode("latin-1")
    parts = []
    at = 0
    while (start := text.find("/", at)) >= 0:
        closing = {"//": "\n", "/*": "*/"}.get(text[start : start + 2])
        if closing is None:
            break
        parts.append(text[at:start])
        last = text.find(closing, start + 2)
        at = last + len(closing) if last >= 0 else len(text)
    parts.append(text[at:])
    return " ".join(parts).lstrip()


@cache
def _directives() -> re.Pattern[str]:
    target = r"(?:[a-z_0-9]+\s*,\s*)*?(?:sm|compute)_(\d{2,3}[af]?)\b"
    return re.compile(r"\.version\s+(\d{1,2}\.\d{1,2})\s+\.target\s+" + target)

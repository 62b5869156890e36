"""A block of a log as a person saw it: without colours and NULs, each state of a progress bar a line."""

from __future__ import annotations

import re

# ECMA-48: CSI sequences, OSC up to BEL or ST, two-byte escapes; every length is bounded
_ESCAPES = re.compile(
    rb"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b\n]{0,512}(?:\x07|\x1b\\)|[@-Z\\^_=>]|[()][0-9A-B])"
)
_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def clean(block: bytes) -> bytes:
    """The same lines (as many line feeds) without what is not text."""
    if b"\x1b" in block:
        block = _ESCAPES.sub(b"", block)
    return block.replace(b"\0", b"") if b"\0" in block else block


def encoding(head: bytes) -> str | None:
    """`utf-16-le` or `utf-16-be` where the text begins like that (PowerShell's `>` writes so); None for all else."""
    if head[:2] in _UTF16:
        return _UTF16[head[:2]]
    sample = head[:512]
    if len(sample) >= 16 and sample[1::2].count(0) > len(sample) * 0.4:
        return "utf-16-le"
    return None


def text(line: bytes) -> str:
    """A line as text: UTF-8, what is not so is replaced; control characters become spaces."""
    return "".join(sign if sign.isprintable() else " " for sign in line.decode("utf-8", "replace")).strip()

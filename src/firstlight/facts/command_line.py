"""The kernel command line, split as the kernel splits it."""

from __future__ import annotations

from ..host.model import Host
from .model import KernelParameter
from .reading import string
from .value import Fact, Unknown

PATH = "/proc/cmdline"


def command_line(host: Host) -> Fact[list[KernelParameter]]:
    """Parameters of /proc/cmdline for the kernel; those behind a lone `--` are init's."""
    found = string(host, PATH)
    return found if isinstance(found, Unknown) else split(found)


def split(line: str) -> list[KernelParameter]:
    """As `next_arg` in the kernel's lib/cmdline.c: blanks end a word unless a double quote is open; quotes around a
    whole word or around a whole value are dropped, others stay. Linear in the length."""
    words: list[KernelParameter] = []
    for word in _words(line):
        if word == "--":
            break
        words.append(_parameter(word))
    return words


def _words(line: str) -> list[str]:
    words: list[str] = []
    current = ""
    for index, piece in enumerate(line.split('"')):
        if index:
            current += '"'
        if index % 2:  # inside quotes
            current += piece
            continue
        first, *rest = _blanks(piece)
        current += first
        for part in rest:
            words.append(current)
            current = part
    return [word for word in (*words, current) if word]


def _blanks(piece: str) -> list[str]:
    """Split at white space, keeping the empty ends: they tell that a word ended there."""
    parts = piece.split()
    if not parts:
        return ["", ""] if piece else [""]
    return ([""] if piece[0].isspace() else []) + parts + ([""] if piece[-1].isspace() else [])


def _parameter(word: str) -> KernelParameter:
    if word.startswith('"'):
        word = word[1:].removesuffix('"')
    name, equals, value = word.partition("=")
    if not equals:
        return KernelParameter(name=name, value=None)
    if value.startswith('"'):
        value = value[1:].removesuffix('"')
    return KernelParameter(name=name, value=value)

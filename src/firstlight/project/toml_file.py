"""Reads one TOML file of bounded size; an error names the file and where in it."""

from __future__ import annotations

import os
import stat
import sys
from typing import Any, TypeVar

import msgspec

from ..errors import UnreadableInput
from ..words import Words

LIMIT = 1 << 20
"""Bytes. A settings file that is larger is no settings file."""

DEPTH = 64
"""Brackets left open at the end of a line. tomllib recurses once for each."""

T = TypeVar("T")


def read_toml(path: str) -> dict[str, Any] | None:
    """The table in `path`, or None if there is no such file. Raises UnreadableInput, naming the file."""
    data = read_small(path)
    return None if data is None else parse_toml(data, path)


def read_small(path: str) -> bytes | None:
    """Content of a regular file of at most LIMIT bytes; None if there is none. Raises UnreadableInput."""
    try:
        # a pipe must not be waited for
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise unreadable(path, "not a regular file")
            data = file.read(LIMIT + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise unreadable(path, getattr(error, "strerror", None) or str(error)) from error
    if len(data) > LIMIT:
        raise unreadable(path, f"larger than {LIMIT} bytes")
    return data


def parse_toml(data: bytes, path: str) -> dict[str, Any]:
    """The table that `data` holds; `path` is only named in the error."""
    from importlib import import_module

    tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    if _deep(data):
        raise unreadable(path, "nested too deeply")
    try:
        table: dict[str, Any] = tomllib.loads(data.decode("utf-8"))
    except RecursionError as error:  # deep within one line
        raise unreadable(path, "nested too deeply") from error
    except ValueError as error:
        raise unreadable(path, str(error) or type(error).__name__) from error
    return table


def _deep(data: bytes) -> bool:
    """Whether brackets that no line closes pile up: a deep array may be spread over many lines."""
    opened = 0
    for line in data.splitlines():
        opened = max(0, opened + sum(line.count(c) for c in (b"[", b"{")) - sum(line.count(c) for c in (b"]", b"}")))
        if opened > DEPTH:
            return True
    return False


def checked(value: object, type: type[T], path: str) -> T:
    """`value` as `type`. Raises UnreadableInput with the file and the path of the bad value in it."""
    try:
        return msgspec.convert(value, type)
    except msgspec.ValidationError as error:
        reason, place = split_place(str(error))
        raise bad_value(path, place, reason) from error


def split_place(message: str) -> tuple[str, str]:
    """msgspec's "Expected `int` - at `$.goal.torch`" -> ("Expected `int`", "goal.torch")."""
    reason, found, place = message.rpartition(" - at `")
    if not found:
        return message, ""
    return reason, place.rstrip("`").removeprefix("$").removeprefix(".")


def unreadable(path: str, reason: str) -> UnreadableInput:
    """The error for a file that cannot be read at all."""
    return UnreadableInput(
        Words(f"cannot read {path}: {reason}", f"无法读取 {path}：{reason}"),
        next=Words("mend the file, or take it away", "请修正或移走该文件"),
    )


def bad_value(path: str, place: str, reason: str) -> UnreadableInput:
    """The error for one value in a file; `place` is its path there, e.g. `goal.torch`."""
    where = f"{path}: {place}" if place else path
    return UnreadableInput(
        Words(f"{where}: {reason}", f"{where}：{reason}"),
        next=Words("correct that value", "请改正该值"),
    )

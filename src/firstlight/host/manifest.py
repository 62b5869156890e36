"""host.json: what a recorded host knows beside the content of its files.

Unknown keys are passed over, so that older programs read newer recordings of the same schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Union

import msgspec

from .model import FileInfo, Kind, Missing, Outcome, Process, Space
from .refusal import damaged

if TYPE_CHECKING:
    from ..errors import UnreadableInput

SCHEMA = "firstlight.host/1"
LIMIT = 64 << 20
"""Bytes of the largest host.json that is read: some 300,000 paths."""
PATH_LIMIT = 4096
"""Linux's PATH_MAX (include/uapi/linux/limits.h)."""
DEPTH_LIMIT = 128
_ID_LIMIT = 0xFFFFFFFF  # uid_t and gid_t are 32 bits wide
_DEFAULT_MODE = {Kind.DIR: 0o755, Kind.LINK: 0o777}


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One path: what lstat said (`kind` ...), or why it could not be read (`missing`), or both: it is there, but its
    content (of a folder: its listing) could not be read."""

    kind: Union[Kind, None] = None
    missing: Union[Missing, None] = None
    detail: str = ""
    """More about `missing`, the same in every language."""
    mode: Union[str, int, None] = None
    """Permission bits as an octal string, `0660`; a number is taken as it is. Device nodes must have it."""
    uid: Union[int, None] = None
    gid: Union[int, None] = None
    size: int = 0
    rdev: Union[tuple[int, int], None] = None
    """Major and minor number of a device node."""
    link: Union[str, None] = None
    """Text of a symbolic link."""
    mtime: Union[float, None] = None
    names: Union[tuple[str, ...], None] = None
    """Of a folder: all the names in it, also of what was not captured."""
    complete: Union[bool, None] = None
    """Of a folder without `names`: whether what is recorded is all there was (taken as true), so that a path in it
    that is not recorded was absent. False: it was only passed through."""
    sha256: Union[str, None] = None
    """Of a file whose content was left out for its size."""


class LeftOut(msgspec.Struct, frozen=True):
    """Something that was not captured, and why."""

    path: str
    """A path, a pattern, or `environment NAME`."""
    why: str
    """`too-large`, `secret`, `not-relevant`, `denied` ..."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded host but for the content of its files, which lies under root/."""

    schema: Literal["firstlight.host/1"]
    created: Union[float, None] = None
    """Seconds since the epoch on the host's clock."""
    firstlight: str = ""
    """Version of the recorder."""
    process: Union[Process, None] = None
    environment: Union[dict[str, str], None] = None
    machine: Union[str, None] = None
    """uname -m."""
    paths: dict[str, Entry] = {}
    spaces: Union[dict[str, Space], None] = None
    """Room by path; one stands for all below it, unless a deeper one is listed."""
    commands: Union[list[Outcome], None] = None
    read: list[str] = []
    """What was asked for, in order; for people."""
    left_out: list[LeftOut] = []


class _Tag(msgspec.Struct):
    schema: str


def parse(data: bytes, where: str) -> Manifest:
    """A checked manifest. Raises UnreadableInput naming the bad value (`paths["/dev/kfd"].mode`)."""
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except msgspec.ValidationError as error:
        raise _newer(data, where) or _wrong(where, *_place(data, error)) from None
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise damaged(where, f"not JSON ({error})", f"不是有效的 JSON（{error}）") from None
    for path, entry in manifest.paths.items():
        fault = path_fault(path) or entry_fault(entry)
        if fault:
            raise _wrong(where, f'paths["{shown(path)}"]{fault[0]}', fault[1])
    _check(manifest, where)
    return manifest


def _check(manifest: Manifest, where: str) -> None:
    """The values outside `paths`."""
    process = manifest.process
    if process and not all(0 <= number <= _ID_LIMIT for number in (process.uid, process.gid, *process.groups)):
        raise _wrong(where, "process", "an id is not a 32-bit number")
    for path, space in (manifest.spaces or {}).items():
        fault = path_fault(path)
        if fault or space.total < 0 or space.free < 0:
            raise _wrong(where, f'spaces["{shown(path)}"]', fault[1] if fault else "less than no room")


def info(entry: Entry) -> FileInfo | None:
    """lstat as recorded; None where only a reason was."""
    kind = entry.kind
    if kind is None:
        return None
    mode = _DEFAULT_MODE.get(kind, 0o644) if entry.mode is None else octal(entry.mode)
    return FileInfo(
        kind=kind,
        mode=mode or 0,
        uid=entry.uid or 0,
        gid=entry.gid or 0,
        size=entry.size,
        rdev=entry.rdev,
        link=entry.link,
        mtime=entry.mtime,
    )


def octal(mode: str | int) -> int | None:
    """Permission bits; None if `mode` is none. A file type above them (st_mode) is cut off."""
    if isinstance(mode, str):
        digits = mode.removeprefix("0o")
        if not digits or len(digits) > 8 or digits.strip("01234567"):
            return None
        mode = int(digits, 8)
    return mode & 0o7777 if 0 <= mode <= 0o177777 else None


def path_fault(path: str) -> tuple[str, str] | None:
    """What is wrong with a recorded path: it must be absolute and normal, and as short as Linux allows."""
    if not path.startswith("/") or "\0" in path:
        return "", "not an absolute path"
    if len(path) > PATH_LIMIT or path.count("/") > DEPTH_LIMIT:
        return "", "longer or deeper than a path can be"
    if path != "/" and any(name in ("", ".", "..") for name in path[1:].split("/")):
        return "", "not a normal path"
    return None


def entry_fault(entry: Entry) -> tuple[str, str] | None:
    """Field and reason of the first thing wrong with an entry."""
    if entry.kind is None:
        return None if entry.missing else ("", "neither kind nor missing")
    return _owner_fault(entry) or _kind_fault(entry) or _number_fault(entry) or _name_fault(entry.names or ())


def _owner_fault(entry: Entry) -> tuple[str, str] | None:
    if entry.mode is not None and octal(entry.mode) is None:
        return ".mode", f"not an octal mode: {shown(str(entry.mode))}"
    for name, value in (("uid", entry.uid), ("gid", entry.gid)):
        if value is not None and not 0 <= value <= _ID_LIMIT:
            return f".{name}", "not a 32-bit number"
    return None


def _kind_fault(entry: Entry) -> tuple[str, str] | None:
    if entry.kind in (Kind.CHAR, Kind.BLOCK) and None in (entry.mode, entry.uid, entry.gid):
        return "", "a device node needs mode, uid and gid: they decide who may use it"
    link = entry.link or ""
    if entry.kind is Kind.LINK and not (0 < len(link) <= PATH_LIMIT and "\0" not in link):
        return ".link", "not the text of a link"
    return None


def _number_fault(entry: Entry) -> tuple[str, str] | None:
    if not 0 <= entry.size < 1 << 63:
        return ".size", "not a size"
    if entry.rdev is not None and not all(0 <= number <= _ID_LIMIT for number in entry.rdev):
        return ".rdev", "not device numbers"
    return None


def _name_fault(names: tuple[str, ...]) -> tuple[str, str] | None:
    for index, name in enumerate(names):
        if name in ("", ".", "..") or "/" in name or "\0" in name:
            return f".names[{index}]", "not a file name"
    return None


def shown(text: str) -> str:
    """A hostile text cut short and made printable for a message."""
    short = text if len(text) <= 120 else text[:117] + "..."
    return short.encode("unicode_escape", "backslashreplace").decode("ascii") if not short.isprintable() else short


def _wrong(where: str, place: str, reason: str) -> UnreadableInput:
    return damaged(where, f"{place}: {reason}", f"{place} 的值不对：{reason}")


def _newer(data: bytes, where: str) -> UnreadableInput | None:
    """The error for a recording of another schema than ours, which most likely is sound."""
    try:
        said = msgspec.json.decode(data, type=_Tag).schema
    except (msgspec.DecodeError, RecursionError):
        return None
    if said == SCHEMA or not said.startswith(SCHEMA.partition("/")[0] + "/"):
        return None
    return _wrong(where, "schema", f"{shown(said)}, and this firstlight reads {SCHEMA}")


def _place(data: bytes, error: msgspec.ValidationError) -> tuple[str, str]:
    """Where the bad value is, and what is wrong. Of a key msgspec says only `$.paths[...].mode`: it is looked for."""
    reason, _, place = str(error).partition(" - at `$")
    found = _keyed(data, place.lstrip(".").partition("[")[0]) if "[...]" in place else None
    return found or (place.strip(".`") or "host.json", reason)


def _keyed(data: bytes, field: str) -> tuple[str, str] | None:
    try:
        document = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError):  # the first look ended before the damage
        return None
    values = document.get(field) if isinstance(document, dict) else None
    kinds: dict[str, type] = {"paths": Entry, "environment": str, "spaces": Space}
    if field not in kinds or not isinstance(values, dict):
        return None
    for key, value in values.items():
        fault = _fault(value, kinds[field])
        if fault:
            return f'{field}["{shown(str(key))}"]{fault[0]}', fault[1]
    return None


def _fault(value: object, kind: type) -> tuple[str, str] | None:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$")
        return place.rstrip("`"), reason
    return None

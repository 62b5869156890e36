"""METADATA of a wheel, PKG-INFO of an sdist (core metadata) -> what planning needs."""

from __future__ import annotations

from .filenames import named, version
from .model import Metadata
from .trouble import damaged, quoted

LIMIT = 4 << 20
"""Bytes; the longest known descriptions have a few hundred thousand."""
VALUES = 5_000
"""Values of one field."""
LONGEST = 4000
"""Characters of one requirement."""
LEFT_OPEN = ("requires-dist", "provides-extra", "requires-python")
FIELDS = ("metadata-version", "name", "version", "requires-dist", "provides-extra", "requires-python", "dynamic")


def read_metadata(data: bytes, project: str, wanted: str, *, source: bool) -> Metadata:
    """The metadata of `project` in version `wanted` (normalised). Raises Failed where it speaks of another one, or does
    not follow the standard."""
    if len(data) > LIMIT:
        raise damaged(f"its metadata is larger than {LIMIT} bytes", f"元数据超过 {LIMIT} 字节")
    fields = _fields(data.decode("utf-8", "replace"))
    name = named(_one(fields, "name"))
    said = version(_one(fields, "version"))
    if name != project or said != wanted:
        text = quoted(f"{_one(fields, 'name')} {_one(fields, 'version')}")
        raise damaged(
            f"the metadata of `{project} {wanted}` speaks of {text}", f"`{project} {wanted}` 的元数据说的是 {text}"
        )
    many = next((field for field in fields if len(fields[field]) > VALUES), None)
    if many:
        raise damaged(f"its metadata has too many fields `{many}`", f"元数据的 `{many}` 字段过多")
    python = fields.get("requires-python")
    return Metadata(
        name=name, version=said, requires=tuple(_requirement(one) for one in fields.get("requires-dist", ())),
        extras=tuple(dict.fromkeys(_extra(one) for one in fields.get("provides-extra", ()))),
        requires_python=_python(python[0]) if python and python[0] else None,
        dynamic=_dynamic(fields) if source else (),
    )  # fmt: skip


def _fields(text: str) -> dict[str, list[str]]:
    """Headers as in a mail, up to the first empty line: of the fields in FIELDS, by name in lower case."""
    head = text.replace("\r\n", "\n").strip("\n").partition("\n\n")[0]
    found: dict[str, list[list[str]]] = {}
    pieces: list[str] = []
    for line in head.split("\n"):
        if line[:1] in (" ", "\t"):
            pieces.append(line.strip())
            continue
        name, colon, value = line.partition(":")
        if not colon:
            raise damaged(f"the line {quoted(line)} is no field of metadata", f"{quoted(line)} 不是元数据字段")
        pieces = [value.strip()]
        if name.strip().lower() in FIELDS:
            found.setdefault(name.strip().lower(), []).append(pieces)
    return {name: [" ".join(one) for one in values] for name, values in found.items()}


def _one(fields: dict[str, list[str]], name: str) -> str:
    values = fields.get(name, [])
    if len(values) != 1:
        raise damaged(f"its metadata has {len(values)} fields `{name}`", f"元数据有 {len(values)} 个 `{name}` 字段")
    return values[0]


def _dynamic(fields: dict[str, list[str]]) -> tuple[str, ...]:
    """Fields that a build may change. Before core metadata 2.2 (PEP 643) an sdist could not vouch for any."""
    said = tuple(dict.fromkeys(one.lower() for one in fields.get("dynamic", ())))
    major, _, minor = _one(fields, "metadata-version").partition(".")
    if not (major + minor).isdigit() or not major or not minor:
        raise damaged("its metadata has no sensible version", "元数据版本无效")
    return said if (int(major[:4]), int(minor[:4])) >= (2, 2) else LEFT_OPEN


def _requirement(text: str) -> str:
    """A requirement as it stands, on one line, if it is one (PEP 508)."""
    from packaging.requirements import InvalidRequirement, Requirement

    plain = " ".join(text.split())
    try:
        if len(plain) > LONGEST:
            raise ValueError  # noqa: TRY301 - the same answer as for any other wrong one
        Requirement(plain)
    except (InvalidRequirement, ValueError, RecursionError) as error:
        raise damaged(f"{quoted(plain)} is no requirement", f"{quoted(plain)} 不是依赖说明") from error
    return plain


def _python(text: str) -> str:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        if len(text) > LONGEST:
            raise ValueError  # noqa: TRY301 - as above
        SpecifierSet(text)
    except (InvalidSpecifier, ValueError) as error:
        raise damaged(f"{quoted(text)} is no range of versions", f"{quoted(text)} 不是版本范围") from error
    return text


def _extra(text: str) -> str:
    name = named(text)
    if name is None:
        raise damaged(f"{quoted(text)} is no name of an extra", f"{quoted(text)} 不是 extra 名称")
    return name

"""Small recordings for tests: host.json and root/ as Python values, as a folder or an archive."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterable
from pathlib import Path

SCHEMA = "firstlight.host/1"


def document(**fields: object) -> dict[str, object]:
    """host.json with the schema and these fields."""
    return {"schema": SCHEMA, **fields}


def folder(at: Path, fields: dict[str, object], contents: dict[str, bytes] | None = None) -> str:
    """A recorded host as a folder; its path."""
    at.mkdir(parents=True, exist_ok=True)
    (at / "host.json").write_text(json.dumps(fields))
    for path, data in (contents or {}).items():
        target = at / "root" / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return str(at)


def member(name: str, data: bytes = b"", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    """One member; `fields` are set on its header."""
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, data


def tar(members: Iterable[tuple[tarfile.TarInfo, bytes]], *, pax: bool = False) -> bytes:
    """A plain tar of these members, in order."""
    out = io.BytesIO()
    kind = tarfile.PAX_FORMAT if pax else tarfile.GNU_FORMAT
    with tarfile.open(fileobj=out, mode="w", format=kind, encoding="utf-8") as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def host_json(**fields: object) -> tuple[tarfile.TarInfo, bytes]:
    """The member host.json."""
    return member("host.json", json.dumps(document(**fields)).encode())


def archive(at: Path, *members: tuple[tarfile.TarInfo, bytes]) -> str:
    """A plain .tar with a good host.json and these members; its path."""
    at.write_bytes(tar([host_json(), *members]))
    return str(at)

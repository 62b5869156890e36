"""A project's page in JSON (PEP 691, PEP 700, PEP 714)."""

from __future__ import annotations

from typing import Optional, Union

import msgspec

from .address import linked
from .filenames import normal
from .links import FILES, checked_hash, files_of, plain
from .model import IndexFile
from .trouble import Failed, damaged, quoted

MAJOR = "1"
LARGEST = 1 << 50
"""Bytes of one file."""


class Meta(msgspec.Struct, rename="kebab"):
    """What the page says of itself."""

    api_version: str


class Listed(msgspec.Struct, rename="kebab"):
    """One file as the page tells of it."""

    filename: str
    url: str
    hashes: dict[str, str]
    requires_python: Optional[str] = None
    yanked: Union[bool, str] = False
    size: Optional[int] = None
    upload_time: Optional[str] = None
    core_metadata: Union[bool, dict[str, str], None] = None
    dist_info_metadata: Union[bool, dict[str, str], None] = None
    data_dist_info_metadata: Union[bool, dict[str, str], None] = None
    """As PEP 658 had misnamed it at first."""


class Listing(msgspec.Struct):
    """The whole page."""

    meta: Meta
    name: str
    files: list[Listed]


def read_json(body: bytes, base: str, project: str) -> tuple[IndexFile, ...]:
    """Files of `project` in the page's order. Raises Failed (damaged-index)."""
    try:
        page = msgspec.json.decode(body, type=Listing)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        said = quoted(str(error))
        raise damaged(f"its page does not follow PEP 691 ({said})", f"页面不符合 PEP 691（{said}）") from error
    if page.meta.api_version.partition(".")[0] != MAJOR:
        said = quoted(page.meta.api_version)
        raise damaged(f"its page is of version {said}, which is not known", f"页面版本 {said} 未知")
    if normal(page.name) != project:
        said = quoted(page.name)
        raise damaged(f"the page of `{project}` speaks of {said}", f"`{project}` 的页面说的是 {said}")
    if len(page.files) > FILES:
        raise damaged(f"it lists more than {FILES} files", f"所列文件超过 {FILES} 个")
    return files_of((_file(one, base) for one in page.files), project, base)


def _file(listed: Listed, base: str) -> IndexFile | None:
    url, _ = linked(base, listed.url)
    if not url:
        return None
    offered, digest = _metadata(listed)
    if listed.size is not None and not 0 <= listed.size <= LARGEST:
        raise _wrong_size(listed)
    return IndexFile(
        filename=listed.filename, url=url, sha256=checked_hash(listed.hashes.get("sha256")), size=listed.size,
        uploaded=_day(listed.upload_time), yanked=plain(_yanked(listed.yanked)),
        requires_python=plain(listed.requires_python), metadata=offered, metadata_sha256=digest,
    )  # fmt: skip


def _wrong_size(listed: Listed) -> Failed:
    name = quoted(listed.filename)
    return damaged(f"{name} cannot be of {listed.size} bytes", f"{name} 的大小不可能是 {listed.size} 字节")


def _metadata(listed: Listed) -> tuple[bool, str | None]:
    """PEP 714: the new key wins wherever it is present."""
    keys = (listed.core_metadata, listed.dist_info_metadata, listed.data_dist_info_metadata)
    said = next((one for one in keys if one is not None), False)
    if isinstance(said, dict):
        return True, checked_hash(said.get("sha256"))
    return said, None


def _yanked(said: bool | str) -> str | None:  # noqa: FBT001 - the standard's own type
    if isinstance(said, str):
        return said
    return "" if said else None


def _day(said: str | None) -> str | None:
    """The date of an ISO time stamp; None where it has another form."""
    day = (said or "")[:10]
    parts = day.split("-")
    shaped = [len(part) for part in parts] == [4, 2, 2] and all(part.isascii() and part.isdigit() for part in parts)
    return day if shaped else None

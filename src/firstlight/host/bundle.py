"""A recorded host as a folder: host.json and root/."""

from __future__ import annotations

import os

from . import manifest
from .folder import FolderStore
from .model import Missing, Unread
from .recorded import RecordedHost
from .refusal import check_open, closed, damaged

MANIFEST = "host.json"
ROOT = "root"


def open_folder(path: str) -> RecordedHost:
    """The recorded host in the folder `path`; root/ may be missing. Raises UnreadableInput."""
    where = os.path.join(path, MANIFEST)
    root = os.path.join(path, ROOT)
    check_open(root)
    data = FolderStore(path).content(f"/{MANIFEST}", manifest.LIMIT)
    if isinstance(data, Unread):
        raise unreadable(where, data)
    if os.path.islink(root):
        raise damaged(root, "a link where a folder must be", "应为文件夹，却是链接")
    return RecordedHost(manifest.parse(data, where), FolderStore(root), path)


def unreadable(where: str, why: Unread) -> Exception:
    """The error for a host.json that could not be had."""
    if why.detail in ("EACCES", "EPERM"):
        return closed(where)
    if why.reason is Missing.TOO_LARGE:
        return damaged(where, f"larger than {manifest.LIMIT >> 20} MiB", f"超过 {manifest.LIMIT >> 20} MiB")
    detail = why.detail or why.reason.value
    return damaged(where, f"cannot be read ({detail})", f"无法读取（{detail}）")

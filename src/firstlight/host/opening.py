"""From what the user names to a host. Each kind of host is imported when it is asked for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .model import Host

if TYPE_CHECKING:
    from .recorded import RecordedHost
    from .tree import TreeHost

_OVERLAY = "overlay:"


def open_host(spec: str | None) -> Host:
    """The host that `spec` names: None or `live`, a folder, an archive, `overlay:` and one of these two.

    A folder with host.json is a recorded host, one without is a bare tree. Raises UnreadableInput.
    """
    if spec is None or spec == "live":
        from .live import LiveHost

        return LiveHost()
    if spec.startswith(_OVERLAY):
        from .overlay import OverlayHost

        return OverlayHost(_recording(spec[len(_OVERLAY) :]), spec)
    return _recording(spec)


def _recording(path: str) -> RecordedHost | TreeHost:
    if "\0" in path or not os.path.exists(path):
        raise _absent(path)
    if os.path.isdir(path):
        from .refusal import check_open

        check_open(path)
    else:
        from .archive import open_archive

        return open_archive(path)
    if os.path.lexists(os.path.join(path, "host.json")):
        from .bundle import open_folder

        return open_folder(path)
    from .tree import TreeHost

    return TreeHost(path)


def _absent(path: str) -> Exception:
    from ..errors import UnreadableInput
    from ..words import Words
    from .manifest import shown

    name = shown(path) or "''"
    return UnreadableInput(
        Words(f"{name}: no such file or folder", f"{name}：没有这个文件或文件夹"),
        why=Words(
            "A host is `live`, a folder, an archive, or `overlay:FOLDER`.",
            "主机可以是 `live`、文件夹、归档文件或 `overlay:文件夹`。",
        ),
        next=Words("Give the path of a recording.", "请给出录制数据的路径。"),
    )

"""A step whose whole effect is one file: written in one rename, undone by putting back what was there."""

from __future__ import annotations

import os

from ...errors import NoError
from ...progress import Reporter
from ...words import Words
from .files import FileState, clear, look, put
from .ground import Ground
from .kept import Keeper, Kept

SHOWN = 2000
"""Bytes of a content that a command shows whole."""


class FileStep:
    """One file with this content. Kinds differ in what they allow as path and content."""

    turn = 2
    back = 20

    def __init__(
        self, ground: Ground, kind: str, path: str, content: bytes, *, mode: int = 0o644, replaces: str | None = None
    ) -> None:
        """`mode`: of a new file; one that is there keeps its mode and owner. `replaces`: sha256 of what must be there
        now."""
        self.ground, self.kind, self.path, self.subject = ground, kind, path, path
        self.content, self.mode, self.replaces = content, mode, replaces

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """As Python writes it: a vector without a shell."""
        return (written(self.path, self.content),)

    def check(self) -> bool:
        """Whether the file is there with this content, whoever wrote it."""
        at = self.ground.at(self.path)
        return not os.path.islink(at) and self.ground.read(self.path, max(len(self.content), 1)) == self.content

    def prepare(self, keeper: Keeper) -> None:
        """Keep what is there. Raises NoError where it is no plain file, or not the one that was judged."""
        keeper.keep(self.path)
        now = keeper.record.files[self.path]
        if now.kind not in ("file", "absent"):
            raise _no_file(self.path)
        if self.replaces is not None and now.sha256 != self.replaces:
            raise _changed(self.path)

    def do(self, tell: Reporter) -> None:  # noqa: ARG002 - at once
        """Raises NoError."""
        now = look(self.ground, self.path)
        like = now if now.kind == "file" else FileState(kind="file", mode=self.mode)
        put(self.ground, self.path, self.content, _now(like))

    def undo(self, kept: Kept, tell: Reporter) -> None:  # noqa: ARG002
        """Also the folders that had to be made for it."""
        clear(self.ground, self.path)
        above = [path for path in kept.before.files if self.path.startswith(f"{path}/")]
        kept.restore_all([self.path, *above])


def written(path: str, content: bytes) -> tuple[str, ...]:
    """Command that writes a file, shown to be pasted."""
    if len(content) > SHOWN:
        return ("install", "-m", "0644", "/dev/stdin", path)
    try:
        text: object = content.decode()
        mode = "w"
    except UnicodeDecodeError:
        text, mode = content, "wb"
    return ("python3", "-c", f"open({path!r}, {mode!r}).write({text!r})")


def _now(like: FileState) -> FileState:
    return FileState(kind="file", mode=like.mode, uid=like.uid, gid=like.gid)


def _no_file(path: str) -> NoError:
    return NoError(
        Words(f"{path} is a link, or no file", f"{path} 是链接，或不是普通文件"),
        why=Words("what it leads to may belong to another tool", "它指向的内容可能归其他工具管理"),
        next=Words("change it by hand there", "请在那里手工修改"),
    )


def _changed(path: str) -> NoError:
    return NoError(
        Words(f"{path} has changed since it was judged", f"{path} 在判断之后已被更改"),
        next=Words("run it again: it is judged anew", "请重新运行，会重新判断"),
    )

"""A firmware file that goes before the distribution's."""

from __future__ import annotations

import hashlib
import os

from ...causes.changes import FirmwareFile
from ...errors import NoError
from ...progress import Reporter
from ...words import Words
from .file_step import FileStep
from .files import look
from .ground import Ground
from .kept import Keeper
from .names import fits, path_below

FOLDER = "/lib/firmware/updates"
"""The kernel looks here first (drivers/base/firmware_loader/main.c, fw_path); no package owns it."""
LARGEST = 64 << 20


class Firmware(FileStep):
    """A file of the given hash."""

    def __init__(self, ground: Ground, change: FirmwareFile) -> None:
        """Raises UnreadableInput."""
        path = path_below(f"{FOLDER}/{change.name}", (FOLDER,), "firmware file")
        self.source, self.sha256 = change.source, fits(r"[0-9a-f]{64}", change.sha256, "sha256")
        super().__init__(ground, "firmware-file", path, b"")
        self.turn = self.back = 5

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """Of a person: the content is no text."""
        return (("install", "-D", "-m", "0644", self.source, self.path),)

    def check(self) -> bool:
        """By its hash."""
        return look(self.ground, self.path).sha256 == self.sha256

    def prepare(self, keeper: Keeper) -> None:
        """Raises NoError where the file is not the one of that hash: to undo it, it is not needed any more."""
        self.content = _content(self.source, self.sha256)
        super().prepare(keeper)

    def do(self, tell: Reporter) -> None:
        """Raises NoError."""
        self.content = _content(self.source, self.sha256)
        super().do(tell)


def _content(path: str, sha256: str) -> bytes:
    try:
        with open(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise NoError(Words(f"cannot read {path}: {error.strerror}", f"无法读取 {path}：{error.strerror}")) from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise NoError(
            Words(f"{path} is not the firmware file of that hash", f"{path} 不是该哈希对应的固件文件"),
            why=Words("nothing was changed", "没有改动任何东西"),
        )
    return data

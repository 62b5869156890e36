"""The link `.firstlight/env`, swapped in one system call."""

from __future__ import annotations

import contextlib
import os
import shutil

from .places import Places, cannot_write


class Activate:
    """The project's environment is the new one; who has the old one open keeps it."""

    kind = "activate"
    subject = "env"

    def __init__(self, places: Places, name: str) -> None:
        self.places, self.name = places, name
        self.previous = places.active_name()

    def check(self) -> bool:
        """Whether the link leads there already."""
        return self.places.active_name() == self.name

    def do(self) -> None:
        """rename(2) over the old link is atomic. Raises NoError."""
        try:
            self._link(self.name)
        except OSError as error:
            raise cannot_write(error, self.places.active) from error

    def undo(self) -> None:
        """Back to what was in use before."""
        with contextlib.suppress(OSError):
            if self.previous is not None:
                self._link(self.previous)

    def _link(self, name: str) -> None:
        temporary = f"{self.places.active}.tmp"
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        os.symlink(os.path.join("envs", name), temporary)
        os.replace(temporary, self.places.active)


def prune(places: Places, keep: set[str | None]) -> None:
    """Remove what nothing leads to: old environments, and what killed runs left unfinished."""
    for name in places.names():
        if name not in keep:
            shutil.rmtree(places.folder(name), ignore_errors=True)
    for path in places.lists():
        with contextlib.suppress(OSError):
            os.unlink(path)

"""The link `.firstlight/env`, swapped in one system call."""

from __future__ import annotations

import contextlib
import os
import shutil

from ..host.durable import put_link, sync_folder
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
            elif self.check():
                os.unlink(self.places.active)

    def _link(self, name: str) -> None:
        put_link(os.path.join("envs", name), self.places.active, f"{self.places.active}.tmp")
        sync_folder(self.places.own)


def prune(places: Places, keep: set[str | None]) -> None:
    """Remove what nothing leads to: old environments, and what killed runs left unfinished."""
    for name in places.names():
        if name not in keep:
            shutil.rmtree(places.folder(name), ignore_errors=True)
    for path in places.leftovers():
        with contextlib.suppress(OSError):
            os.unlink(path)

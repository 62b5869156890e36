"""A system with a small repository, and our steps on it."""

from __future__ import annotations

import shutil
from typing import Any

from firstlight.causes.changes import Change, Install
from firstlight.steps.system import Applied, Ground, RolledBack, SystemChange, apply_system, rollback_system
from firstlight.steps.system.journal import standings
from firstlight.steps.system.request import exact

from .repository import Repository
from .roots import Root, difference

State = tuple[dict[str, tuple[object, ...]], str]
"""The tree, and dpkg's record."""


class Machine:
    """Debian's own lists are gone, so that apt is quick."""

    def __init__(self, root: Root) -> None:
        self.root, self.ground = root, Ground(str(root.path))
        shutil.rmtree(root.path / "var/lib/apt/lists")
        (root.path / "var/lib/apt/lists/partial").mkdir(parents=True)
        (root.path / "etc/apt/sources.list").write_text("")
        self.repository = Repository(root.path)

    def know(self) -> Applied:
        """apt knows the repository."""
        self.repository.publish()
        return self.apply(*self.repository.changes())

    def refresh(self) -> None:
        """What is published now is known."""
        self.repository.publish()
        self.root.run("apt-get", "-q", "update")

    def apply(self, *parts: Change, **more: Any) -> Applied:
        """One change."""
        return apply_system(SystemChange(reason="test", parts=parts), ground=self.ground, **more)

    def install(self, *words: str, **more: Any) -> Applied:
        """As a person asks for it."""
        return self.apply(exact(self.ground, Install(wanted=words)), **more)

    def rollback(self) -> RolledBack:
        """The last change."""
        return rollback_system(ground=self.ground)

    def standings(self) -> list[str]:
        """Of all changes."""
        return list(standings(self.ground).values())

    def state(self) -> State:
        """All that a rollback has to give back."""
        return self.root.tree(), self.root.status()

    def assert_like(self, state: State, said: object = None) -> None:
        """Nothing differs."""
        now = self.state()
        other = difference(state[0], now[0])
        assert not other, (said, other)
        assert state[1] == now[1], (said, state[1], now[1])

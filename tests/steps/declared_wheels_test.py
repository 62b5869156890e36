"""A wheel of a declared route is found again by the name and hash that the lock records."""

from __future__ import annotations

from pathlib import Path

from firstlight.project.model import DeclaredRoute, Goal, Project, Sources
from firstlight.routes.model import Wheel
from firstlight.steps.local_wheels import find, sha256_of

from ..routes.tiny_wheels import make_wheel


def test_it_is_found_in_the_declared_folder(tmp_path: Path) -> None:
    made = make_wheel(tmp_path / "mine", "torch", "2.13.0+gfx906.1")
    declared = DeclaredRoute(name="mine", kind="folder", url=str(tmp_path / "mine"), tier="local", declared_in="x")
    sources = Sources(default_indices=(), wheelhouses=(), torch_indices=(), no_index=True)
    project = Project(root=str(tmp_path), goal=Goal(), sources=sources, routes=(declared,))
    wheel = Wheel(
        name="torch", version="2.13.0+gfx906.1", filename=made.name, sha256=sha256_of(str(made)),
        size=made.stat().st_size, source="mine",
    )  # fmt: skip
    assert find(project, wheel) == str(made)

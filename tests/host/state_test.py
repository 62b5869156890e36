"""Where our own folders lie."""

from __future__ import annotations

from pathlib import Path

from firstlight.host import state


def test_paths() -> None:
    assert state.project_state("/p") == "/p/.firstlight"
    assert state.machine_state() == "/var/lib/firstlight"
    home = {"HOME": "/home/a"}
    assert state.user_state(home) == "/home/a/.local/state/firstlight"
    assert state.user_cache({**home, "XDG_CACHE_HOME": "/c"}) == "/c/firstlight"
    assert state.user_config({**home, "XDG_CONFIG_HOME": "relative"}) == "/home/a/.config/firstlight"


def test_private(tmp_path: Path) -> None:
    made = Path(state.private(str(tmp_path / "a/b")))
    assert made.stat().st_mode & 0o777 == 0o700
    made.chmod(0o755)
    state.private(str(made))
    assert made.stat().st_mode & 0o777 == 0o700

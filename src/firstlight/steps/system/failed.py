"""What a program of the machine said when it failed."""

from __future__ import annotations

from ...errors import NoError
from ...host.command import pasteable
from ...host.model import Outcome
from ...words import Words, same

LINES = 12


def said(outcome: Outcome) -> NoError:
    """The command, its end, and the last lines of what it said."""
    command = pasteable(_own(outcome.argv))
    lines = [line for line in f"{outcome.stdout}\n{outcome.stderr}".splitlines() if line.strip()]
    kept = [line for line in lines if line.startswith(("E:", "W:", "dpkg: error"))] or lines
    end = "\n".join(dict.fromkeys([*kept[:LINES], *lines[-LINES // 2 :]]))
    return NoError(
        Words(f"`{command}` failed ({outcome.code})", f"`{command}` 失败（{outcome.code}）"),
        why=same(end) if end else None,
    )


def _own(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Without what only a trial in another root adds; a long command without its middle."""
    words = argv[2:] if argv[:1] == ("chroot",) else argv
    return words if len(words) <= 40 else (*words[:30], "…", words[-1])

"""What every answer has: a `schema` field that names and versions it, and an exit code."""

from __future__ import annotations

import msgspec


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema"):
    """Base of all answers. Each subclass is tagged `firstlight.<noun>/1`: the first field of its JSON."""

    @property
    def exit_code(self) -> int:
        """0 yes, 1 no, 3 cannot tell."""
        return 0

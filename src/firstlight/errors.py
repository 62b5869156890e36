"""What can go wrong, said in three parts, with the exit code that each kind owns."""

from __future__ import annotations

from typing import ClassVar

from .words import Words


class FirstlightError(Exception):
    """Base of all errors that a user may see: what is so, why it matters here, what to do next."""

    exit_code: ClassVar[int] = 1

    def __init__(self, what: Words, *, why: Words | None = None, next: Words | None = None) -> None:
        super().__init__(what.en)
        self.what = what
        self.why = why
        self.next = next


class NoError(FirstlightError):
    """The honest answer is no: no route works, an install failed, a hash differs."""

    exit_code = 1


class UsageError(FirstlightError):
    """Wrong usage, or input that cannot be read."""

    exit_code = 2


class UnreadableInput(UsageError, ValueError):
    """A file that was given is damaged, hostile or of another format."""


class CannotTell(FirstlightError):
    """Something needed for an answer is missing; the error names it."""

    exit_code = 3


class ConsentNeeded(FirstlightError):
    """A change outside the project needs consent or privilege that was not given."""

    exit_code = 4

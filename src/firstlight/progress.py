"""How long work tells what it is doing. Library code reports; only `cli` draws."""

from __future__ import annotations

from typing import Protocol

from .words import Words


class Reporter(Protocol):
    """Told of each stage and rung as it begins and ends. Must be cheap and must not raise."""

    def begin(self, key: str, text: Words) -> None:
        """Work called `key` starts; `text` says what it is."""

    def detail(self, key: str, text: Words) -> None:
        """Work `key` goes on; `text` is its newest state."""

    def end(self, key: str, text: Words, *, ok: bool | None) -> None:
        """Work `key` is over: well (True), not (False), or left out (None)."""


class Silent:
    """The reporter that says nothing."""

    def begin(self, key: str, text: Words) -> None:
        """Nothing."""

    def detail(self, key: str, text: Words) -> None:
        """Nothing."""

    def end(self, key: str, text: Words, *, ok: bool | None) -> None:
        """Nothing."""

"""A host that writes down what another is asked and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import TypeVar, Union

import msgspec

from .model import READ_LIMIT, FileInfo, Host, Kind, Missing, Outcome, Process, Space, Unread
from .rooted import components, follow

HASH_LIMIT = 512 << 20
"""Bytes of the largest file that is hashed."""
_A = TypeVar("_A")


class Recording(msgspec.Struct):
    """What was answered, by physical path: enough to answer the same again."""

    infos: dict[str, Union[FileInfo, Unread]] = {}
    contents: dict[str, Union[bytes, Unread]] = {}
    listings: dict[str, Union[tuple[str, ...], Unread]] = {}
    hashes: dict[str, str] = {}
    """sha256 of files whose content was not asked for."""
    spaces: dict[str, Space] = {}
    commands: dict[tuple[str, ...], Outcome] = {}
    asked: dict[str, None] = {}
    """Every question in order, in the words of the manifest."""


class Recorder:
    """Passes questions on. The same question gets the same answer, so that one recording is one moment.

    What lies behind proc's magic links (/proc/PID/exe, fd/N) is replayed by path: where the path itself is closed to
    this process, the replay says so although the kernel let it through.
    """

    def __init__(self, host: Host) -> None:
        self.host = host
        self.kind = host.kind
        self.label = host.label
        self.recording = Recording()
        self._once: dict[str, object] = {}

    def read(self, path: str, limit: int = READ_LIMIT) -> bytes | Unread:
        """Content, as the host gives it."""
        self._note(path)
        place = self._walk(path, last=True)
        known = None if isinstance(place, Unread) else self.recording.contents.get(place)
        if isinstance(known, bytes):
            return known if len(known) <= limit else Unread(Missing.TOO_LARGE, path, f"more than {limit} bytes")
        answer = self.host.read(path, limit)
        if isinstance(place, str) and self._is(place, Kind.FILE):
            self.recording.contents[place] = answer
        return answer

    def part(self, path: str, offset: int, length: int) -> bytes | Unread:  # noqa: ARG002  the protocol's
        """Such files are too large for a recording; what it cannot answer is not answered while it is made either."""
        found = self.info(path)
        return found if isinstance(found, Unread) else Unread(Missing.NOT_CAPTURED, path)

    def names(self, path: str) -> tuple[str, ...] | Unread:
        """Names, as the host gives them."""
        self._note(path)
        place = self._walk(path, last=True)
        known = None if isinstance(place, Unread) else self.recording.listings.get(place)
        if known is not None:
            return known if not isinstance(known, Unread) else Unread(known.reason, path, known.detail)
        answer = self.host.names(path)
        if isinstance(place, str) and self._is(place, Kind.DIR):
            self.recording.listings[place] = answer
        return answer

    def info(self, path: str) -> FileInfo | Unread:
        """lstat, as the host gives it."""
        self._note(path)
        place = self._walk(path, last=False)
        if isinstance(place, Unread):
            return self.host.info(path)
        found = self._look(place)
        return Unread(found.reason, path, found.detail) if isinstance(found, Unread) else found

    def resolve(self, path: str) -> str | Unread:
        """Physical path, as the host gives it."""
        self._note(path)
        self._walk(path, last=True)
        return self.host.resolve(path)

    def process(self) -> Process | Unread:
        """Ids, as the host gives them."""
        return self._same("process", self.host.process)

    def environment(self) -> Mapping[str, str] | Unread:
        """Variables, as the host gives them."""
        return self._same("environment", self.host.environment)

    def machine(self) -> str | Unread:
        """uname -m, as the host gives it."""
        return self._same("machine", self.host.machine)

    def now(self) -> float | Unread:
        """The moment of the first asking."""
        return self._same("now", self.host.now)

    def space(self, path: str) -> Space | Unread:
        """Room, as the host gives it."""
        self._note(f"space {path}")
        known = self.recording.spaces.get(path)
        answer = known or self.host.space(path)
        if isinstance(answer, Space):
            self.recording.spaces[path] = answer
        return answer

    def ask(self, argv: Sequence[str], *, timeout: float = 10.0) -> Outcome | Unread:
        """A command's outcome, as the host gives it."""
        command = tuple(argv)
        self._note("command " + " ".join(command))
        answer = self.recording.commands.get(command) or self.host.ask(argv, timeout=timeout)
        if isinstance(answer, Outcome):
            self.recording.commands[command] = answer
        return answer

    def hash(self, path: str) -> None:
        """Write down the sha256 of a file in place of its content."""
        self._note(path)
        place = self._walk(path, last=True)
        if isinstance(place, Unread) or not self._is(place, Kind.FILE) or place in self.recording.contents:
            return
        data = self.host.read(path, HASH_LIMIT)
        if isinstance(data, bytes):
            self.recording.hashes[place] = sha256(data).hexdigest()
        else:
            self.recording.contents[place] = data

    def _note(self, question: str) -> None:
        self.recording.asked[question] = None

    def _same(self, question: str, ask: Callable[[], _A]) -> _A:
        self._note(question)
        if question not in self._once:
            self._once[question] = ask()
        answer: _A = self._once[question]  # type: ignore[assignment]  # it came from the same `ask`
        return answer

    def _look(self, path: str) -> FileInfo | Unread:
        infos = self.recording.infos
        if path not in infos:
            infos[path] = self.host.info(path)
        return infos[path]

    def _walk(self, path: str, *, last: bool) -> str | Unread:
        """Physical path; everything on the way is written down, so that the walk can be done again."""
        if not path.startswith("/") or "\0" in path:
            return Unread(Missing.UNREADABLE, path, "not an absolute path")
        names = components(path)
        if last or not names or names[-1] == "..":
            return follow("", names, self._look, Missing.ABSENT)
        folder = follow("", names[:-1], self._look, Missing.ABSENT)
        if isinstance(folder, Unread):
            return folder
        return f"{'' if folder == '/' else folder}/{names[-1]}"

    def _is(self, place: str, kind: Kind) -> bool:
        found = self._look(place)
        return not isinstance(found, Unread) and found.kind is kind

"""A recording laid over the live machine: a recorded GPU's sysfs beside live device nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import files
from .live import LiveHost
from .model import FileInfo, HostKind, Kind, Missing, Outcome, Process, Space, Unread
from .recorded import RecordedHost
from .rooted import Rooted, Store
from .tree import TreeHost

_SUBJECTS = (
    "/sys/class/kfd",
    "/sys/class/drm",
    "/sys/class/accel",
    "/sys/bus/pci/devices",
    "/proc/driver/nvidia",
    "/sys/module",
    "/sys/kernel/debug/dri",
)
"""Trees that the recording, if it has them, fills alone: a live GPU must not be seen among recorded ones."""
_DEVICES = "/sys/devices/pci"
"""Where the links of the subject trees lead."""


class LiveStore:
    """The live machine by physical paths."""

    absent = Missing.ABSENT

    def look(self, path: str) -> FileInfo | Unread:
        """lstat."""
        return files.look(path, path)

    def content(self, path: str, limit: int) -> bytes | Unread:
        """Bytes of a regular file."""
        return files.content(path, path, limit, follow=False)

    def part(self, path: str, offset: int, length: int) -> bytes | Unread:
        """Some of them."""
        return files.part(path, path, offset, length, follow=False)

    def listing(self, path: str) -> tuple[str, ...] | Unread:
        """Sorted names in a folder."""
        return files.listing(path, path)

    def holds(self, path: str) -> bool:
        """Whether it is there."""
        return not isinstance(files.look(path, path), Unread)


class OverlayStore:
    """`over` where it has an answer or owns the subject, else `under`."""

    absent = Missing.ABSENT

    def __init__(self, over: Store, under: Store) -> None:
        self.over = over
        self.under = under
        owned = [subject for subject in _SUBJECTS if over.holds(subject)]
        self._owned = tuple(f"{subject}/" for subject in owned)
        self._devices = any(over.holds(path) for path in (_SUBJECTS[1], _SUBJECTS[3]))

    def look(self, path: str) -> FileInfo | Unread:
        """lstat."""
        return self._of(path).look(path)

    def content(self, path: str, limit: int) -> bytes | Unread:
        """Bytes of a regular file."""
        return self._of(path).content(path, limit)

    def part(self, path: str, offset: int, length: int) -> bytes | Unread:
        """Some of them."""
        return self._of(path).part(path, offset, length)

    def listing(self, path: str) -> tuple[str, ...] | Unread:
        """Names of both; of a subject those of the recording alone."""
        if self._alone(path + "/"):
            return self.over.listing(path)
        below = self.under.listing(path)
        left = below if isinstance(below, Unread) else self._left(path, below)
        if not self.over.holds(path):
            return left
        above = self.over.listing(path)
        if isinstance(above, Unread):
            return left if self._is_folder(path) and not isinstance(left, Unread) else above
        return above if isinstance(left, Unread) else tuple(sorted({*above, *left}))

    def holds(self, path: str) -> bool:
        """Whether either has it."""
        return self.over.holds(path) or self.under.holds(path)

    def _of(self, path: str) -> Store:
        return self.over if self._alone(path) or self.over.holds(path) else self.under

    def _alone(self, path: str) -> bool:
        return path.startswith(self._owned) or (self._devices and path.startswith(_DEVICES))

    def _is_folder(self, path: str) -> bool:
        found = self.over.look(path)
        return not isinstance(found, Unread) and found.kind is Kind.DIR

    def _left(self, path: str, names: tuple[str, ...]) -> tuple[str, ...]:
        """Of the live machine's names those that the recording does not take away."""
        base = path.rstrip("/")
        return tuple(name for name in names if not self._hidden(f"{base}/{name}"))

    def _hidden(self, path: str) -> bool:
        if self._alone(path):
            return not self.over.holds(path)
        return self.over.holds(path) and isinstance(self.over.look(path), Unread)


class OverlayHost(Rooted):
    """What the recording holds is taken from it, all else from the live machine."""

    kind = HostKind.OVERLAY

    def __init__(self, over: RecordedHost | TreeHost, label: str) -> None:
        super().__init__(OverlayStore(over.store, LiveStore()))
        self.label = label
        self._over = over
        self._live = LiveHost()

    def process(self) -> Process | Unread:
        """Recorded ids, else this process's."""
        found = self._over.process()
        return self._live.process() if isinstance(found, Unread) else found

    def environment(self) -> Mapping[str, str] | Unread:
        """Recorded variables, else this process's."""
        found = self._over.environment()
        return self._live.environment() if isinstance(found, Unread) else found

    def machine(self) -> str | Unread:
        """Recorded machine, else this one."""
        found = self._over.machine()
        return self._live.machine() if isinstance(found, Unread) else found

    def now(self) -> float | Unread:
        """The live clock: what is live is judged by it."""
        return self._live.now()

    def space(self, path: str) -> Space | Unread:
        """Recorded room, else what there is here."""
        found = self._over.space(path)
        return self._live.space(path) if isinstance(found, Unread) else found

    def ask(self, argv: Sequence[str], *, timeout: float = 10.0) -> Outcome | Unread:
        """A recorded outcome, else run it here."""
        found = self._over.ask(argv, timeout=timeout)
        return self._live.ask(argv, timeout=timeout) if isinstance(found, Unread) else found

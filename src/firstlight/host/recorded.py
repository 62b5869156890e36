"""A recorded host: host.json beside the content of its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .manifest import Entry, Manifest, info
from .model import FileInfo, HostKind, Kind, Missing, Outcome, Process, Space, Unread
from .rooted import Rooted, Store


class RecordedStore:
    """host.json first, then root/; what neither knows was absent only where its whole folder was recorded."""

    absent = Missing.ABSENT

    def __init__(self, manifest: Manifest, inner: Store) -> None:
        self.manifest = manifest
        self.inner = inner
        self._names: dict[str, set[str]] | None = None
        self._listed: dict[str, frozenset[str]] = {}

    def look(self, path: str) -> FileInfo | Unread:
        """lstat as recorded."""
        entry = self.manifest.paths.get(path)
        if entry is not None:
            return info(entry) or Unread(entry.missing or Missing.NOT_CAPTURED, path, entry.detail)
        found = self.inner.look(path)
        if not isinstance(found, Unread):
            return found
        if path == "/" or path in self._children():
            return FileInfo(kind=Kind.DIR, mode=0o755, uid=0, gid=0)
        return Unread(self._why_not(path), path)

    def content(self, path: str, limit: int) -> bytes | Unread:
        """Bytes as recorded."""
        return self._unread(path) or self.inner.content(path, limit)

    def part(self, path: str, offset: int, length: int) -> bytes | Unread:
        """Some of them."""
        return self._unread(path) or self.inner.part(path, offset, length)

    def _unread(self, path: str) -> Unread | None:
        """Why the manifest says that there is no content."""
        entry = self.manifest.paths.get(path)
        found = self.look(path)
        if isinstance(found, Unread):
            return found
        if found.kind is not Kind.FILE:
            return Unread(Missing.UNREADABLE, path, "not a regular file")
        if entry is not None and entry.missing is not None:
            return Unread(entry.missing, path, entry.detail)
        return None

    def listing(self, path: str) -> tuple[str, ...] | Unread:
        """Names as recorded. A folder that was only passed through cannot be listed."""
        found = self.look(path)
        if isinstance(found, Unread):
            return found
        if found.kind is not Kind.DIR:
            return Unread(Missing.UNREADABLE, path, "not a folder")
        entry = self.manifest.paths.get(path)
        if entry is not None and entry.names is not None:
            return tuple(sorted(entry.names))
        if entry is not None and (entry.missing is not None or entry.complete is False):
            return Unread(entry.missing or Missing.NOT_CAPTURED, path, entry.detail)
        return self._known(path)

    def holds(self, path: str) -> bool:
        """Whether this very path was recorded, be it as absent, or as below what is."""
        known = path in self.manifest.paths or self.inner.holds(path) or path in self._children()
        return known or self._below_nothing(path)

    def _known(self, path: str) -> tuple[str, ...]:
        below = self.inner.listing(path)
        names = set() if isinstance(below, Unread) else set(below)
        base = path.rstrip("/")
        gone = {name for name in names if _is_gone(self.manifest.paths.get(f"{base}/{name}"))}
        return tuple(sorted((names - gone) | self._children().get(path, set())))

    def _children(self) -> dict[str, set[str]]:
        """Names below each folder that host.json tells of, be it only on the way to something deeper."""
        if self._names is None:
            self._names = {}
            for path, entry in self.manifest.paths.items():
                if not _is_gone(entry) and entry.kind is not None:
                    self._note(path, self._names)
        return self._names

    @staticmethod
    def _note(path: str, names: dict[str, set[str]]) -> None:
        while path != "/":
            parent, _, name = path.rpartition("/")
            known = names.setdefault(parent or "/", set())
            if name in known:
                return
            known.add(name)
            path = parent or "/"

    def _why_not(self, path: str) -> Missing:
        """The nearest folder above that is known decides; what is below nothing is not there either."""
        while path != "/":
            parent, _, name = path.rpartition("/")
            parent = parent or "/"
            entry = self.manifest.paths.get(parent)
            if entry is not None:
                return _why_not_in(entry, listed=name in self._names_in(parent, entry))
            if self.inner.holds(parent) or parent in self._children():
                break
            path = parent
        return Missing.NOT_CAPTURED

    def _names_in(self, path: str, folder: Entry) -> frozenset[str]:
        """As a set: thousands may be looked for in a folder of thousands."""
        if path not in self._listed:
            self._listed[path] = frozenset(folder.names or ())
        return self._listed[path]

    def _below_nothing(self, path: str) -> bool:
        """Whether a folder above was recorded as absent."""
        while path != "/" and path not in self.manifest.paths:
            path = path.rpartition("/")[0] or "/"
        return _is_gone(self.manifest.paths.get(path))


def _why_not_in(folder: Entry, *, listed: bool) -> Missing:
    """Why a name is not known in what was recorded as `folder`. `listed`: it is among the names there."""
    if folder.kind is None:
        return Missing.ABSENT if folder.missing is Missing.ABSENT else Missing.NOT_CAPTURED
    if folder.kind is not Kind.DIR:
        return Missing.NOT_CAPTURED if folder.kind is Kind.LINK else Missing.ABSENT
    if folder.missing is not None:
        return Missing.NOT_CAPTURED
    if folder.names is not None:
        return Missing.NOT_CAPTURED if listed else Missing.ABSENT
    return Missing.NOT_CAPTURED if folder.complete is False else Missing.ABSENT


def _is_gone(entry: Entry | None) -> bool:
    return entry is not None and entry.kind is None and entry.missing is Missing.ABSENT


class RecordedHost(Rooted):
    """A machine as it was when it was captured."""

    kind = HostKind.RECORDED

    def __init__(self, manifest: Manifest, inner: Store, label: str) -> None:
        super().__init__(RecordedStore(manifest, inner))
        self.manifest = manifest
        self.label = label
        self._commands = {outcome.argv: outcome for outcome in reversed(manifest.commands or [])}

    def process(self) -> Process | Unread:
        """Ids of the process that captured."""
        found = self.manifest.process
        if found is None:
            return Unread(Missing.NOT_CAPTURED, "process")
        return Process(uid=found.uid, gid=found.gid, groups=tuple(sorted({found.gid, *found.groups})))

    def environment(self) -> Mapping[str, str] | Unread:
        """The variables that were captured."""
        found = self.manifest.environment
        return Unread(Missing.NOT_CAPTURED, "environment") if found is None else found

    def machine(self) -> str | Unread:
        """uname -m of then."""
        return self.manifest.machine or Unread(Missing.NOT_CAPTURED, "machine")

    def now(self) -> float | Unread:
        """When it was captured."""
        found = self.manifest.created
        return Unread(Missing.NOT_CAPTURED, "now") if found is None else found

    def space(self, path: str) -> Space | Unread:
        """Room as recorded for `path` or its nearest ancestor that is listed."""
        spaces = self.manifest.spaces or {}
        here = path.rstrip("/") or "/"
        while here not in spaces and here not in ("/", ""):
            here = here.rpartition("/")[0] or "/"
        return spaces.get(here) or Unread(Missing.NOT_CAPTURED, path)

    def ask(self, argv: Sequence[str], *, timeout: float = 10.0) -> Outcome | Unread:  # noqa: ARG002  the protocol's
        """What the command said then."""
        return self._commands.get(tuple(argv)) or Unread(Missing.NOT_CAPTURED, " ".join(argv))

"""One door to all indices: read through the cache, asked again when due."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from ..host.state import user_cache
from ..project.model import Sources
from .address import project_page, shown
from .fetch import Network
from .filenames import normal
from .listings import Listings
from .model import IndexFile, Metadata, Page, Trouble
from .parallel import in_parallel
from .store import Store
from .trouble import Failed

if TYPE_CHECKING:
    from .remote import RemoteFile

T = TypeVar("T")


class Catalog:
    """What the indices of a project's sources say. Safe to use from several threads.

    What was read is kept for the life of the object, so that one plan sees one state of each index; between runs it is
    kept on disk, for ten minutes without asking again, and for good where there is no network. Nothing here raises but
    ValueError for a wrong argument: what could not be read is a Trouble."""

    def __init__(self, sources: Sources, cache: str | None = None) -> None:
        """`cache`: a folder; the user's own by default. Nothing is read, made or asked for yet."""
        folder = cache if cache is not None else os.path.join(user_cache(os.environ), "catalog")
        self._network = Network(sources, os.environ)
        for source in (*sources.default_indices, *sources.torch_indices, *sources.wheelhouses):
            self._network.credentials.learn(source.url)
        store = Store(folder)
        self._store = store
        self._offline = sources.offline
        self._listings = Listings(self._network, store)
        self._known: dict[tuple[str, ...], object] = {}
        self._locks: dict[tuple[str, ...], Lock] = {}
        self._lock = Lock()

    def page(self, index: str, project: str) -> Page | Trouble:
        """The files of `project` on the index at `index`: http(s), with credentials if it needs any; a file URL or a
        path of a PEP 503 tree. Raises ValueError for an empty `index` or what is no name of a project."""
        name = normal(project)
        if not index or not name.isascii() or not name.replace("-", "").isalnum():
            raise ValueError("an index and the name of a project are needed")
        at = project_page(index, name)
        return self._once(("page", index, name), at, lambda: self._listings.page(index, name))

    def links(self, address: str) -> Page | Trouble:
        """The files of all projects on a find-links page, or in a folder; `Page.project` is empty."""
        if not address:
            raise ValueError("an address is needed")
        return self._once(("links", address), address, lambda: self._listings.links(address))

    def text(self, address: str) -> str | Trouble:
        """A text of at most 1 MiB at an http(s) address."""
        from .texts import read_text

        return self._once(("text", address), address, lambda: read_text(self._network, self._store, address))

    def warm(self, wanted: Iterable[tuple[str, str]]) -> None:
        """Read the pages of (index, project) at the same time, so that `page` answers at once."""
        pairs = [(index, normal(project)) for index, project in dict.fromkeys(wanted)]
        pairs = [pair for pair in pairs if ("page", *pair) not in self._known]
        in_parallel([partial(self.page, *pair) for pair in pairs])

    def metadata(self, file: IndexFile) -> Metadata | Trouble:
        """What a wheel, or an sdist of at most 8 MiB, says of itself: by PEP 658 where the index has it, else by
        reading only that part of the file. Of an sdist, fields in `Metadata.dynamic` are known only once it is
        built."""
        from .distributions import metadata

        key = ("metadata", file.url, file.sha256 or "", file.metadata_sha256 or "")
        return self._once(key, file.url, lambda: metadata(self._network, self._store, file))

    def warm_metadata(self, files: Iterable[IndexFile]) -> None:
        """Read the metadata of files at the same time, so that `metadata` answers at once."""
        in_parallel([partial(self.metadata, file) for file in dict.fromkeys(files)])

    def sizes(self, files: Iterable[IndexFile]) -> dict[str, int]:
        """Bytes by URL: as stated, else asked for, at the same time. A file that would not tell is left out."""
        from .distributions import size_of

        listed = list(files)
        stated = {one.url: one.size for one in listed if one.size is not None}
        asked = list({one.url: one for one in listed if one.url not in stated}.values())
        found: dict[str, int] = {}

        def ask(file: IndexFile) -> None:
            size = self._once(("size", file.url), file.url, lambda: size_of(self._network, self._store, file))
            if isinstance(size, int):
                found[file.url] = size

        in_parallel([partial(ask, file) for file in asked])
        return {**stated, **found}

    def bandwidth(self, address: str) -> float | None:
        """Bytes per second at which the host of the file at `address` sends: measured with at most 4 MiB of it in about
        a second, and kept for a day. None: offline, not on the network, or it did not send enough to tell."""
        from .speed import measured

        if self._offline:
            return None
        found = self._once(("speed", address), address, lambda: measured(self._network, self._store, address))
        return found if isinstance(found, float) else None

    def remote(self, address: str) -> RemoteFile | Trouble:
        """A file at an http(s) address of which parts are read. Its server must send parts."""
        from .remote import RemoteFile

        try:
            return RemoteFile(self._network, address)
        except Failed as failed:
            return failed.about(shown(address))

    def fetch(self, file: IndexFile, path: str) -> Trouble | None:
        """The whole file at `path`: checked, on disk for good, or not there at all. Raises OSError where `path` cannot
        be written."""
        from .download import download

        try:
            download(self._network, file, path)
        except Failed as failed:
            return failed.about(shown(file.url))
        return None

    def _once(self, key: tuple[str, ...], address: str, ask: Callable[[], T]) -> T | Trouble:
        """The answer to `key`, worked out by the first thread that asks."""
        with self._lock:
            lock = self._locks.setdefault(key, Lock())
        with lock:
            if key not in self._known:
                try:
                    self._known[key] = ask()
                except Failed as failed:
                    self._known[key] = failed.about(shown(address))
            return self._known[key]  # type: ignore[return-value]

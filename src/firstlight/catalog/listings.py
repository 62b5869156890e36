"""Pages of indices, through the cache."""

from __future__ import annotations

import time

import msgspec

from .address import on_disk, parse, project_page, shown
from .fetch import Network
from .freshness import ABSENT, STALE, Validity, renewed, validity
from .model import IndexFile, Page
from .pages import ACCEPT, BODY, read_page
from .statuses import check
from .store import Store
from .trouble import Failed, damaged, quoted


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A page in the cache. `files` None: the index said that it is not there."""

    validity: Validity
    files: tuple[IndexFile, ...] | None


class Listings:
    """Reads pages. Raises Failed where there is nothing to tell."""

    def __init__(self, network: Network, store: Store) -> None:
        self._network = network
        self._store = store

    def page(self, index: str, project: str) -> Page:
        """One project's page on an index on the network or on this disk."""
        path = on_disk(index)
        if path is None:
            self._network.credentials.learn(index)
            return self._read(project_page(index, project), project)
        from .disk import read_tree

        return Page(project=project, files=read_tree(path, project), as_of=time.time())

    def links(self, address: str) -> Page:
        """A find-links page or folder."""
        path = on_disk(address)
        if path is None:
            self._network.credentials.learn(address)
            return self._read(address, "")
        from .disk import read_links

        return Page(project="", files=read_links(path), as_of=time.time())

    def _read(self, address: str, project: str) -> Page:
        key = f"{project} {parse(address).url}"
        kept = self._store.read(key, Kept)
        if kept is not None and kept.validity.holds(time.time()):
            return _page(kept, project)
        try:
            fresh = self._ask(address, project, kept)
        except Failed as failed:
            if kept is None or failed.kind not in STALE:
                raise
            return _page(kept, project, failed, address)
        self._store.write(key, fresh)
        return _page(fresh, project)

    def _ask(self, address: str, project: str, kept: Kept | None) -> Kept:
        now = time.time()
        known = kept.validity.conditions() if kept is not None and kept.files is not None else {}
        asked = {"Accept": ACCEPT, "Accept-Encoding": "gzip", **known}
        answer = self._network.get(address, limit=BODY, headers=asked, unpack=True)
        if answer.status == 304 and kept is not None and known:
            return Kept(validity=renewed(kept.validity, answer.headers, now), files=kept.files)
        try:
            check(answer.status, answer.headers, answer.body, authorized=answer.authorized)
        except Failed as failed:
            if failed.kind != "not-there":
                raise
            return Kept(validity=validity({}, now, seconds=ABSENT), files=None)
        files = read_page(answer.body, answer.headers.get("content-type", ""), answer.url, project)
        if not files and parse(answer.url).host != parse(address).host:
            place = quoted(shown(answer.url))
            raise damaged(
                f"it leads to {place}, which lists no file: a login page?",
                f"它跳转到 {place}，其中没有文件（可能是登录页）",
            )
        return Kept(validity=validity(answer.headers, now), files=files)


def _page(kept: Kept, project: str, failed: Failed | None = None, address: str = "") -> Page:
    if kept.files is None:
        raise Failed("not-there")
    return Page(
        project=project, files=kept.files, as_of=kept.validity.as_of, stale=failed is not None,
        trouble=failed.about(shown(address)) if failed else None,
    )  # fmt: skip

"""Whether what a source says is signed by a key that counts for it: of the machine's own sources as its apt would
judge, of others by the fingerprints that are known of their makers, or by a keyring that the user gives for that
source."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from time import time

import msgspec

from ...catalog.debian.clearsigned import is_clearsigned, signatures, split
from ...catalog.debian.keyrings import KeyringReader, Keyrings, Ring
from ...catalog.debian.model import DebianCatalogue, Index
from ...catalog.debian.openpgp import Certificates, certificates
from ...catalog.debian.packets import MalformedError, dearmored
from ...catalog.debian.signatures import Judge
from ...catalog.debian.suites import Verify
from ...catalog.debian.trust import Judging
from ...catalog.debian.trust_model import CAUSES, Problem, SourceTrust, Trust
from ...catalog.debian.verifier import Verifier
from ...facts.model import Facts, Repository, Unknown
from ...host.model import Host, Unread
from ...host.state import user_config
from ...project.model import Sources
from ...words import Words
from ..model import Because
from ..reasons import because

FOLDERS = ("/etc/apt/keyrings", "/usr/share/keyrings", "/etc/apt/trusted.gpg.d")
"""Where keyrings lie on a machine."""
OWN_FOLDER = "keyrings"
"""In our configuration folder: `NAME.gpg` or `NAME.asc` holds the keys that the user gives for the source NAME."""
FILES_AT_MOST = 200
KEY_LIMIT = 1 << 20
_VERDICTS: dict[str, bool | None] = {"trusted": True, "refused": False, "unknown": None}


class Trusting:
    """Asks for keys that are at hand. Nothing is read before something is asked."""

    def __init__(self, host: Host, facts: Facts, sources: Sources) -> None:
        self._host, self._facts, self._sources = host, facts, sources
        now = host.now()
        self._now = time() if isinstance(now, Unread) else now
        self._fetched: dict[str, Ring] = {}

    @cached_property
    def trust(self) -> Trust:
        """Of the machine's own sources."""
        found = self._facts.repositories
        listed = [] if isinstance(found, Unknown) else [one for one in found if one.enabled and "deb" in one.types]
        return Judging(self._host, self._now).all(listed)

    def marked(self, catalogue: DebianCatalogue) -> DebianCatalogue:
        """The machine's own, each index with its trust."""
        return msgspec.structs.replace(catalogue, indices=tuple(self._marked(one) for one in catalogue.indices))

    def _marked(self, index: Index) -> Index:
        said = self.trust.of(index.uri, index.suite)
        return index if said is None else msgspec.structs.replace(index, trusted=_VERDICTS[said.verdict])

    def refused(self) -> tuple[SourceTrust, ...]:
        """Sources of which apt takes nothing as authentic."""
        return tuple(one for one in self.trust.sources if one.verdict == "refused")

    def of_source(self, repository: Repository, name: str, key: str | None) -> Verify:
        """For a suite that one of the machine's sources would have on another release: by that source's own keyrings.
        One that is no source of the machine: see `of_key`."""
        if not repository.file:
            return self.of_key(name, key)

        def verify(data: bytes, signature: bytes) -> Words | None:
            judging = Judging(self._host, self._now, lambda _uri, _suite: (data, signature))
            # no list of the machine's is of a suite called so: what was fetched is judged, and nothing else
            return _why_not(judging.one(repository, repository.uris[0], "?"))

        return verify

    def of_key(self, name: str, key: str | None, place: str = "") -> Verify:
        """For a source that the machine does not have. `key`: of keys.toml, whose fingerprints alone count, wherever
        such a key is found; the maker's own copy is fetched if none is here. `name`: of the source, for which the user
        may have given a keyring."""

        def verify(data: bytes, signature: bytes) -> Words | None:
            own = self._own_keyring(name)
            if own is not None:
                return self._judged(data, signature, Keyrings(rings=(own,), pinned=True))
            return self._by_known(data, signature, key, place)

        return verify

    def _by_known(self, data: bytes, signature: bytes, key: str | None, place: str) -> Words | None:
        from ...knowledge.keys import signing_key

        known = signing_key(key) if key else None
        if known is None:
            return Words("whose key signs it is not known to us", "尚不清楚它由谁的密钥签名")
        rings = tuple(self._at_hand())
        why = self._judged(data, signature, Keyrings(rings=rings, fingerprints=known.fingerprints, pinned=True))
        if why is None or not known.url:
            return why
        more = self._makers_copy(known.url.replace("{place}", place))
        if more is None:
            return why
        return self._judged(data, signature, Keyrings(rings=(more,), fingerprints=known.fingerprints, pinned=True))

    def _judged(self, data: bytes, signature: bytes, keyrings: Keyrings) -> Words | None:
        try:
            message, armored = split(data) if is_clearsigned(data) else (data, signature)
            if not armored:
                return Words("it is not signed", "它没有签名")
            judged = Judge(self._verifier, self._now).of(message, signatures(armored), keyrings, "InRelease")
        except MalformedError as error:
            return Words(f"its Release is damaged: {error}", f"其 Release 已损坏：{error}")
        if judged.good:
            return None
        return judged.problems[0].text if judged.problems else _unchecked(judged.lacks)

    @cached_property
    def _verifier(self) -> Verifier:
        return Judging(self._host, self._now).verifier

    def _at_hand(self) -> Iterator[Ring]:
        """Every keyring of the machine. Only known fingerprints count among them."""
        paths = []
        for folder in FOLDERS:
            names = self._host.names(folder)
            listed = () if isinstance(names, Unread) else names[:FILES_AT_MOST]
            paths += [f"{folder}/{name}" for name in listed if name.endswith((".gpg", ".asc"))]
        yield from KeyringReader(self._host).each(paths)

    def _own_keyring(self, name: str) -> Ring | None:
        folder = os.path.join(user_config(os.environ), OWN_FOLDER)
        for path in (os.path.join(folder, f"{name}.gpg"), os.path.join(folder, f"{name}.asc")):
            data = _content(path)
            if data is not None:
                return _ring(path, data)
        return None

    def _makers_copy(self, url: str) -> Ring | None:
        """What its maker hands out. It counts as far as its fingerprints are known, and no further."""
        from ...catalog.model import Trouble
        from ...catalog.plain_file import plain_file

        if url not in self._fetched:
            data = plain_file(url, self._sources, os.environ, limit=KEY_LIMIT)
            if isinstance(data, Trouble):
                return None
            self._fetched[url] = _ring(url, data)
        return self._fetched[url]


def _why_not(said: SourceTrust) -> Words | None:
    """None: its signature holds. What is only a risk, or stops the next update, is no reason."""
    worst = next((one for one in said.problems if one.effect == "use"), None)
    if worst is not None:
        return worst.text
    if said.verdict == "trusted" or said.signed_by:
        return None
    return _unchecked(said.lacks)


def _unchecked(lacks: Sequence[tuple[str, str]]) -> Words:
    listed = ", ".join(f"{what} ({why})" for what, why in lacks) or "-"
    return Words(f"its signature cannot be checked here: {listed}", f"无法在此检查其签名：{listed}")


def _ring(path: str, data: bytes) -> Ring:
    """A keyring, armored or not."""
    armored = data.lstrip().startswith(b"-----BEGIN PGP")
    try:
        found = certificates(dearmored(data, "PUBLIC KEY BLOCK") if armored else data)
    except MalformedError as error:
        return Ring(path=path, certificates=Certificates(), unusable=str(error), unusable_zh=str(error))
    return Ring(path=path, certificates=found)


def of_trust(said: SourceTrust, *, excluded: bool) -> tuple[Because, ...]:
    """What has to be known of a source of the machine: by the id of each cause. `excluded`: apt takes nothing from
    it."""
    counted = [one for one in said.problems if (one.effect == "use") is excluded and one.effect != "risk"]
    return tuple(_problem(one, said) for one in _each_cause(counted))


def _each_cause(problems: Sequence[Problem]) -> list[Problem]:
    first: dict[str, Problem] = {}
    for one in problems:
        first.setdefault(CAUSES[one.kind], one)
    return list(first.values())


def _problem(one: Problem, said: SourceTrust) -> Because:
    return because(CAUSES[one.kind], said.label, f"{said.label}: {one.text.en}", f"{said.label}：{one.text.zh}")


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read(KEY_LIMIT)
    except OSError:
        return None

"""Trust before content: whether each of a machine's apt sources is signed by a key that its apt takes for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from ...facts.model import Repository
from ...facts.value import Unknown
from ...host.model import Host, HostKind, Unread
from ...knowledge.keys import owner_of, publishers
from ...words import Words, same
from . import key_problems
from .apt_conf import MACHINES, read_settings, truth
from .clearsigned import is_clearsigned, signatures, split
from .control import DamagedError
from .keyrings import KeyringReader, Keyrings
from .lists import LISTS, list_name, release_names, suite_uri
from .packets import MalformedError
from .release import LARGEST, read_release
from .signatures import Judge, Judged
from .trust_model import NO_TRUST, Problem, SourceTrust, Trust, Verdict
from .validity import Options, problems
from .verifier import ASSERTS_KEYS, Verifier, verifier_of

PARTIAL = f"{LISTS}/partial"
"""Where apt leaves what it fetched and did not take."""
Supply = Callable[[str, str], "tuple[bytes, bytes] | None"]
"""(uri, suite) -> (InRelease or Release, detached signature or nothing), for what the machine does not hold."""


class _Found(msgspec.Struct, frozen=True, kw_only=True):
    """The Release of one suite, wherever it was found."""

    data: bytes
    detached: bytes = b""
    path: str


def judge_trust(host: Host, repositories: object, now: float | None = None, *, supply: Supply | None = None) -> Trust:
    """Every enabled source of packages. `repositories`: the fact; `now`: seconds since 1970, where the host knows no
    time ours. Reads keyrings and Releases only, each once; a machine without apt costs nothing. Raises nothing."""
    if isinstance(repositories, Unknown) or not isinstance(repositories, list):
        return NO_TRUST
    wanted = [one for one in repositories if one.enabled and "deb" in one.types]
    return Judging(host, now, supply).all(wanted) if wanted else NO_TRUST


class Judging:
    """One machine's keyrings, configuration and lists, read once."""

    def __init__(self, host: Host, now: float | None = None, supply: Supply | None = None) -> None:
        from time import time

        self._host = host
        self._now = time() if now is None else now
        self._supply = supply
        self._settings, _ = read_settings(host)
        self.verifier: Verifier = verifier_of(host, self._settings)
        strict = self.verifier.kind == "gpgv" and self.verifier.apt < ASSERTS_KEYS
        self._keyrings = KeyringReader(host, self.verifier.kind, strict=strict)
        self._judge = Judge(self.verifier, self._now)
        names = host.names(LISTS)
        self._unread = names.reason.value if isinstance(names, Unread) else ""
        self._names = frozenset(() if isinstance(names, Unread) else names)
        tried = host.names(PARTIAL)
        self._tried = frozenset(() if isinstance(tried, Unread) else tried)

    def all(self, repositories: Iterable[Repository]) -> Trust:
        """In the order of the configuration."""
        found = tuple(
            self.one(repository, self._plain(uri), self._plain(suite))
            for repository in repositories
            for uri in repository.uris
            for suite in repository.suites
        )
        return Trust(sources=found, verifier=self.verifier.kind, now=self._now)

    def one(self, repository: Repository, uri: str, suite: str) -> SourceTrust:
        """One suite."""
        keyrings = self._keyrings.of(repository)
        found = self._found(uri, suite, repository.options.get("inrelease-path", ""))
        told = list(_of_options(repository, self._settings))
        said = (
            self._of_release(found, keyrings, suite, repository) if found else self._without(keyrings, uri, suite)
        )  # fmt: skip
        base = SourceTrust(
            file=repository.file, line=repository.line, uri=uri, suite=suite, verdict="unknown",
            keyrings=tuple(ring.path for ring in keyrings.rings),
        )  # fmt: skip
        base = msgspec.structs.replace(base, **said)
        wrong = (*base.problems, *_of_owner(base), *told, *self._refused(base, keyrings, uri, suite))
        if _trusts(repository) is True:  # apt does not look at signatures then
            wrong = tuple(_as_risk(one) for one in wrong)
        verdict = _verdict(base, wrong, has_release=found is not None, trusted=_trusts(repository))
        return msgspec.structs.replace(base, verdict=verdict, problems=wrong)

    def _plain(self, text: str) -> str:
        """`$(ARCH)` is the native architecture."""
        if "$(" not in text:
            return text
        machine = self._host.machine()
        native = (self._settings.get("apt::architecture") or [""])[-1]
        return text.replace("$(ARCH)", native or (MACHINES.get(machine, "") if isinstance(machine, str) else ""))

    def _found(self, uri: str, suite: str, place: str) -> _Found | None:
        """What apt has, else what it last fetched and refused, else what `supply` has."""
        signed, plain, detached = release_names(uri, suite)
        signed = list_name(suite_uri(uri, suite) + place) if place else signed
        for folder, names in ((LISTS, self._names), (PARTIAL, self._tried)):
            for name in (signed, f"{signed}.FAILED", plain):
                if name in names and (data := self._read(f"{folder}/{name}")) is not None:
                    beside = self._read(f"{folder}/{detached}") if name == plain and detached in names else None
                    return _Found(data=data, detached=beside or b"", path=f"{folder}/{name}")
        got = self._supply(uri, suite) if self._supply else None
        return _Found(data=got[0], detached=got[1], path=suite_uri(uri, suite) + "InRelease") if got else None

    def _refused(self, base: SourceTrust, keyrings: Keyrings, uri: str, suite: str) -> Iterator[Problem]:
        """What is wrong with the newer copy that apt fetched last and did not take, beside the one that it has."""
        signed, _, _ = release_names(uri, suite)
        path = f"{PARTIAL}/{signed}"
        if signed not in self._tried or base.release_path == path or (data := self._read(path)) is None:
            return
        try:
            _, judged = self._signed(_Found(data=data, path=path), keyrings)
        except MalformedError as error:
            judged = Judged(problems=(_damaged(error, path),))
        here = {one.kind for one in base.problems}
        for one in () if judged.good else judged.problems:
            if one.kind not in here:
                yield msgspec.structs.replace(one, effect="update")

    def _read(self, path: str) -> bytes | None:
        data = self._host.read(path, LARGEST)
        return None if isinstance(data, Unread) else data

    def _of_release(self, found: _Found, keyrings: Keyrings, suite: str, repository: Repository) -> dict[str, object]:
        try:
            message, judged = self._signed(found, keyrings)
            release = read_release(message)
        except (MalformedError, DamagedError) as error:
            return {"problems": (_damaged(error, found.path),), "release_path": found.path}
        options = Options(repository.options, self._settings, release.label)
        further = [
            msgspec.structs.replace(one, source=found.path)
            for one in problems(release, suite, options, self._now, has_hashes=_has_hashes(message))
        ]
        key = judged.good[0] if judged.good else None
        return {
            "problems": (*_of_keyrings(keyrings, judged), *judged.problems, *further),
            "signed_by": key.primary if key else "",
            "signing_key": key.fingerprint if key else "",
            "owner": owner_of(key.primary) if key else "",
            "release": release,
            "release_path": found.path,
            "lacks": judged.lacks,
        }

    def _signed(self, found: _Found, keyrings: Keyrings) -> tuple[bytes, Judged]:
        """(the text that is signed, by whom). Raises MalformedError."""
        if is_clearsigned(found.data):
            message, armored = split(found.data)
        else:
            message, armored = found.data, found.detached
        if not armored:
            return message, Judged(problems=(_unsigned(found.path),))
        return message, self._judge.of(message, signatures(armored), keyrings, found.path)

    def _without(self, keyrings: Keyrings, uri: str, suite: str) -> dict[str, object]:
        """Without a Release only the keyrings tell something, and indices that apt fetched all the same."""
        base = list_name(suite_uri(uri, suite))
        index = next((name for name in sorted(self._names) if name.startswith(base) and "Packages" in name), "")
        if index:
            return {"problems": (_unsigned(f"{LISTS}/{index}"),)}
        why = self._unread or ("not-captured" if self._host.kind is HostKind.TREE else "absent")
        return {"problems": tuple(self._of_keys(keyrings)), "lacks": ((LISTS, why),)}

    def _of_keys(self, keyrings: Keyrings) -> Iterator[Problem]:
        yield from _of_keyrings(keyrings, Judged())
        keys = [key for key in keyrings.certificates.keys if key.fingerprint == key.primary]
        if not keyrings.pinned or not keys:
            return
        dead = [key for key in keys if key.revoked or (key.expires is not None and key.expires <= self._now)]
        if len(dead) == len(keys):
            yield key_problems.dead(dead[0], keyrings.rings[0].path)


def _of_owner(base: SourceTrust) -> Iterator[Problem]:
    """A vendor's own host serves what no known key of that vendor signed. Distributions make new keys with every
    release, and their keyrings come with the system: of them only the owner is told."""
    makers = [one for one in publishers(base.uri) if one.url]
    known = {print for one in makers for print in (*one.fingerprints, *one.retired)}
    if base.signed_by and known and base.signed_by not in known:
        who = makers[0].maker
        yield Problem(
            kind="key-unknown", effect="use", evidence=base.signed_by, source=base.release_path, key=base.signed_by,
            text=Words(f"it is signed by {base.signed_by}, which is none of the known keys of {who}",
                       f"由 {base.signed_by} 签名，而它不是 {who} 的已知密钥"),
        )  # fmt: skip


def _of_keyrings(keyrings: Keyrings, judged: Judged) -> Iterator[Problem]:
    """Files that Signed-By names and apt cannot use, where no other gave a key that counts."""
    if judged.good:
        return
    for ring in keyrings.rings:
        if ring.unread == "absent" and keyrings.pinned and ring.path != "/etc/apt/trusted.gpg":
            yield Problem(
                kind="keyring-missing", effect="use", evidence=ring.path, source=ring.path,
                text=Words(f"the keyring that it names is not there: {ring.path}",
                           f"其指定的密钥环不存在：{ring.path}"),
            )  # fmt: skip
        elif ring.unusable or ring.certificates.damage:
            why = Words(ring.unusable, ring.unusable_zh) if ring.unusable else same(ring.certificates.damage)
            yield Problem(
                kind="keyring-unusable", effect="use", evidence=why.en, source=ring.path,
                text=Words(f"apt passes over {ring.path}: {why.en}",
                           f"apt 会忽略 {ring.path}：{why.zh}"),
            )  # fmt: skip


def _of_options(repository: Repository, settings: dict[str, list[str]]) -> Iterator[Problem]:
    place = f"{repository.file}:{repository.line}"
    if _trusts(repository) is True:
        yield Problem(
            kind="trusted-yes", effect="risk", evidence="trusted=yes", source=place,
            text=Words("it is marked trusted=yes: apt does not check who signed it",
                       "它被标记为 trusted=yes：apt 不检查由谁签名"),
        )  # fmt: skip
    if _trusts(repository) is False:
        yield Problem(
            kind="trusted-no", effect="use", evidence="trusted=no", source=place,
            text=Words("it is marked trusted=no: apt never takes it as authentic",
                       "它被标记为 trusted=no：apt 从不视其为可信"),
        )  # fmt: skip
    own = truth(repository.options.get("allow-insecure", ""))
    general = truth((settings.get("acquire::allowinsecurerepositories") or [""])[-1])
    if own is True or (own is None and general is True):
        said = "allow-insecure=yes" if own else "Acquire::AllowInsecureRepositories"
        yield Problem(
            kind="insecure-allowed", effect="risk", evidence=said, source=place,
            text=Words(f"{said}: apt updates it also when it is not signed", f"{said}：即使没有签名 apt 也会更新它"),
        )  # fmt: skip


def _trusts(repository: Repository) -> bool | None:
    return truth(repository.options.get("trusted", ""))


def _as_risk(problem: Problem) -> Problem:
    return msgspec.structs.replace(problem, effect="risk") if problem.effect == "use" else problem


def _verdict(base: SourceTrust, wrong: Sequence[Problem], *, has_release: bool, trusted: bool | None) -> Verdict:
    if trusted is True:
        return "trusted"
    if any(one.effect == "use" for one in wrong):
        return "refused"
    return "trusted" if base.signed_by and has_release and not base.lacks else "unknown"


def _has_hashes(message: bytes) -> bool:
    return b"\nSHA256:" in message or b"\nSHA512:" in message


def _damaged(error: Exception, path: str) -> Problem:
    return Problem(
        kind="damaged", effect="use", evidence=str(error)[:200], source=path,
        text=Words(f"its Release is damaged: {error}", f"其 Release 已损坏：{error}"),
    )  # fmt: skip


def _unsigned(path: str) -> Problem:
    return Problem(
        kind="unsigned", effect="use", evidence="no signature", source=path,
        text=Words("it is not signed", "它没有签名"),
    )  # fmt: skip

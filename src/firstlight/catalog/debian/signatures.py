"""Whose signature on a Release counts, as the machine's own apt would say, and why the others do not."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import msgspec

from . import gpgv, key_problems
from .keyrings import Keyrings
from .openpgp import Certificates, Key, Signature, signature, signer
from .packets import MalformedError
from .trust_model import Problem, ProblemKind
from .verifier import Verifier

OLD_DIGESTS = ("SHA1", "MD5", "RipeMD")
_ORDER: tuple[ProblemKind, ...] = (
    "bad-signature", "key-revoked", "key-expired", "signature-expired", "signature-from-future", "weak-digest",
    "weak-binding", "weak-key", "key-not-allowed", "key-missing", "damaged",
)  # fmt: skip


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """The signatures of one Release."""

    good: tuple[Key, ...] = ()
    """Keys whose signatures hold and count."""
    problems: tuple[Problem, ...] = ()
    """What is wrong where none holds, or what will be soon."""
    lacks: tuple[tuple[str, str], ...] = ()
    """What a certain answer needs: (what, why it is not there)."""


class _Made(msgspec.Struct, frozen=True, kw_only=True):
    """One signature, looked at: a key if it holds, a problem if not, neither where that takes gpgv."""

    key: Key | None = None
    problem: Problem | None = None


class Judge:
    """By one verifier, at one time (seconds since 1970)."""

    def __init__(self, verifier: Verifier, now: float) -> None:
        self._verifier = verifier
        self._now = now

    def of(self, message: bytes, packets: Sequence[bytes], keyrings: Keyrings, source: str) -> Judged:
        """`packets`: the signatures of `message`. `source`: where they were read, for people. With gpgv one signature
        that is plainly wrong spoils those that hold; one of an unknown key never does (methods/gpgv.cc, URIAcquire)."""
        known = keyrings.certificates
        made = [self._one(message, packet, known, keyrings.fingerprints, source) for packet in packets]
        good = tuple(one.key for one in made if one.key)
        wrong = [one.problem for one in made if one.problem]
        lacks = tuple(("gpgv", "absent") for one in made if not one.key and not one.problem)
        spoilt = self._verifier.kind == "gpgv" and any(one.kind == "bad-signature" for one in wrong)
        if good and not spoilt:
            return Judged(good=good, problems=tuple(one for key in good for one in self._soon(key, source)))
        wrong.sort(key=lambda one: _ORDER.index(one.kind))
        if not spoilt:
            if all(one.kind == "key-missing" for one in wrong) and (keyrings.lacks or lacks):
                return Judged(lacks=(*keyrings.lacks, *lacks))
            if lacks:
                return Judged(lacks=lacks)
        return Judged(problems=tuple(wrong))

    def _one(
        self, message: bytes, packet: bytes, known: Certificates, fingerprints: tuple[str, ...], source: str
    ) -> _Made:
        try:
            made = signature(packet)
        except MalformedError as error:
            return _Made(problem=key_problems.damaged(str(error), source))
        key = known.key(made, newest=self._verifier.kind == "sqv")
        if key is None:
            return _Made(problem=key_problems.missing(made, source))
        refused = next(self._refusals(made, key, source), None)
        if refused is not None:
            return _Made(problem=refused)
        holds = self._holds(message, made, key, known)
        if holds and not self._is_allowed(key, fingerprints):
            return _Made(problem=key_problems.not_allowed(key, source))
        return _Made(key=key if holds else None, problem=key_problems.bad(key, source) if holds is False else None)

    def _holds(self, message: bytes, made: Signature, key: Key, known: Certificates) -> bool | None:
        """What a library says: OpenPGP's own, or GnuPG's for what the first refuses by its own policy and the machine's
        apt takes; None: that is not here."""
        only = known.only(key.fingerprint)
        if _is_beyond_the_library(made, key):
            return gpgv.is_good(message, made, only)
        return signer(message, made, only) is not None

    def _refusals(self, made: Signature, key: Key, source: str) -> Iterator[Problem]:
        """What apt refuses whatever the mathematics says; the worst first."""
        if key.revoked:
            yield key_problems.revoked(key, source)
        if made.digest in self._verifier.weak_digests:
            yield key_problems.weak_digest(key, source, made.digest)
        yield from self._of_time(made, key, source)
        if self._now >= self._verifier.weak_keys_from and is_weak(key):
            yield key_problems.weak_key(key, source, "use")
        if key.digest in OLD_DIGESTS and self._now >= self._verifier.sha1_keys_until:
            yield key_problems.weak_binding(key, source)

    def _of_time(self, made: Signature, key: Key, source: str) -> Iterator[Problem]:
        created = made.created if made.created is not None else self._now
        # sqv asks whether the key was valid when it signed, gpgv whether it is valid now
        at = min(created, self._now) if self._verifier.kind == "sqv" else self._now
        if key.expires is not None and key.expires <= at:
            yield key_problems.expired(key, source, "use")
        if made.expires is not None and made.expires <= self._now:
            yield key_problems.signature_expired(key, source, made.expires)
        if self._verifier.kind == "sqv" and created > self._now:
            yield key_problems.from_future(key, source, created)

    def _soon(self, key: Key, source: str) -> Iterator[Problem]:
        """What holds for the copy that is here, and will not for the next."""
        if key.expires is not None and key.expires <= self._now:
            yield key_problems.expired(key, source, "update")
        if is_weak(key) and self._verifier.weak_keys_from > self._now:
            yield key_problems.weak_key(key, source, "risk")

    def _is_allowed(self, key: Key, fingerprints: tuple[str, ...]) -> bool:
        """sqv prints the certificate, gpgv's method also compares the subkey (methods/sqv.cc, methods/gpgv.cc)."""
        mine = {key.primary} if self._verifier.kind == "sqv" else {key.primary, key.fingerprint}
        return not fingerprints or bool(mine.intersection(fingerprints))


def is_weak(key: Key) -> bool:
    """RSA below 2048 bits, and DSA: what Debian's Sequoia policy and apt's Assert-Pubkey-Algo leave out."""
    return key.algorithm.startswith("dsa") or _is_short_rsa(key)


def _is_short_rsa(key: Key) -> bool:
    bits = key.algorithm[3:]
    return key.algorithm.startswith("rsa") and bits.isdigit() and int(bits) < 2048


def _is_beyond_the_library(made: Signature, key: Key) -> bool:
    """What its own policy refuses (StandardPolicy of sequoia-openpgp 2), whatever the machine's apt does."""
    future = made.created is not None and made.created > time.time()
    old = made.digest in OLD_DIGESTS or key.digest in OLD_DIGESTS
    return future or old or _is_short_rsa(key) or key.algorithm == "dsa1024"

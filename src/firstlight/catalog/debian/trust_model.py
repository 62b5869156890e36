"""Which of a machine's apt sources are to be believed, and why not the others."""

from __future__ import annotations

from typing import Literal

import msgspec

from ...words import Words
from .model import ReleaseInfo

ProblemKind = Literal[
    "keyring-missing", "keyring-unusable", "key-missing", "key-not-allowed", "key-expired", "key-revoked",
    "weak-digest", "weak-binding", "weak-key", "signature-expired", "signature-from-future", "bad-signature", "damaged",
    "unsigned", "weak-hashes", "trusted-no", "trusted-yes", "insecure-allowed", "key-unknown", "release-expired",
    "release-from-future", "other-suite",
]  # fmt: skip
Effect = Literal["use", "update", "risk"]
"""What apt does: `use`: takes nothing from the source as authentic; `update`: refuses a new copy, and goes on with what
it has; `risk`: nothing."""
Verdict = Literal["trusted", "refused", "unknown"]


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong with a source."""

    kind: ProblemKind
    effect: Effect
    text: Words
    """In one sentence."""
    evidence: str
    """What was seen: a fingerprint, a date, an option."""
    source: str
    """Where: a path, or path:line."""
    key: str = ""
    """Fingerprint (or key id) that it is about."""
    since: float | None = None
    """Seconds since 1970."""


class SourceTrust(msgspec.Struct, frozen=True, kw_only=True):
    """One suite of one source."""

    file: str
    line: int
    """Where it is configured."""
    uri: str
    suite: str
    verdict: Verdict
    problems: tuple[Problem, ...] = ()
    """The worst first."""
    signed_by: str = ""
    """Fingerprint of the certificate whose signature holds."""
    signing_key: str = ""
    """Of the key itself, often a subkey of it."""
    owner: str = ""
    """Who has that certificate, by `keys.toml`: `amd-rocm`, `debian`; empty: not known."""
    keyrings: tuple[str, ...] = ()
    """Files that apt takes keys for it from."""
    release: ReleaseInfo | None = None
    release_path: str = ""
    lacks: tuple[tuple[str, str], ...] = ()
    """For `unknown`: (what, why it could not be read)."""

    def problem(self, *kinds: ProblemKind) -> Problem | None:
        """The first of these kinds."""
        return next((one for one in self.problems if one.kind in kinds), None)

    @property
    def place(self) -> str:
        """Where it is configured: path:line."""
        return f"{self.file}:{self.line}"

    @property
    def label(self) -> str:
        """For people: address and suite."""
        return f"{self.uri} {self.suite}".rstrip()


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """All sources of packages that the machine has enabled."""

    sources: tuple[SourceTrust, ...] = ()
    verifier: Literal["gpgv", "sqv"] = "gpgv"
    """What the machine's apt verifies with."""
    now: float = 0.0
    """Seconds since 1970 by which dates were judged."""

    def of(self, uri: str, suite: str) -> SourceTrust | None:
        """What is known of a suite; None: no source names it."""
        wanted = (uri.rstrip("/"), suite)
        return next((one for one in self.sources if (one.uri.rstrip("/"), one.suite) == wanted), None)


NO_TRUST = Trust()
"""Of a machine without apt."""

CAUSES: dict[ProblemKind, str] = {
    "keyring-missing": "apt-signing-key-missing",
    "keyring-unusable": "apt-signing-key-missing",
    "key-missing": "apt-signing-key-missing",
    "key-not-allowed": "apt-key-fingerprint-unknown",
    "key-expired": "apt-signing-key-expired",
    "key-revoked": "apt-signing-key-revoked",
    "weak-digest": "apt-sha1-signature-policy",
    "weak-binding": "apt-sha1-signature-policy",
    "weak-key": "apt-weak-signing-key",
    "signature-expired": "apt-signature-invalid",
    "signature-from-future": "clock-skew",
    "bad-signature": "apt-signature-invalid",
    "damaged": "apt-signature-invalid",
    "unsigned": "apt-repo-unsigned",
    "weak-hashes": "apt-release-weak-hashes",
    "trusted-no": "apt-repo-unsigned",
    "trusted-yes": "apt-source-trusted-yes",
    "insecure-allowed": "apt-source-trusted-yes",
    "key-unknown": "apt-key-fingerprint-unknown",
    "release-expired": "apt-release-expired",
    "release-from-future": "clock-skew",
    "other-suite": "apt-repo-wrong-release",
}
"""The cause of the catalogue that each is a case of."""

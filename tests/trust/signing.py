"""Every way in which a signature can be wrong: how it is made, and what apt says, with gpgv and with sqv. What sqv says
was seen with apt 3.0.4 and sqv 1.3.0 (Debian 13); `oracle_test.py` asks the machine's own apt."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.trust.lab import AFTER, BEFORE, BODY, LONG_AGO, Lab

OTHER = BODY.replace(b"Vendor", b"Somebody")


class Signing(NamedTuple):
    """One way."""

    make: Callable[[Lab], tuple[bytes, bytes]]
    """-> InRelease, keyring."""
    gpgv: str | None
    """Kind of the problem for which apt with gpgv refuses it; None: it takes it."""
    sqv: str | None


def _good(lab: Lab) -> tuple[bytes, bytes]:
    lab.key("good")
    return lab.signed("good"), lab.keyring("good")


def _rsa(lab: Lab) -> tuple[bytes, bytes]:
    lab.key("rsa", "rsa2048")
    return lab.signed("rsa"), lab.keyring("rsa")


def _subkey(lab: Lab) -> tuple[bytes, bytes]:
    lab.key("sub")
    lab.subkey("sub")
    return lab.signed("sub"), lab.keyring("sub")


def _expired(lab: Lab) -> tuple[bytes, bytes]:
    lab.key("expired", "ed25519", "2022-01-01", at=LONG_AGO)
    return lab.signed("expired", at=BEFORE), lab.keyring("expired")


def _subkey_expired(lab: Lab) -> tuple[bytes, bytes]:
    lab.key("lapsed", at=LONG_AGO)
    subkey = lab.subkey("lapsed", "ed25519", "2y", at=LONG_AGO)
    return lab.signed(f"{subkey}!", at=BEFORE), lab.keyring("lapsed")


def _one_expired_one_good(lab: Lab) -> tuple[bytes, bytes]:
    expired, first = _expired(lab)
    good, second = _good(lab)
    return _joined(good, expired), first + second


def _weak(lab: Lab) -> tuple[bytes, bytes]:
    lab.key("weak", "rsa1024")
    return lab.signed("weak"), lab.keyring("weak")


def _dsa(lab: Lab) -> tuple[bytes, bytes]:
    lab.key("dsa", "dsa2048")
    return lab.signed("dsa"), lab.keyring("dsa")


def _sha1(lab: Lab) -> tuple[bytes, bytes]:
    lab.key("rsa", "rsa2048")
    return lab.signed("rsa", options=("--digest-algo", "SHA1")), lab.keyring("rsa")


def _sha1_key(lab: Lab) -> tuple[bytes, bytes]:
    """As AMD's and NVIDIA's keys were for years."""
    lab.key("sha1key", "rsa2048", "never", "--cert-digest-algo", "SHA1", at=LONG_AGO)
    return lab.signed("sha1key", at=BEFORE), lab.keyring("sha1key")


def _missing(lab: Lab) -> tuple[bytes, bytes]:
    lab.key("good")
    lab.key("other")
    return lab.signed("other"), lab.keyring("good")


def _one_missing_one_good(lab: Lab) -> tuple[bytes, bytes]:
    lab.key("good")
    lab.key("other")
    return lab.signed("other", "good"), lab.keyring("good")


def _revoked(lab: Lab) -> tuple[bytes, bytes]:
    lab.key("revoked")
    made = lab.signed("revoked")
    lab.revoke("revoked")
    return made, lab.keyring("revoked")


def _tampered(lab: Lab) -> tuple[bytes, bytes]:
    made, keyring = _good(lab)
    return made.replace(b"Codename: noble", b"Codename: jammy"), keyring


def _one_wrong_one_good(lab: Lab) -> tuple[bytes, bytes]:
    good, first = _good(lab)
    lab.key("other")
    return _joined(good, lab.signed("other", body=OTHER)), first + lab.keyring("other")


def _future(lab: Lab) -> tuple[bytes, bytes]:
    lab.key("good")
    return lab.signed("good", at=AFTER), lab.keyring("good")


def _run_out(lab: Lab) -> tuple[bytes, bytes]:
    lab.key("old", at=LONG_AGO)
    return lab.signed("old", at=BEFORE, options=("--default-sig-expire", "10d")), lab.keyring("old")


def _unsigned(lab: Lab) -> tuple[bytes, bytes]:
    return BODY, _good(lab)[1]


def _cut(lab: Lab) -> tuple[bytes, bytes]:
    made, keyring = _good(lab)
    return made[: made.index(b"-----END")], keyring


def _followed(lab: Lab) -> tuple[bytes, bytes]:
    made, keyring = _good(lab)
    return made + BODY, keyring


def _preceded(lab: Lab) -> tuple[bytes, bytes]:
    made, keyring = _good(lab)
    return b"Origin: Somebody\n\n" + made, keyring


def _joined(one: bytes, other: bytes) -> bytes:
    """The text of one, signed by both."""
    return one + other[other.index(b"-----BEGIN PGP SIGNATURE-----") :]


SIGNINGS = {
    "good": Signing(_good, None, None),
    "rsa": Signing(_rsa, None, None),
    "subkey": Signing(_subkey, None, None),
    "expired": Signing(_expired, "key-expired", None),
    "subkey-expired": Signing(_subkey_expired, "key-expired", None),
    "one-expired-one-good": Signing(_one_expired_one_good, None, None),
    "weak": Signing(_weak, None, "weak-key"),
    "dsa": Signing(_dsa, None, "weak-key"),
    "sha1": Signing(_sha1, "weak-digest", "weak-digest"),
    "sha1-key": Signing(_sha1_key, None, "weak-binding"),
    "missing": Signing(_missing, "key-missing", "key-missing"),
    "one-missing-one-good": Signing(_one_missing_one_good, None, None),
    "revoked": Signing(_revoked, "key-revoked", "key-revoked"),
    "tampered": Signing(_tampered, "bad-signature", "bad-signature"),
    "one-wrong-one-good": Signing(_one_wrong_one_good, "bad-signature", None),
    "future": Signing(_future, None, "signature-from-future"),
    "run-out": Signing(_run_out, "signature-expired", "signature-expired"),
    "unsigned": Signing(_unsigned, "unsigned", "unsigned"),
    "cut": Signing(_cut, "damaged", "damaged"),
    "followed": Signing(_followed, "damaged", "damaged"),
    "preceded": Signing(_preceded, "unsigned", "unsigned"),
}

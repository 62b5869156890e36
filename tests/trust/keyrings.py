"""Every form in which keyrings come, and whether apt finds the key in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.trust.lab import Lab
from tests.trust.roots import Root

FOLDER, PARTS = "/etc/apt/keyrings", "/etc/apt/trusted.gpg.d"
Content = Callable[[Lab], bytes]


class Keyrings(NamedTuple):
    """Files by path, and what the source says of them."""

    files: dict[str, Content]
    gpgv: bool
    """Whether apt with gpgv (2.6) takes what the key `good` signed."""
    sqv: bool
    """The same of apt 3.0.4 with sqv 1.3.0."""
    signed_by: str = ""
    """`{print}` stands for the fingerprint of the key."""

    def put(self, root: Root, lab: Lab) -> Root:
        """The files into the root."""
        for path, content in self.files.items():
            root.write(path, content(lab))
        return root

    def option(self, lab: Lab) -> str:
        """As it stands in the one-line form."""
        return f"signed-by={self.signed_by.replace('{print}', lab.key('good'))}" if self.signed_by else ""


def _binary(lab: Lab) -> bytes:
    return lab.keyring("good")


def _armored(lab: Lab) -> bytes:
    return lab.keyring("good", armor=True)


def _other(lab: Lab) -> bytes:
    return lab.keyring("other")


def _damaged(lab: Lab) -> bytes:
    return _binary(lab)[:-40]


def _one(name: str, content: Content, *, gpgv: bool, sqv: bool) -> Keyrings:
    return Keyrings({f"{FOLDER}/{name}": content}, gpgv, sqv, f"{FOLDER}/{name}")


def _before(name: str, content: Content | None, *, gpgv: bool, sqv: bool) -> Keyrings:
    """Another file is named before the one with the key."""
    files = {f"{FOLDER}/{name}": content} if content else {}
    return Keyrings({**files, f"{FOLDER}/z.gpg": _binary}, gpgv, sqv, f"{FOLDER}/{name},{FOLDER}/z.gpg")


def _trusted(name: str, content: Content, *, gpgv: bool, sqv: bool, signed_by: str = "") -> Keyrings:
    return Keyrings({f"/etc/apt/{name}": content}, gpgv, sqv, signed_by)


KEYRINGS = {
    "armored-asc": _one("v.asc", _armored, gpgv=True, sqv=True),
    "armored-gpg": _one("v.gpg", _armored, gpgv=False, sqv=True),
    "armored-pub": _one("v.pub", _armored, gpgv=True, sqv=True),
    "armored-pub-with-a-note": _one("v.pub", lambda lab: b"note\n" + _armored(lab), gpgv=False, sqv=True),
    "armored-asc-with-a-note": _one("v.asc", lambda lab: b"note\n" + _armored(lab), gpgv=True, sqv=True),
    "armored-two-blocks": _one("v.asc", lambda lab: lab.keyring("other", armor=True) + _armored(lab), gpgv=True,
                               sqv=True),
    "armored-windows": _one("v.asc", lambda lab: _armored(lab).replace(b"\n", b"\r\n"), gpgv=False, sqv=True),
    "armored-cut": _one("v.asc", lambda lab: _armored(lab)[:-60], gpgv=False, sqv=False),
    "binary-asc": _one("v.asc", _binary, gpgv=False, sqv=True),
    "binary-pub": _one("v.pub", _binary, gpgv=True, sqv=True),
    "binary-cut": _one("v.gpg", _damaged, gpgv=False, sqv=False),
    "binary-followed-by-rubbish": _one("v.gpg", lambda lab: _binary(lab) + b"\x99\x01\x00rubbish", gpgv=False,
                                       sqv=False),
    "binary-and-another-cut": _one("v.gpg", lambda lab: _binary(lab) + _other(lab)[:-40], gpgv=True, sqv=False),
    "empty": _one("v.gpg", lambda _: b"", gpgv=False, sqv=False),
    "other-key": _one("v.gpg", _other, gpgv=False, sqv=False),
    "not-there": Keyrings({f"{FOLDER}/w.gpg": _binary}, gpgv=False, sqv=False, signed_by=f"{FOLDER}/v.gpg"),
    "one-not-there": _before("none.gpg", None, gpgv=False, sqv=False),
    "one-of-another": _before("a.gpg", _other, gpgv=True, sqv=True),
    "one-armored": _before("a.gpg", lambda lab: lab.keyring("other", armor=True), gpgv=False, sqv=True),
    "one-rubbish": _before("a.gpg", lambda _: b"rubbish", gpgv=False, sqv=False),
    "one-cut": _before("a.gpg", lambda lab: _other(lab)[:-40], gpgv=False, sqv=False),
    "one-empty": _before("a.gpg", lambda _: b"", gpgv=True, sqv=True),
    "trusted-d": _trusted("trusted.gpg.d/v.gpg", _binary, gpgv=True, sqv=True),
    "trusted-d-asc": _trusted("trusted.gpg.d/v.asc", _armored, gpgv=True, sqv=True),
    "trusted-d-pub": _trusted("trusted.gpg.d/v.pub", _binary, gpgv=False, sqv=False),
    "trusted-d-armored-gpg": _trusted("trusted.gpg.d/v.gpg", _armored, gpgv=False, sqv=False),
    "trusted-d-beside-rubbish": Keyrings({f"{PARTS}/a.gpg": lambda _: b"rubbish", f"{PARTS}/v.gpg": _binary}, gpgv=True,
                                         sqv=True),
    "trusted-legacy": _trusted("trusted.gpg", _binary, gpgv=True, sqv=True),
    "pinned-and-trusted-d": _trusted("trusted.gpg.d/v.gpg", _binary, gpgv=False, sqv=False,
                                     signed_by=f"{FOLDER}/none.gpg"),
    "fingerprint": _trusted("trusted.gpg.d/v.gpg", _binary, gpgv=True, sqv=True, signed_by="{print}"),
    "other-fingerprint": _trusted("trusted.gpg.d/v.gpg", _binary, gpgv=False, sqv=False, signed_by="0" * 40),
    "fingerprint-and-file": Keyrings({f"{FOLDER}/v.gpg": _binary}, gpgv=True, sqv=True,
                                     signed_by=f"{{print}},{FOLDER}/v.gpg"),
    "other-fingerprint-and-file": Keyrings({f"{FOLDER}/v.gpg": _binary}, gpgv=False, sqv=False,
                                           signed_by=f"{'0' * 40},{FOLDER}/v.gpg"),
}  # fmt: skip

"""GnuPG's verifier, as apt before 2.9.19 runs it: asked only where that apt takes what the library refuses by its own
policy (a key bound by SHA-1 as AMD's and NVIDIA's were for years, RSA of 1024 bits, a signature from the future)."""

from __future__ import annotations

import os

from ...host.command import run
from ...host.scratch import scratch
from .openpgp import Certificates, Signature

SECONDS = 20.0
_NOT_GOOD = ("BADSIG", "EXPSIG", "EXPKEYSIG", "REVKEYSIG", "ERRSIG", "NO_PUBKEY")


def is_good(message: bytes, signature: Signature, certificates: Certificates) -> bool | None:
    """Whether gpgv finds the signature of `message` good; None: there is no gpgv here, or it could not be run."""
    try:
        with scratch() as folder:
            paths = [os.path.join(folder, name) for name in ("keyring.gpg", "signature", "message")]
            for path, data in zip(paths, (certificates.binary(), signature.packet, message), strict=True):
                with open(path, "xb") as file:
                    file.write(data)
            keyring, made, text = paths
            argv = ("gpgv", "--status-fd", "1", "--ignore-time-conflict", "--homedir", folder, "--keyring", keyring)
            outcome = run((*argv, made, text), timeout=SECONDS)
    except OSError:
        return None
    if outcome.code in (126, 127) or outcome.timed_out:
        return None
    said = [line.split()[1:2] for line in outcome.stdout.splitlines() if line.startswith("[GNUPG:] ")]
    words = {word for words in said for word in words}
    return "GOODSIG" in words and "VALIDSIG" in words and not words.intersection(_NOT_GOOD)

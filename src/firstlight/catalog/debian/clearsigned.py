"""The cleartext signature framework of InRelease files (RFC 9580, 7), read as strictly as apt does (apt-pkg/contrib/
gpgv.cc: SplitClearSignedFile, ExecGPGV)."""

from __future__ import annotations

from .packets import MalformedError, dearmored, signature_packets

BEGIN, SIGNATURE = b"-----BEGIN PGP SIGNED MESSAGE-----", b"-----BEGIN PGP SIGNATURE-----"
END = b"-----END PGP SIGNATURE-----"
_BLANKS = b" \t\r"


def is_clearsigned(data: bytes) -> bool:
    """Whether its first line is that of a signed message."""
    return data.partition(b"\n")[0].rstrip(_BLANKS) == BEGIN


def split(data: bytes) -> tuple[bytes, bytes]:
    """(the text that is signed, its armored signatures). Nothing may stand before, between or after them; dashes are
    unescaped; blanks at the ends of lines do not count. Raises MalformedError."""
    if not is_clearsigned(data):
        raise MalformedError("it does not begin with a signed message")
    lines = [line.rstrip(_BLANKS) for line in data.split(b"\n")]
    if not lines[-1]:
        lines.pop()  # what follows the last line's end is no line
    start = _after_headers(lines)
    text: list[bytes] = []
    for at in range(start, len(lines)):
        line = lines[at]
        if line == SIGNATURE:
            return b"\n".join(text), b"\n".join(_blocks(lines[at:]))
        if line.startswith(b"-") and not line.startswith(b"- "):
            raise MalformedError("a line of the signed text begins with a dash")
        text.append(line[2:] if line.startswith(b"- ") else line)
    raise MalformedError("the signed message is cut short")


def _after_headers(lines: list[bytes]) -> int:
    for at in range(1, len(lines)):
        if not lines[at]:
            return at + 1
        if lines[at].startswith(b"-"):
            raise MalformedError("a line of the header begins with a dash")
    raise MalformedError("the signed message is cut short")


def _blocks(lines: list[bytes]) -> list[bytes]:
    """`lines` if they are armored signatures and nothing else."""
    inside = False
    for line in lines:
        if inside and line == END:
            inside = False
        elif inside and line.startswith(b"-"):
            raise MalformedError("a line of the signature begins with a dash")
        elif not inside and line != SIGNATURE:
            raise MalformedError("lines that are not signed stand beside the signature")
        else:
            inside = True
    if inside:
        raise MalformedError("the signature does not end")
    return lines


def signatures(armored: bytes) -> tuple[bytes, ...]:
    """Each signature of a detached one, as packets. apt takes armored ones only. Raises MalformedError."""
    lines = [line.rstrip(_BLANKS) for line in armored.split(b"\n")]
    while lines and not lines[-1]:
        lines.pop()
    return signature_packets(dearmored(b"\n".join(_blocks(lines)), "SIGNATURE"))

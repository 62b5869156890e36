"""Writes what a recorder saw as a recorded host: redacted, in one file."""

from __future__ import annotations

import os
from collections.abc import Sequence

import msgspec

from .. import __version__
from ..errors import NoError, UsageError
from ..progress import Reporter
from ..words import Words
from .contents import redacted, secret
from .include import matching
from .listed import manifest_of, redactor_for
from .manifest import LeftOut, Manifest
from .model import Missing, Unread
from .recorder import Recorder
from .redact import Redactor
from .tarball import SUFFIXES, write

INCLUDE = (
    "/etc/apt/sources.list",
    "/etc/apt/sources.list.d/*",
    "/etc/apt/preferences",
    "/etc/apt/preferences.d/*",
    "/etc/apt/apt.conf",
    "/etc/apt/apt.conf.d/*",
    "/etc/apt/trusted.gpg",
    "/etc/apt/trusted.gpg.d/*",
    "/etc/apt/keyrings/*",
    "/usr/share/keyrings/*",
    "/var/lib/dpkg/status",
    "/var/lib/dpkg/arch",
    "/var/lib/apt/extended_states",
    "/var/lib/apt/lists/*InRelease",
    "/var/lib/apt/lists/*Release",
    "/var/lib/apt/lists/*Release.gpg",
    "/var/lib/apt/lists/partial/*Release*",
    "/etc/crypto-policies/back-ends/*sequoia.config",
    "/var/lib/crypto-config/profiles/current/*sequoia.config",
    "/usr/share/apt/default-sequoia.config",
)
"""What planning needs of an apt machine, beside what facts read."""
INDICES = ("/var/lib/apt/lists/*_Packages*", "/var/lib/apt/lists/*_Sources*")
FILE_LIMIT = 64 << 20
"""Bytes of the largest included file; indices may be larger."""
_INDEX_LIMIT = 512 << 20


class Captured(msgspec.Struct, frozen=True, kw_only=True):
    """What a capture wrote."""

    path: str
    bytes: int
    """Size of the file."""
    files: int
    """Files whose content is in it."""
    read: list[str]
    """What was asked of the machine, in order."""
    left_out: list[LeftOut]


def capture(
    recorder: Recorder,
    out: str,
    *,
    reporter: Reporter,
    include: Sequence[str] = INCLUDE,
    with_indices: bool = False,
) -> Captured:
    """Write what `recorder` was asked, and the files that `include` matches, to `out` (.tar.zst, .tar.gz, .tar).

    Package indices go in as hashes unless `with_indices`. Raises UsageError for another suffix, NoError if the file
    cannot be written.
    """
    check_name(out)
    _include(recorder, include, reporter, with_indices=with_indices)
    redactor = redactor_for(recorder)
    contents, withheld = _contents(recorder, redactor)
    manifest = manifest_of(recorder, redactor, withheld, __version__)
    size = _write(out, manifest, contents)
    return Captured(path=out, bytes=size, files=len(contents), read=manifest.read, left_out=manifest.left_out)


def check_name(out: str) -> None:
    """Raises UsageError for a name whose suffix says no format that is written."""
    if not out.endswith(SUFFIXES):
        raise UsageError(
            Words(
                f"{out}: the name of a recording ends in .tar.zst, .tar.gz or .tar",
                f"{out}：文件名须以 .tar.zst、.tar.gz 或 .tar 结尾",
            ),
            next=Words("Give such a name to -o.", "请为 -o 指定这样的文件名。"),
        )


def _include(recorder: Recorder, patterns: Sequence[str], reporter: Reporter, *, with_indices: bool) -> None:
    for pattern in (*patterns, *(INDICES if with_indices else ())):
        for path in matching(recorder, pattern):
            reporter.detail("capture", Words(path, path))
            recorder.read(path, _INDEX_LIMIT if pattern in INDICES else FILE_LIMIT)
    for pattern in () if with_indices else INDICES:
        for path in matching(recorder, pattern):
            reporter.detail("capture", Words(path, path))
            recorder.hash(path)


def _contents(recorder: Recorder, redactor: Redactor) -> tuple[dict[str, bytes], dict[str, str]]:
    """Content to write by redacted path, and by real path why content was kept back."""
    contents: dict[str, bytes] = {}
    withheld = dict.fromkeys(recorder.recording.hashes, "index")
    for path, data in recorder.recording.contents.items():
        if isinstance(data, Unread):
            if data.reason is not Missing.ABSENT:
                withheld[path] = data.reason.value
        elif secret(path, data):
            withheld[path] = "secret"
        else:
            contents[redactor.path(path)] = redacted(path, data, redactor)
    return contents, withheld


def _write(out: str, manifest: Manifest, contents: dict[str, bytes]) -> int:
    """To a file of its own beside `out`, renamed when it is whole; only its owner may read it."""
    # with our number: what a killed capture left must not stand in the way of the next
    part = f"{out}.{os.getpid()}.part"
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                write(file, out, msgspec.json.format(msgspec.json.encode(manifest), indent=1), contents)
            os.replace(part, out)
        except BaseException:
            os.unlink(part)
            raise
        return os.stat(out).st_size
    except OSError as error:
        said = error.strerror or str(error)
        raise NoError(
            Words(f"{out}: cannot be written ({said})", f"{out}：无法写入（{said}）"),
            next=Words("Choose another place with -o.", "请用 -o 指定其他位置。"),
        ) from None

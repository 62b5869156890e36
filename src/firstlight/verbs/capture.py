"""Record this machine, redacted, to share it."""

from __future__ import annotations

import os

import msgspec

from ..errors import NoError, UsageError
from ..host import open_host
from ..host.capture import capture as write
from ..host.capture import check_name
from ..host.manifest import LeftOut
from ..host.recorder import Recorder
from ..progress import Reporter
from ..words import Words
from .answer import Answer
from .facts import read
from .trusting import trusted

_WHERE = Words("where to write the recording was not said", "没有说明录制文件写到哪里")
_SAY = Words("write `firstlight capture -o machine.tar.zst`", "请写 `firstlight capture -o machine.tar.zst`")
_THERE = Words("{path} is there already", "{path} 已存在")
_OTHER = Words("name another file, or remove that one", "请换一个文件名，或先删除它")
_READING = Words("reading the machine", "正在读取机器信息")
_WRITING = Words("writing {path}", "正在写入 {path}")


class CaptureRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Where to write, and the folder of the project whose environment is looked at."""

    output: str | None
    project: str | None = None


class CaptureAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.capture/1"):
    """What was read and what was left out of the file at `path`."""

    path: str
    bytes: int
    files: int
    read: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def capture(request: CaptureRequest, reporter: Reporter) -> CaptureAnswer:
    """Ask the live machine all that facts ask, and write what it answered. Overwrites nothing."""
    out = _target(request.output)
    recorder = Recorder(open_host("live"))
    reporter.begin("facts", _READING)
    trusted(recorder, read(recorder, request.project))  # reads the keyrings too that a source names, wherever they are
    reporter.end("facts", _READING, ok=True)
    reporter.begin("capture", _WRITING.fill(path=out))
    done = write(recorder, out, reporter=reporter)
    reporter.end("capture", _WRITING.fill(path=out), ok=True)
    return CaptureAnswer(
        path=done.path, bytes=done.bytes, files=done.files, read=tuple(done.read), left_out=tuple(done.left_out)
    )


def _target(output: str | None) -> str:
    """Raises before anything is read."""
    if output is None:
        raise UsageError(_WHERE, next=_SAY)
    if os.path.lexists(output):
        raise NoError(_THERE.fill(path=output), next=_OTHER)
    check_name(output)
    return output

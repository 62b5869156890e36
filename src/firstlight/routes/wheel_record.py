"""Whether a wheel's files are those that its own RECORD names (PyPA binary distribution format, The RECORD file)."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import zipfile
import zlib

from .archive_members import BLOCK, BYTES_LIMIT, BadArchive

RECORD_LIMIT = 32 << 20
FILES_LIMIT = 200_000
UNRECORDED = ("RECORD", "RECORD.jws", "RECORD.p7s")
HASHES = {"sha256": hashlib.sha256, "sha384": hashlib.sha384, "sha512": hashlib.sha512}
"""The standard asks for sha256 or better."""


def check_record(path: str) -> None:
    """Raises BadArchive with what differs; OSError. Reads the whole wheel once: torch's takes some 10 s."""
    try:
        with zipfile.ZipFile(path) as wheel:
            _check(wheel)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError, NotImplementedError, RuntimeError,
            csv.Error) as error:  # fmt: skip
        raise BadArchive("it is no sound wheel", "不是完好的 wheel") from error


def _check(wheel: zipfile.ZipFile) -> None:
    listed = [one for one in wheel.infolist() if not one.is_dir()]
    if len(listed) > FILES_LIMIT or sum(one.file_size for one in listed) > BYTES_LIMIT:
        raise BadArchive("it holds too much", "内容过多")
    names = [one.filename for one in listed]
    if len(set(names)) != len(names):
        raise BadArchive("it holds a file twice", "其中有文件出现两次")
    record = _record_of(wheel, names)
    info = record.rpartition("/")[0]
    told = _told(wheel, record)
    for one in listed:
        if one.filename in {f"{info}/{name}" for name in UNRECORDED}:
            continue
        said = told.pop(one.filename, None)
        if said is None:
            raise BadArchive(f"{one.filename[:120]} is not in it", f"其中没有 {one.filename[:120]}")
        if _digest(wheel, one, said) != said:
            raise BadArchive(f"{one.filename[:120]} is another", f"{one.filename[:120]} 的内容不同")
    left = [name for name in told if name.rpartition("/")[2] not in UNRECORDED]
    if left:
        raise BadArchive(f"{left[0][:120]} is missing", f"缺少 {left[0][:120]}")


def _record_of(wheel: zipfile.ZipFile, names: list[str]) -> str:
    found = [name for name in names if name.count("/") == 1 and name.endswith(".dist-info/RECORD")]
    if len(found) != 1:
        raise BadArchive("it has no single RECORD", "没有唯一的 RECORD")
    if wheel.getinfo(found[0]).file_size > RECORD_LIMIT:
        raise BadArchive("its RECORD is of absurd size", "RECORD 大小不合理")
    return found[0]


def _told(wheel: zipfile.ZipFile, record: str) -> dict[str, str]:
    """Path -> `sha256=...`, empty for those that bear none."""
    with wheel.open(record) as file:
        data = file.read(RECORD_LIMIT + 1)
    if len(data) > RECORD_LIMIT:
        raise BadArchive("its RECORD is of absurd size", "RECORD 大小不合理")
    rows = csv.reader(io.StringIO(data.decode("utf-8"), newline=""))
    return {row[0]: row[1] for row in rows if len(row) >= 2}


def _digest(wheel: zipfile.ZipFile, found: zipfile.ZipInfo, said: str) -> str:
    kind = said.partition("=")[0]
    if kind not in HASHES:
        raise BadArchive(f"{found.filename[:120]} bears no sha256", f"{found.filename[:120]} 没有 sha256")
    total = HASHES[kind]()
    with wheel.open(found) as file:
        while block := file.read(BLOCK):
            total.update(block)
    return f"{kind}={base64.urlsafe_b64encode(total.digest()).rstrip(b'=').decode()}"

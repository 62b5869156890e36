"""firstlight.lock and pylock.<backend>.toml on disk."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Mapping

import msgspec

from ..errors import NoError, UnreadableInput
from ..project.model import Backend
from ..project.toml_file import bad_value, checked, parse_toml, read_small
from ..words import Words
from .model import VERSION, BackendLock, HostConditions, Lock

NAME = "firstlight.lock"
HEAD = "# Made by `firstlight lock`; commit it. Do not edit: make it anew.\n"


class LockFile(msgspec.Struct, frozen=True, kw_only=True):
    """The file's own shape."""

    version: int
    goal: dict[str, object] = {}
    host: HostConditions
    backend: tuple[BackendLock, ...]


def path_of(root: str) -> str:
    """Where a project's lock lies."""
    return os.path.join(root, NAME)


def read(root: str) -> Lock:
    """Raises UnreadableInput: no lock, damaged (with the path of the bad value), or made by a newer firstlight."""
    path = path_of(root)
    data = read_small(path)
    if data is None:
        raise UnreadableInput(
            Words(f"there is no {NAME} in {root}", f"{root} 中没有 {NAME}"),
            next=Words("make one with `firstlight lock`", "请用 `firstlight lock` 生成"),
        )
    return parse(data, path)


def parse(data: bytes, path: str = NAME) -> Lock:
    """The lock that `data` holds; `path` is only named in errors."""
    table = parse_toml(data, path)
    version = table.get("version")
    if isinstance(version, int) and version > VERSION:
        raise bad_value(path, "version", f"{version} is of a newer firstlight; this one knows {VERSION}")
    file = checked(table, LockFile, path)
    for number, backend in enumerate(file.backend):
        _check(backend, f"backend[{number}]", path)
    return Lock(version=file.version, goal=file.goal, host=file.host, backends=file.backend)


def _check(backend: BackendLock, place: str, path: str) -> None:
    """What types alone do not say. Names become paths later, so none may lead elsewhere."""
    if backend.pylock != f"pylock.{backend.backend}.toml":
        raise bad_value(path, f"{place}.pylock", f"expected `pylock.{backend.backend}.toml`")
    if not _is_sha256(backend.pylock_sha256):
        raise bad_value(path, f"{place}.pylock_sha256", "expected 64 hexadecimal digits")
    if (
        not all(part.isascii() and part.isdigit() for part in backend.python.split("."))
        or backend.python.count(".") != 1
    ):
        raise bad_value(path, f"{place}.python", "expected a version such as `3.11`")
    for number, wheel in enumerate(backend.local):
        here = f"{place}.local[{number}]"
        if not is_plain(wheel.filename) or not wheel.filename.endswith(".whl"):
            raise bad_value(path, f"{here}.filename", "expected the name of a wheel, without a folder")
        if not _is_sha256(wheel.sha256):
            raise bad_value(path, f"{here}.sha256", "expected 64 hexadecimal digits")


def _is_sha256(text: str) -> bool:
    return len(text) == 64 and all(sign in "0123456789abcdef" for sign in text)


def is_plain(filename: str) -> bool:
    """Whether a file name stays in its folder."""
    return (
        bool(filename)
        and filename == os.path.basename(filename)
        and filename not in (".", "..")
        and "\0" not in filename
    )


def write(root: str, lock: Lock, pylock_text: str) -> Lock:
    """Write both files, each whole or not at all. Backends that an older lock holds besides are kept.
    Returns what was written."""
    new = lock.backends[0]
    if hashlib.sha256(pylock_text.encode()).hexdigest() != new.pylock_sha256:
        raise ValueError("the pylock text is not the one that was frozen")
    old = read(root).backends if os.path.exists(path_of(root)) else ()
    kept = tuple(one for one in old if one.backend != new.backend)
    merged = msgspec.structs.replace(lock, backends=(new, *kept))
    _put({os.path.join(root, new.pylock): pylock_text, path_of(root): HEAD + dumps(merged)})
    return merged


def dumps(lock: Lock) -> str:
    """TOML text; the same lock gives the same bytes."""
    import tomli_w

    file = LockFile(version=lock.version, goal=lock.goal, host=lock.host, backend=lock.backends)
    return tomli_w.dumps(_without_none(msgspec.to_builtins(file)))


def _without_none(table: dict[str, object]) -> dict[str, object]:
    """TOML has no null: what is not known is left out."""
    return {key: _cleaned(value) for key, value in table.items() if value is not None}


def _cleaned(value: object) -> object:
    if isinstance(value, dict):
        return _without_none(value)
    return [_cleaned(one) for one in value] if isinstance(value, (list, tuple)) else value


def backend_of(lock: Lock, backend: Backend) -> BackendLock:
    """Raises NoError if the lock holds none for it."""
    found = next((one for one in lock.backends if one.backend == backend), None)
    if found is None:
        names = ", ".join(one.backend for one in lock.backends) or "none"
        raise NoError(
            Words(
                f"{NAME} holds no environment for {backend}; it holds: {names}",
                f"{NAME} 中没有 {backend} 环境；现有：{names}",
            ),
            next=Words(
                f"freeze one with `firstlight lock --backend {backend}`",
                f"用 `firstlight lock --backend {backend}` 锁定",
            ),
        )
    return found


def read_pylock(root: str, backend: BackendLock) -> str:
    """The pylock file's text. Raises NoError if it is gone or is not the one that was frozen."""
    path = os.path.join(root, backend.pylock)
    data = read_small(path)
    if data is None or hashlib.sha256(data).hexdigest() != backend.pylock_sha256:
        gone = data is None
        raise NoError(
            Words(f"{path} is missing" if gone else f"{path} is not the file that was locked",
                  f"缺少 {path}" if gone else f"{path} 与锁定时的文件不一致"),
            why=Words(f"{NAME} records its hash, so that every machine installs the same files",
                      f"{NAME} 记录了它的哈希，以保证每台机器安装相同的文件"),
            next=Words("restore it from version control, or freeze anew with `firstlight lock`",
                       "请从版本库恢复，或用 `firstlight lock` 重新锁定"),
        )  # fmt: skip
    return data.decode("utf-8")


def _put(texts: Mapping[str, str]) -> None:
    """All files or none: a full disk is met before the first of them takes its place."""
    made = {f"{path}.{os.getpid()}.tmp": path for path in texts}
    try:
        for temporary, path in made.items():
            with open(temporary, "w", encoding="utf-8") as file:
                file.write(texts[path])
                file.flush()
                os.fsync(file.fileno())
        for temporary, path in made.items():
            os.replace(temporary, path)
    except OSError as error:
        for temporary in made:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        name = os.path.dirname(next(iter(texts)))
        raise NoError(
            Words(
                f"cannot write the lock in {name}: {error.strerror}", f"无法在 {name} 中写入锁文件：{error.strerror}"
            ),
            next=Words("make room or permission in the project folder", "请确保项目目录有空间和写权限"),
        ) from error

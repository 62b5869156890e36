"""firstlight.lock and pylock.<backend>.toml on disk."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from typing import get_args

import msgspec

from ..errors import NoError, UnreadableInput
from ..project.model import Backend
from ..project.toml_file import bad_value, checked, parse_toml, read_small
from ..routes.model import Wheel
from ..words import Words
from .commit import pending, put, settle
from .model import VERSION, BackendLock, HostConditions, Lock

NAME = "firstlight.lock"
FILES = (".whl", ".tar.gz", ".zip")
"""How the names of files end that a lock may hold: wheels, and sdists (PEP 625; older ones are zip files)."""
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
    if file.version < 1:
        raise bad_value(path, "version", f"there was never a version {file.version}; this firstlight knows {VERSION}")
    for place, text in texts_in(table):
        if _has_controls(text):
            raise bad_value(path, place, "expected text without control characters")
    if not file.backend:
        raise bad_value(path, "backend", "holds no environment")
    for number, backend in enumerate(file.backend):
        if any(other.backend == backend.backend for other in file.backend[:number]):
            raise bad_value(path, f"backend[{number}].backend", f"`{backend.backend}` is there twice")
        _check(backend, f"backend[{number}]", path)
    return Lock(version=file.version, goal=file.goal, host=file.host, backends=file.backend)


def _has_controls(text: str) -> bool:
    """What a terminal would obey rather than show, or no process takes."""
    return any((sign < " " and sign not in "\t\n\r") or "\x7f" <= sign <= "\x9f" for sign in text)


def texts_in(value: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a parsed TOML file, with its path there; also keys that are no bare ones."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from texts_in(one, f"{place}[{number}]")
    elif isinstance(value, dict):
        for key, one in value.items():
            inner = f"{place}.{key}" if place else key
            yield (place if _has_controls(key) else inner), key
            yield from texts_in(one, inner)


def _check(backend: BackendLock, place: str, path: str) -> None:
    """What types alone do not say. Names become paths later, so none may lead elsewhere."""
    if backend.pylock != f"pylock.{backend.backend}.toml":
        raise bad_value(path, f"{place}.pylock", f"expected `pylock.{backend.backend}.toml`")
    if backend.provenance is not None and backend.tier not in ("community", "local"):
        raise bad_value(path, f"{place}.tier", f"`{backend.tier}`, but a declared route is `community` or `local`")
    if not _is_sha256(backend.pylock_sha256):
        raise bad_value(path, f"{place}.pylock_sha256", "expected 64 hexadecimal digits")
    if (
        not all(part.isascii() and part.isdigit() for part in backend.python.split("."))
        or backend.python.count(".") != 1
    ):
        raise bad_value(path, f"{place}.python", "expected a version such as `3.11`")
    for field, names in (("variables", backend.variables), ("build_variables", backend.build_variables)):
        wrong = next((name for name in names if not name.isascii() or not name.isidentifier()), None)
        if wrong is not None:
            raise bad_value(path, f"{place}.{field}", f"`{wrong}` is no name of an environment variable")
    for field, wheels, ends in (("local", backend.local, FILES), ("build", backend.build, FILES[:1])):
        for number, wheel in enumerate(wheels):
            _check_file(wheel, ends, f"{place}.{field}[{number}]", path)


def _check_file(wheel: Wheel, ends: tuple[str, ...], place: str, path: str) -> None:
    """One that is found by its name, or named to uv in a line of text: neither may say more than it should."""
    if not is_plain(wheel.filename) or not wheel.filename.endswith(ends):
        raise bad_value(
            path, f"{place}.filename", f"expected a file name that ends with {' or '.join(ends)}, no folder"
        )
    if not _is_sha256(wheel.sha256):
        raise bad_value(path, f"{place}.sha256", "expected 64 hexadecimal digits")
    if not wheel.name.isascii() or not wheel.name.replace("-", "").replace("_", "").replace(".", "").isalnum():
        raise bad_value(path, f"{place}.name", "expected the name of a distribution")
    if wheel.url is not None and (not wheel.url.startswith(("https://", "http://")) or not _is_one_word(wheel.url)):
        raise bad_value(path, f"{place}.url", "expected an http or https URL")


def _is_one_word(text: str) -> bool:
    return text.isprintable() and not any(sign.isspace() or sign == "#" for sign in text)


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
    """Write both files or none, whatever happens in between. Backends that an older lock holds besides are kept.
    Returns what was written."""
    new = lock.backends[0]
    if hashlib.sha256(pylock_text.encode()).hexdigest() != new.pylock_sha256:
        raise ValueError("the pylock text is not the one that was frozen")
    old = read(root).backends if os.path.exists(path_of(root)) else ()
    settle_killed(root, old)
    kept = tuple(one for one in old if one.backend != new.backend)
    merged = msgspec.structs.replace(lock, backends=(new, *kept))
    texts = {NAME: HEAD + dumps(merged), new.pylock: pylock_text}
    try:
        put(root, NAME, texts)
    except OSError as error:
        raise NoError(
            Words(
                f"cannot write the lock in {root}: {error.strerror}", f"无法在 {root} 中写入锁文件：{error.strerror}"
            ),
            next=Words("make room or permission in the project folder", "请确保项目目录有空间和写权限"),
        ) from error
    return merged


def settle_killed(root: str, backends: tuple[BackendLock, ...]) -> None:
    """End what a killed `write` began; `backends` of the lock as it is."""
    unnamed = {f"pylock.{one}.toml": "" for one in get_args(Backend)}
    settle(root, NAME, {**unnamed, **{one.pylock: one.pylock_sha256 for one in backends}})


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
        gone, data = data is None, pending(path, backend.pylock_sha256)
    if data is None:
        raise NoError(
            Words(f"{path} is missing" if gone else f"{path} is not the file that was locked",
                  f"缺少 {path}" if gone else f"{path} 与锁定时的文件不一致"),
            why=Words(f"{NAME} records its hash, so that every machine installs the same files",
                      f"{NAME} 记录了它的哈希，以保证每台机器安装相同的文件"),
            next=Words("restore it from version control, or freeze anew with `firstlight lock`",
                       "请从版本库恢复，或用 `firstlight lock` 重新锁定"),
        )  # fmt: skip
    return data.decode("utf-8")

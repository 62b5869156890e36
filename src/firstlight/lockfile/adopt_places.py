"""Which environment is to be adopted, and where its distributions lie. Nothing in it is run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import msgspec

from ..errors import NoError
from ..facts.interpreters import pyvenv_version
from ..facts.reading import is_folder, listing, string
from ..facts.value import Unknown
from ..host.model import Host
from ..words import Words

CFG_AT_MOST = 1 << 16
_SEARCHED = ("VIRTUAL_ENV", "CONDA_PREFIX")


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """An environment on this disk."""

    prefix: str
    """Absolute path of its folder."""
    python: str
    """`3.11`"""
    full: str
    """`3.11.7` where it says so, else as `python`."""
    sites: tuple[str, ...]
    """Folders of packages, in the order in which they are searched; each real folder once."""


def environment(host: Host, said: str | None, variables: Mapping[str, str], root: str) -> Place:
    """The one that was named (its folder or its python), else of VIRTUAL_ENV, CONDA_PREFIX, else the project's .venv.
    Raises NoError that names what was looked at."""
    looked: list[str] = []
    for origin, path in _candidates(said, variables, root):
        found = _place(host, path, variables)
        if found is not None:
            return found
        looked.append(f"{origin} ({path})")
    looked += [f"{name} (-)" for name in _SEARCHED if said is None and not variables.get(name)]
    raise NoError(
        Words(f"no environment to adopt was found; looked at: {', '.join(looked)}",
              f"找不到可接管的环境；已查看：{'、'.join(looked)}"),
        why=Words("an environment has lib/pythonX.Y/site-packages in its folder",
                  "环境的目录中应有 lib/pythonX.Y/site-packages"),
        next=Words("name it: `firstlight lock --adopt --environment DIR`",
                   "请指定：`firstlight lock --adopt --environment 目录`"),
    )  # fmt: skip


def _candidates(said: str | None, variables: Mapping[str, str], root: str) -> Iterator[tuple[str, str]]:
    if said is not None:
        yield "--environment", os.path.abspath(os.path.expanduser(said))
        return
    for name in _SEARCHED:
        if os.path.isabs(variables.get(name, "")):
            yield name, os.path.normpath(variables[name])
    yield ".venv", os.path.join(root, ".venv")


def _place(host: Host, path: str, variables: Mapping[str, str]) -> Place | None:
    """A python is asked by its name and its links alone."""
    real = None if is_folder(host, path) else host.resolve(path)
    if real is not None and not isinstance(real, str):
        return None
    prefix = path if real is None else os.path.dirname(os.path.dirname(path))
    if real is not None and pyvenv_version(host, prefix) is None:
        prefix = os.path.dirname(os.path.dirname(real))
    for name in _pythons(host, prefix, real):
        sites = _sites(host, prefix, name, variables)
        if sites:
            python = name.removeprefix("python").rstrip("t")
            full = _setting(host, prefix, "version_info") or _setting(host, prefix, "version")
            return Place(prefix=prefix, python=python, full=_release(full, python), sites=sites)
    return None


def _pythons(host: Host, prefix: str, real: str | None) -> list[str]:
    """Names such as `python3.11` of its folders of libraries. A prefix that holds several is told apart by
    pyvenv.cfg, by the python that was named, or by what `bin/python3` leads to."""
    found = listing(host, f"{prefix}/lib")
    names = [] if isinstance(found, Unknown) else [name for name in found if _is_python(name)]
    told = pyvenv_version(host, prefix)
    link = real or host.resolve(f"{prefix}/bin/python3")
    own = f"python{told}" if told else os.path.basename(link) if isinstance(link, str) else ""
    return [name for name in names if name.rstrip("t") == own] or (names if len(names) == 1 or not told else [])


def _is_python(name: str) -> bool:
    number = name.removeprefix("python3.").rstrip("t")
    return name.startswith("python3.") and number.isascii() and number.isdecimal() and len(number) <= 3


def _sites(host: Host, prefix: str, name: str, variables: Mapping[str, str]) -> tuple[str, ...]:
    """Its own; and, where it is not shut off from them, the user's and those of the Python that it was made with."""
    own = [f"{prefix}/{lib}/{name}/site-packages" for lib in ("lib", "lib64")]
    shut = _setting(host, prefix, "include-system-site-packages") == "false"
    home = variables.get("HOME", "")
    user = [f"{home.rstrip('/')}/.local/lib/{name}/site-packages"] if home.startswith("/") and not shut else []
    base = _setting(host, prefix, "home")
    under = os.path.dirname(base) if base and not shut else prefix
    shared = [f"{under}/{lib}/{name}/site-packages" for lib in ("lib", "lib64")]
    if under in ("/usr", "/usr/local") and not shut:
        shared += [f"/usr/local/lib/{name}/dist-packages", "/usr/lib/python3/dist-packages"]
    paths = [*own, *user, *shared] if under != prefix else [*user, *own, *shared]
    real = {
        end: path for path in reversed(paths) if is_folder(host, path) and isinstance(end := host.resolve(path), str)
    }
    kept = set(real.values())
    return tuple(dict.fromkeys(path for path in paths if path in kept))


def _setting(host: Host, prefix: str, key: str) -> str | None:
    """One value of pyvenv.cfg; None if there is none (conda, the system's own)."""
    content = string(host, f"{prefix}/pyvenv.cfg", CFG_AT_MOST)
    lines = [] if isinstance(content, Unknown) else content.splitlines()
    pairs = ((name.strip(), value.strip()) for name, _, value in (line.partition("=") for line in lines))
    return next((value for name, value in pairs if name == key), None)


def _release(text: str | None, python: str) -> str:
    """`3.11.7.final.0` -> `3.11.7`."""
    numbers = (text or "").split(".")[:3]
    fits = len(numbers) == 3 and all(one.isascii() and one.isdecimal() and len(one) <= 3 for one in numbers)
    return ".".join(numbers) if fits and ".".join(numbers[:2]) == python else python

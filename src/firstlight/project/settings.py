"""What a settings file of ours may hold: `firstlight.toml`, `[tool.firstlight]`, the user's `config.toml`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from .model import Backend, Policy
from .routes import RouteSettings, check_routes
from .routes import placed as placed_routes
from .toml_file import bad_value, checked, read_toml
from .urls import is_bare_login


class GoalSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[goal]`; None: not said here."""

    backend: Backend | None = None
    torch: str | None = None
    packages: tuple[str, ...] | None = None
    python: str | None = None
    route: str | None = None
    policy: Policy | None = None


class SourceSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[source]]`: remaps a known source by name, or adds one."""

    name: str
    url: str
    kind: Literal["index", "folder"] | None = None


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file, or one set of variables or flags."""

    goal: GoalSettings = GoalSettings()
    source: tuple[SourceSettings, ...] = ()
    route: tuple[RouteSettings, ...] = ()
    constraints: tuple[str, ...] = ()
    offline: bool | None = None
    megabits: Annotated[float, msgspec.Meta(gt=0)] | None = None
    """Mbit/s at which this machine fetches, for how long a route takes."""
    origin: str = "built-in"
    """Where it comes from; not read from the file."""


class Flags(msgspec.Struct, frozen=True, kw_only=True):
    """What was said on the command line; None: nothing."""

    backend: str | None = None
    torch: str | None = None
    packages: tuple[str, ...] | None = None
    python: str | None = None
    route: str | None = None
    policy: str | None = None
    offline: bool | None = None


def from_flags(flags: Flags) -> Settings:
    """Raises UnreadableInput that names the flag."""
    goal = {key: value for key, value in msgspec.structs.asdict(flags).items() if value is not None}
    offline = goal.pop("offline", None)
    return _settings({"goal": goal, "offline": offline}, "flag")


def from_environment(environ: Mapping[str, str]) -> Settings:
    """`FIRSTLIGHT_BACKEND`, `_TORCH`, `_PACKAGES` (separated by blanks), `_PYTHON`, `_ROUTE`, `_POLICY`, `_OFFLINE`,
    `_MEGABITS`, `_SOURCE_<NAME>`. Empty counts as unset."""
    goal: dict[str, object] = {}
    for key in GoalSettings.__struct_fields__:
        value = environ.get(f"FIRSTLIGHT_{key.upper()}", "").strip()
        if value:
            goal[key] = value.split() if key == "packages" else value
    offline = environ.get("FIRSTLIGHT_OFFLINE", "").strip().lower()
    found: dict[str, object] = {"goal": goal, "source": _sources_of(environ)}
    if megabits := environ.get("FIRSTLIGHT_MEGABITS", "").strip():
        found["megabits"] = _number(megabits)
    if offline:
        found["offline"] = offline not in ("0", "no", "false", "off")
    return _settings(found, "FIRSTLIGHT_*")


def _sources_of(environ: Mapping[str, str]) -> list[dict[str, str]]:
    prefix = "FIRSTLIGHT_SOURCE_"
    return [
        {"name": _source_name(name[len(prefix) :].lower().replace("_", "-")), "url": value.strip()}
        for name, value in environ.items()
        if name.startswith(prefix) and len(name) > len(prefix) and value.strip()
    ]


def _number(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text  # what is no number is refused by its type, with its name


def _source_name(said: str) -> str:
    """The name of a variable has no dot: PYTORCH_ROCM7_2 means `pytorch-rocm7.2`."""
    from ..knowledge.repositories import source_names
    from ..knowledge.sources import builtin_indices

    names = (*(one.name for one in builtin_indices()), *source_names())
    return next((name for name in names if name.replace(".", "-") == said), said)


def from_project(root: str) -> Settings:
    """`firstlight.toml` if there is one, else `[tool.firstlight]` of `pyproject.toml`."""
    own = os.path.join(root, "firstlight.toml")
    table = read_toml(own)
    if table is not None:
        return _under(_settings(table, own), root)
    path = os.path.join(root, "pyproject.toml")
    return _under(_settings(tool_table(path), f"{path}: tool.firstlight"), root)


def tool_table(path: str) -> dict[str, object]:
    """`[tool.firstlight]` of a pyproject.toml; empty if there is none."""
    tool = (read_toml(path) or {}).get("tool", {})
    table = tool.get("firstlight", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise bad_value(path, "tool.firstlight", "expected a table")
    return table


def from_user(environ: Mapping[str, str]) -> Settings:
    """`firstlight/config.toml` in the XDG configuration folder."""
    path = os.path.join(config_home(environ), "firstlight", "config.toml")
    return _under(_settings(read_toml(path) or {}, path), os.path.dirname(path))


def _under(found: Settings, folder: str) -> Settings:
    """Relative paths in a file are meant from the file's folder, wherever the program is started."""

    def placed(text: str) -> str:
        return text if "://" in text or text.startswith(("file:", "~")) else os.path.join(folder, text)

    python = found.goal.python
    if python and os.sep in python:
        python = placed(python)
    return msgspec.structs.replace(
        found,
        goal=msgspec.structs.replace(found.goal, python=python),
        source=tuple(msgspec.structs.replace(one, url=placed(one.url)) for one in found.source),
        route=placed_routes(found.route, folder),
        constraints=tuple(placed(path) for path in found.constraints),
    )


def config_home(environ: Mapping[str, str]) -> str:
    """XDG_CONFIG_HOME, else ~/.config (XDG Base Directory Specification: a relative one is ignored)."""
    said = environ.get("XDG_CONFIG_HOME", "")
    return said if os.path.isabs(said) else os.path.join(home(environ), ".config")


def home(environ: Mapping[str, str]) -> str:
    """HOME, or what the user database says."""
    return environ.get("HOME") or os.path.expanduser("~")


def _settings(table: Mapping[str, object], origin: str) -> Settings:
    if "origin" in table:
        raise bad_value(origin, "origin", "unknown key")
    found = checked({**table, "origin": origin}, Settings, origin)
    _check_goal(found.goal, origin)
    for number, source in enumerate(found.source):
        check_place(source.url, f"source[{number}].url", origin)
    if found.route:
        check_routes(found.route, origin)
    return found


def check_place(url: str, place: str, origin: str) -> None:
    """A path, or a whole URL. The value is not repeated: it may hold a password."""
    if is_bare_login(url):
        raise bad_value(origin, place, "it has a user name but no scheme: `https://` is missing before it")


def _check_goal(goal: GoalSettings, origin: str) -> None:
    """PEP 440 and PEP 508 are checked where they are said, so that the error can name the place."""
    if goal.torch is not None:
        from packaging.specifiers import InvalidSpecifier, SpecifierSet

        try:
            SpecifierSet(goal.torch)
        except InvalidSpecifier as error:
            raise bad_value(origin, "goal.torch", f"{error}; a range such as >=2.13 is meant") from error
    if goal.python is not None and not _names_python(goal.python):
        raise bad_value(origin, "goal.python", f"`{goal.python}`: expected a version such as 3.12, or a path")
    for number, text in enumerate(goal.packages or ()):
        _check_requirement(text, f"goal.packages[{number}]", origin)


def _names_python(text: str) -> bool:
    parts = text.split(".")
    version = len(parts) in (2, 3) and all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts)
    return version or (os.sep in text and "\0" not in text)


def _check_requirement(text: str, place: str, origin: str) -> None:
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        Requirement(text)
    except InvalidRequirement as error:
        raise bad_value(origin, place, str(error).splitlines()[0]) from error

"""The user's uv configuration, as far as it says where distributions come from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import msgspec

from .pip_config import Setting
from .settings import config_home
from .toml_file import checked, read_toml


class UvIndex(msgspec.Struct, frozen=True, kw_only=True):
    """One `[[index]]`; other keys of it do not matter here."""

    url: str
    name: str | None = None
    default: bool = False
    explicit: bool = False
    format: str = "simple"


class UvTable(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """uv.toml, or its `[pip]` table. What uv has besides is left to uv."""

    index: list[UvIndex] = []
    index_url: str | None = None
    extra_index_url: list[str] = []
    find_links: list[str] = []
    no_index: bool = False


class UvFile(UvTable, frozen=True, kw_only=True, rename="kebab"):
    """The whole file."""

    pip: UvTable = UvTable()


class UvConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Where uv would look."""

    default: Setting | None = None
    extra: tuple[Setting, ...] = ()
    named: dict[str, str] = {}
    """Names that the user gave to indices, by URL."""
    find_links: tuple[Setting, ...] = ()
    constraints: tuple[Setting, ...] = ()
    no_index: bool = False


def read_uv_config(environ: Mapping[str, str], etc: str = "/etc") -> UvConfig:
    """Variables over the user's file over the system's; lists are joined, as uv joins them."""
    found = [_variables(environ)]
    for path in _files(environ, etc):
        table: dict[str, Any] | None = read_toml(path)
        if table is not None:
            file = checked(table, UvFile, path)
            found += [_of_table(file.pip, f"uv: {path}: pip"), _of_table(file, f"uv: {path}")]
    return UvConfig(
        default=next((one.default for one in found if one.default), None),
        extra=tuple(setting for one in found for setting in one.extra),
        named={url: name for one in reversed(found) for url, name in one.named.items()},
        find_links=tuple(setting for one in found for setting in one.find_links),
        constraints=tuple(setting for one in found for setting in one.constraints),
        no_index=any(one.no_index for one in found),
    )


def _files(environ: Mapping[str, str], etc: str) -> list[str]:
    """In falling precedence. UV_CONFIG_FILE replaces them all; UV_NO_CONFIG leaves none."""
    if environ.get("UV_NO_CONFIG", "").lower() in ("1", "true", "yes", "on"):
        return []
    if environ.get("UV_CONFIG_FILE"):
        return [environ["UV_CONFIG_FILE"]]
    folders = (environ.get("XDG_CONFIG_DIRS") or os.path.join(etc, "xdg")).split(os.pathsep)
    system = [os.path.join(folder, "uv", "uv.toml") for folder in folders if folder]
    system.append(os.path.join(etc, "uv", "uv.toml"))
    # uv takes the first system file that exists
    first = next((path for path in system if os.path.exists(path)), None)
    return [os.path.join(config_home(environ), "uv", "uv.toml"), *([first] if first else [])]


def _of_table(table: UvTable, origin: str) -> UvConfig:
    default = next((one.url for one in table.index if one.default), table.index_url)
    extra = [one.url for one in table.index if not one.default and one.format == "simple"] + table.extra_index_url
    flat = [one.url for one in table.index if one.format == "flat"] + table.find_links
    return UvConfig(
        default=Setting(default, origin) if default else None,
        extra=tuple(Setting(url, origin) for url in extra),
        named={one.url: one.name for one in table.index if one.name},
        find_links=tuple(Setting(url, origin) for url in flat),
        no_index=table.no_index,
    )


def _variables(environ: Mapping[str, str]) -> UvConfig:
    default = next((name for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL") if environ.get(name)), None)
    extra = _words(environ, "UV_INDEX") + _words(environ, "UV_EXTRA_INDEX_URL")
    named = {url: name for name, url in map(_named, [setting.value for setting in extra]) if name}
    return UvConfig(
        default=Setting(_named(environ[default])[1], default) if default else None,
        extra=tuple(Setting(_named(setting.value)[1], setting.origin) for setting in extra),
        named=named,
        find_links=_words(environ, "UV_FIND_LINKS", ","),
        constraints=_words(environ, "UV_CONSTRAINT"),
        no_index=environ.get("UV_NO_INDEX", "").lower() in ("1", "true", "yes", "on"),
    )


def _words(environ: Mapping[str, str], name: str, separator: str | None = None) -> tuple[Setting, ...]:
    parts = (part.strip() for part in environ.get(name, "").split(separator))
    return tuple(Setting(part, name) for part in parts if part)


def _named(text: str) -> tuple[str | None, str]:
    """uv's `name=url`; an equals sign in the URL itself does not make a name."""
    name, equals, url = text.partition("=")
    if equals and name and not any(sign in name for sign in ":/"):
        return name, url
    return None, text

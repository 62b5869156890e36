"""The user's pip configuration, with pip's own rules (pip/_internal/configuration.py): which files, in which order."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import msgspec

from .settings import config_home, home
from .toml_file import bad_value, read_small, unreadable

TRUE = ("y", "yes", "t", "true", "on", "1")
FALSE = ("n", "no", "f", "false", "off", "0")
SECTIONS = ("global", "install")


class Setting(msgspec.Struct, frozen=True):
    """One value and the setting that it comes from."""

    value: str
    origin: str
    """`pip: /etc/pip.conf`, or the name of a variable."""


class PipConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What pip install would use, by long option name."""

    values: dict[str, Setting]

    def one(self, key: str) -> Setting | None:
        """A single value; None if unset or empty."""
        return self.values.get(key)

    def many(self, key: str) -> tuple[Setting, ...]:
        """A list: pip splits it at any white space."""
        found = self.values.get(key)
        return tuple(Setting(part, found.origin) for part in found.value.split()) if found else ()

    def flag(self, key: str) -> bool:
        """A switch. Raises UnreadableInput for what pip does not take as one."""
        found = self.values.get(key)
        if found is None:
            return False
        word = found.value.lower()
        if word not in TRUE + FALSE:
            raise bad_value(found.origin, key, f"`{found.value}` is neither yes nor no")
        return word in TRUE


def read_pip_config(environ: Mapping[str, str], etc: str = "/etc") -> PipConfig:
    """All of pip's files and variables, weighed as pip does. `etc` stands in for /etc in tests."""
    layers: dict[str, dict[str, Setting]] = {section: {} for section in SECTIONS}
    for path in config_files(environ, etc):
        for section, key, value in _entries(path):
            if section in layers:
                layers[section][key] = Setting(value, f"pip: {path}")
    merged = {**_said(layers["global"]), **_said(layers["install"]), **_variables(environ)}
    return PipConfig(values=merged)


def config_files(environ: Mapping[str, str], etc: str = "/etc") -> list[str]:
    """Files in rising precedence: global, user, site (the active virtual environment), PIP_CONFIG_FILE."""
    said = environ.get("PIP_CONFIG_FILE")
    if said == os.devnull:
        return []
    folders = (environ.get("XDG_CONFIG_DIRS") or os.path.join(etc, "xdg")).split(os.pathsep)
    files = [os.path.join(folder, "pip", "pip.conf") for folder in folders if folder]
    files.append(os.path.join(etc, "pip.conf"))
    if not (said and os.path.exists(said)):
        files += [
            os.path.join(home(environ), ".pip", "pip.conf"),
            os.path.join(config_home(environ), "pip", "pip.conf"),
        ]
    if environ.get("VIRTUAL_ENV"):
        files.append(os.path.join(environ["VIRTUAL_ENV"], "pip.conf"))
    return [*files, said] if said else files


def _entries(path: str) -> Iterator[tuple[str, str, str]]:
    """(section, normalised key, value) of one file."""
    data = read_small(path)
    if data is None:
        return
    import configparser

    parser = configparser.RawConfigParser()
    try:
        parser.read_string(data.decode("utf-8"), source=path)
        # `items` of a section includes [DEFAULT], as it does for pip
        entries = [(section, key, value) for section in parser.sections() for key, value in parser.items(section)]
    except (configparser.Error, ValueError, AttributeError) as error:
        raise unreadable(path, str(error).splitlines()[0]) from error
    for section, key, value in entries:
        yield section, normal(key), (value or "").strip()


def _variables(environ: Mapping[str, str]) -> dict[str, Setting]:
    found = {
        normal(name[4:]): Setting(value.strip(), name) for name, value in environ.items() if name.startswith("PIP_")
    }
    return _said(found)


def _said(values: Mapping[str, Setting]) -> dict[str, Setting]:
    """pip ignores empty values."""
    return {key: setting for key, setting in values.items() if setting.value}


def normal(key: str) -> str:
    """pip's `_normalize_name`: `Extra_Index_URL`, `--extra-index-url` -> `extra-index-url`."""
    return key.lower().replace("_", "-").removeprefix("--")

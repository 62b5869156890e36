"""apt's configuration (apt.conf(5)): nested blocks, `::` paths, lists, comments."""

from __future__ import annotations

from collections.abc import Iterator

from ...host.model import Host, Missing, Unread
from .model import AptConfig, Lacking

PARTS, MAIN = "/etc/apt/apt.conf.d", "/etc/apt/apt.conf"
ARCH_FILE = "/var/lib/dpkg/arch"
MACHINES = {
    "x86_64": "amd64", "aarch64": "arm64", "i686": "i386", "armv7l": "armhf", "ppc64le": "ppc64el", "s390x": "s390x",
    "riscv64": "riscv64", "loongarch64": "loong64",
}  # fmt: skip
"""uname -m -> Debian's name (dpkg-architecture(1))."""
_FILES_AT_MOST = 300
_DEEPEST = 32


def read_config(host: Host, native: str | None = None) -> tuple[AptConfig, tuple[Lacking, ...]]:
    """What decides about versions. `native`: the architecture, where it is known from elsewhere."""
    settings, unread = read_settings(host)
    lacking = list(unread)
    architectures = _architectures(host, settings, native)
    if not architectures:
        lacking.append(Lacking(what=ARCH_FILE, why="absent"))
    config = AptConfig(
        architectures=architectures or ("amd64",),
        recommends=_yes(_last(settings, "apt::install-recommends"), default=True),
        default_release=_last(settings, "apt::default-release"),
    )
    return config, tuple(lacking)


def read_settings(host: Host) -> tuple[dict[str, list[str]], tuple[Lacking, ...]]:
    """(every option by its name in lower case, values in order; files that could not be read)."""
    settings: dict[str, list[str]] = {}
    lacking = []
    for path in _files(host):
        data = host.read(path)
        if isinstance(data, Unread):
            if data.reason not in (Missing.ABSENT, Missing.NOT_CAPTURED):
                lacking.append(Lacking(what=path, why=data.reason.value))
            continue
        for name, value in assignments(data.decode("utf-8", "replace")):
            _assign(settings, name, value)
    return settings, tuple(lacking)


def _files(host: Host) -> Iterator[str]:
    """In apt's order; it passes over names with another ending than `.conf`."""
    names = host.names(PARTS)
    for name in () if isinstance(names, Unread) else names[:_FILES_AT_MOST]:
        plain = name.replace("_", "").replace("-", "").replace(".", "")
        if plain.isalnum() and ("." not in name or name.endswith(".conf")):
            yield f"{PARTS}/{name}"
    yield MAIN


def _architectures(host: Host, settings: dict[str, list[str]], native: str | None) -> tuple[str, ...]:
    machine = host.machine()
    first = _last(settings, "apt::architecture") or native
    first = first or (MACHINES.get(machine, "") if isinstance(machine, str) else "")
    data = host.read(ARCH_FILE)
    listed = [] if isinstance(data, Unread) else data.decode("ascii", "replace").split()[:16]
    listed = settings.get("apt::architectures", []) or listed
    if not first and listed:
        first = listed[0]
    return tuple(dict.fromkeys([first, *listed])) if first else ()


def _last(settings: dict[str, list[str]], name: str) -> str:
    return (settings.get(name) or [""])[-1]


def _yes(value: str, *, default: bool) -> bool:
    said = truth(value)
    return default if said is None else said


def truth(value: str) -> bool | None:
    """As StringToBool of apt (apt-pkg/contrib/strutl.cc): None: neither."""
    low = value.strip().lower()
    if low in ("yes", "true", "with", "on", "enable", "1"):
        return True
    return False if low in ("no", "false", "without", "off", "disable", "0") else None


def _assign(settings: dict[str, list[str]], name: str, value: str) -> None:
    """`name::` adds to a list; `#clear name` empties it and all below."""
    low = name.lower()
    if low.startswith("#clear "):
        gone = low[7:]
        for one in [one for one in settings if one == gone or one.startswith(f"{gone}::")]:
            del settings[one]
    elif low.endswith("::"):
        settings.setdefault(low[:-2], []).append(value)
    else:
        settings[low] = [value]


def assignments(text: str) -> Iterator[tuple[str, str]]:
    """(name, value) in order; nested names are joined by `::`, what stands in a list has a name that ends with it."""
    stack: list[str] = []
    words: list[str] = []
    for word in _words(text):
        if word == "{":
            stack.append("::".join([*stack[-1:], *words[:1]]))
            words = []
            if len(stack) > _DEEPEST:
                return
        elif word in ("}", ";"):
            if words:
                yield _assignment(stack[-1] if stack else "", words)
            words = []
            if word == "}" and stack:
                stack.pop()
        else:
            words.append(word)


def _assignment(scope: str, words: list[str]) -> tuple[str, str]:
    name = words[0]
    if name == "#clear":
        return f"#clear {'::'.join(part for part in (scope, *words[1:2]) if part)}", ""
    if name.startswith('"') or len(words) == 1:  # an element of a list
        return f"{scope}::", name.strip('"')
    return "::".join(part for part in (scope, name) if part), words[1].strip('"')


def _words(text: str) -> Iterator[str]:
    """Words, quoted strings with their quotes, `{`, `}`, `;`; comments are left out, `#clear` is a word."""
    at, end = 0, len(text)
    while at < end:
        sign = text[at]
        if sign.isspace():
            at += 1
        elif text.startswith(("//", "/*", "#"), at) and not text.startswith("#clear", at):
            closing = text.find("*/", at + 2) if text.startswith("/*", at) else text.find("\n", at)
            at = end if closing < 0 else closing + (2 if text.startswith("/*", at) else 1)
        elif sign in "{};":
            yield sign
            at += 1
        elif sign == '"':
            closing = text.find('"', at + 1)
            closing = end if closing < 0 else closing
            yield text[at : closing + 1]
            at = closing + 1
        else:
            start = at
            while at < end and not text[at].isspace() and text[at] not in '{};"':
                at += 1
            yield text[start:at]

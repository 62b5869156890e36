"""What modprobe.d tells the kernel's module loader (modprobe.d(5))."""

from __future__ import annotations

from ..host.model import Host, Missing, Unread
from .model import Blacklist, KernelParameter, ModuleOption
from .reading import string
from .value import Fact, Record, Unknown, unknown

FOLDERS = ("/etc/modprobe.d", "/run/modprobe.d", "/usr/local/lib/modprobe.d", "/usr/lib/modprobe.d", "/lib/modprobe.d")
"""In order of precedence: a file hides those of the same name in later folders."""

NEVER = ("/bin/false", "/bin/true", "/usr/bin/false", "/usr/bin/true", "false", "true", ":")
"""Commands that make `install MODULE COMMAND` a stronger blacklist."""

FILES_AT_MOST = 500


class ModprobeRules(Record, frozen=True, kw_only=True):
    """Options and blacklists of all files."""

    options: Fact[list[ModuleOption]]
    blacklisted: Fact[list[Blacklist]]


def modprobe_rules(host: Host, cmdline: Fact[list[KernelParameter]]) -> ModprobeRules:
    """Of every folder that can be read; unknown only if nothing was found and something could not be read. What the
    command line blacklists is added."""
    options: list[ModuleOption] = []
    blacklisted = _from_command_line(cmdline)
    files, failed = _files(host)
    for path in files:
        content = string(host, path)
        if isinstance(content, Unknown):
            failed = failed or content
            continue
        for words in _directives(content):
            _take(words, path, options, blacklisted)
    return ModprobeRules(options=options or failed or [], blacklisted=blacklisted or failed or [])


def _files(host: Host) -> tuple[list[str], Unknown | None]:
    chosen: dict[str, str] = {}
    failed: Unknown | None = None
    for folder in FOLDERS:
        names = host.names(folder)
        if isinstance(names, Unread):
            if names.reason is not Missing.ABSENT:
                failed = failed or unknown(names)
            continue
        for name in names[:FILES_AT_MOST]:
            if name.endswith(".conf"):
                chosen.setdefault(name, f"{folder}/{name}")
    return [chosen[name] for name in sorted(chosen)], failed


def _directives(content: str) -> list[list[str]]:
    """Words of each line; a backslash at the end continues it, `#` starts a comment line."""
    lines = content.replace("\\\n", " ").splitlines()
    return [line.split() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _take(words: list[str], path: str, options: list[ModuleOption], blacklisted: list[Blacklist]) -> None:
    if len(words) < 2:
        return
    directive, module = words[0], words[1].replace("-", "_")
    if directive == "options":
        for word in words[2:]:
            name, _, value = word.partition("=")
            options.append(ModuleOption(module=module, option=name, value=value.strip('"'), file=path))
    elif directive == "blacklist" or (directive == "install" and len(words) > 2 and words[2] in NEVER):
        blacklisted.append(Blacklist(module=module, file=path))


def _from_command_line(cmdline: Fact[list[KernelParameter]]) -> list[Blacklist]:
    """`module_blacklist=` is the kernel's own, `modprobe.blacklist=` is kmod's; both take commas."""
    if isinstance(cmdline, Unknown):
        return []
    listed = [word.value for word in cmdline if word.name in ("module_blacklist", "modprobe.blacklist") and word.value]
    names = [name.replace("-", "_") for value in listed for name in value.split(",") if name]
    return [Blacklist(module=name, file="/proc/cmdline") for name in names]

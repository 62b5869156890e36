"""Kernel parameters: what the command line says, and how to change it for the next boot."""

from __future__ import annotations

from ..facts.model import Facts, KernelParameter, Unknown
from ..words import Words
from ._boot import family, reboot
from .changes import BootMenu, CommandLine
from .model import Evidence, Remedy

SHOWN = 120


def parameter(facts: Facts, *names: str) -> KernelParameter | None:
    """The last word of the command line that bears one of the names (`-` and `_` are the same to the kernel)."""
    if isinstance(facts.kernel.cmdline, Unknown):
        return None
    wanted = {name.replace("-", "_") for name in names}
    found = [one for one in facts.kernel.cmdline if one.name.replace("-", "_") in wanted]
    return found[-1] if found else None


def word(one: KernelParameter) -> str:
    """As it stands on the command line, short enough to show."""
    return (one.name if one.value is None else f"{one.name}={one.value}")[:SHOWN]


def cmdline_evidence(one: KernelParameter) -> Evidence:
    """The word as read."""
    return Evidence("kernel.cmdline", word(one), "/proc/cmdline")


def remove(facts: Facts, name: str, why: Words) -> tuple[Remedy, ...]:
    """Take a parameter off the command line: with grubby where Fedora and its kin have it, in GRUB's defaults where
    they are known to be, else in words."""
    change = CommandLine(remove=(name,))
    if not family(facts):
        return (Remedy((), root=True, why=why, change=change), reboot())
    if family(facts) == "fedora":
        argv = ("grubby", "--update-kernel=ALL", f"--remove-args={name}")
        return (Remedy(argv, root=True, why=why, change=change), reboot())
    pattern = name.replace(".", r"\.")
    edit = ("sed", "-i", "-E", rf's/\b{pattern}(=[^ "]*)?//g', "/etc/default/grub")
    return (Remedy(edit, root=True, why=why, change=change), _write_menu(facts), reboot())


def add(facts: Facts, text: str, why: Words) -> tuple[Remedy, ...]:
    """Put a parameter on the command line."""
    change = CommandLine(add=tuple(text.split()))
    if not family(facts):
        told = Words(f"{why.en} Add to the kernel command line: {text}", f"{why.zh}加到内核命令行：{text}")
        return (Remedy((), root=True, why=told, change=change), reboot())
    if family(facts) == "fedora":
        argv = ("grubby", "--update-kernel=ALL", f"--args={text}")
        return (Remedy(argv, root=True, why=why, change=change), reboot())
    name = "GRUB_CMDLINE_LINUX_DEFAULT"
    edit = ("sed", "-i", "-E", f's/^{name}="/{name}="{text} /', "/etc/default/grub")
    return (Remedy(edit, root=True, why=why, change=change), _write_menu(facts), reboot())


def _write_menu(facts: Facts) -> Remedy:
    argv = {
        "debian": ("update-grub",),
        "suse": ("grub2-mkconfig", "-o", "/boot/grub2/grub.cfg"),
        "arch": ("grub-mkconfig", "-o", "/boot/grub/grub.cfg"),
    }.get(family(facts), ())
    why = Words(
        "Writes GRUB's menu anew. With another boot loader change its own configuration instead.",
        "重新生成 GRUB 菜单。使用其他引导程序时，请改它自己的配置。",
    )
    return Remedy(argv, root=True, why=why, change=BootMenu())

"""Remedies that change how the machine starts: module options, kernel parameters, the initramfs."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from .changes import CommandLine, Initramfs, ModuleOptions, Reboot
from .model import Remedy


def family(facts: Facts) -> str:
    """`debian`, `fedora`, `suse`, `arch`, or empty: by ID and ID_LIKE of os-release."""
    ids = {facts.os.id, *facts.os.like} if isinstance(facts.os.id, str) else set(facts.os.like)
    members = {
        "debian": {"debian", "ubuntu"},
        "fedora": {"fedora", "rhel", "centos"},
        "suse": {"suse", "opensuse", "sles"},
        "arch": {"arch"},
    }
    return next((name for name, of in members.items() if ids & of), "")


def rebuild_initramfs(facts: Facts) -> Remedy:
    """Let the early boot image have the change too."""
    argv = {
        "debian": ("update-initramfs", "-u"),
        "fedora": ("dracut", "--force"),
        "suse": ("dracut", "--force"),
        "arch": ("mkinitcpio", "-P"),
    }.get(family(facts), ())
    why = Words(
        "Rebuilds the initramfs: the driver is loaded from it at boot, with the options and firmware in it.",
        "重新生成 initramfs：启动时驱动从中加载，选项和固件也取自其中。",
    )
    return Remedy(argv=argv, root=True, why=why, change=Initramfs())


def reboot() -> Remedy:
    """The change counts from the next boot. No command: a doctor does not restart a machine."""
    return Remedy(
        argv=(),
        root=True,
        why=Words("Reboot, then run `firstlight doctor` again.", "重启，然后再运行 `firstlight doctor`。"),
        change=Reboot(),
    )


def module_options(facts: Facts, module: str, options: str, why: Words) -> tuple[Remedy, ...]:
    """Remedies that give a kernel module its options from the next boot on. On Fedora and its kin through the
    kernel command line, which grubby edits; elsewhere through a file that modprobe reads."""
    if family(facts) == "fedora":
        words = " ".join(f"{module}.{option}" for option in options.split())
        argv = ("grubby", "--update-kernel=ALL", f"--args={words}")
        return (Remedy(argv, root=True, why=why, change=CommandLine(add=tuple(words.split()))), reboot())
    change = ModuleOptions(module=module, options=options)
    if not family(facts):
        told = Words(f"{why.en} Give modprobe this line: options {module} {options}",
                     f"{why.zh}给 modprobe 的配置：options {module} {options}")  # fmt: skip
        return (Remedy((), root=True, why=told, change=change), reboot())
    # a file of our own: another tool's file of the module's name is not overwritten
    write = f'open("/etc/modprobe.d/firstlight-{module}.conf", "w").write("options {module} {options}\\n")'
    return (Remedy(("python3", "-c", write), root=True, why=why, change=change), rebuild_initramfs(facts), reboot())

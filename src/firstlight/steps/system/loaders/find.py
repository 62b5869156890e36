"""Which boot loader this machine uses, by what it says itself and by whose configuration is there."""

from __future__ import annotations

import re
from functools import partial

from ..ground import Ground
from . import words
from .grub import grub
from .model import Loader, Place

INFO = "/sys/firmware/efi/efivars/LoaderInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"
"""Boot Loader Interface of systemd: the running loader's name, in UTF-16 after four bytes of attributes. GRUB sets it
since 2.12."""
RASPBERRY = ("/boot/firmware/cmdline.txt", "/boot/cmdline.txt")
EXTLINUX = ("/boot/extlinux/extlinux.conf", "/extlinux/extlinux.conf")


def find(ground: Ground) -> Loader | None:
    """None: none that is known, or more than one and nothing says which."""
    found = [loader for make in _KINDS if (loader := make(ground)) is not None]
    told = running(ground)
    named = [one for one in found if told and one.name.startswith(told)]
    if named:
        return named[0]
    return found[0] if len({one.name for one in found}) == 1 else None


def running(ground: Ground) -> str:
    """`grub`, `systemd-boot`, or empty where the firmware does not say."""
    data = (ground.read(INFO, 4096) or b"")[4:].decode("utf-16-le", "ignore").lower()
    return next((name for name in ("systemd-boot", "grub") if name in data), "")


def _grubby(ground: Ground) -> Loader | None:
    """Fedora and its kin: grubby(8) edits all entries by itself; see `kernel_parameter`."""
    return Loader("grubby", (), ()) if ground.find("grubby") else None


def _kernelstub(ground: Ground) -> Loader | None:
    """Pop!_OS."""
    return Loader("kernelstub", (), ()) if ground.find("kernelstub") else None


def _kernel_install(ground: Ground) -> Loader | None:
    """systemd-boot with kernel-install(8): /etc/kernel/cmdline; what is already in the menu is written anew."""
    loader = any(ground.exists(path) for path in ("/boot/loader/loader.conf", "/efi/loader/loader.conf",
                                                  "/boot/efi/loader/loader.conf"))  # fmt: skip
    if not loader and not ground.exists("/etc/kernel/cmdline"):
        return None
    if not ground.find("kernel-install") or not ground.exists("/etc/kernel/cmdline"):
        return None
    then = _kernels(ground)
    return Loader("systemd-boot", (Place("/etc/kernel/cmdline", words.whole),), then) if then else None


def _kernels(ground: Ground) -> tuple[tuple[str, ...], ...]:
    """`kernel-install add` of every kernel whose image is known; `add-all` is newer than many."""
    names = [name for name in ground.names("/lib/modules") if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._+~-]*", name)]
    found = []
    for name in names:
        images = (f"/lib/modules/{name}/vmlinuz", f"/boot/vmlinuz-{name}")
        image = next((path for path in images if ground.exists(path)), None)
        if image:
            found.append(("kernel-install", "add", name, image))
    return tuple(found)


def _raspberry(ground: Ground) -> Loader | None:
    """Raspberry Pi: one line that the firmware hands over."""
    path = next((path for path in RASPBERRY if ground.exists(path)), None)
    return Loader("raspberry", (Place(path, words.whole),), ()) if path else None


def _u_boot_menu(ground: Ground) -> Loader | None:
    """Debian's u-boot-menu writes extlinux.conf from its own defaults."""
    if not ground.find("u-boot-update"):
        return None
    edit = partial(_shell, "U_BOOT_PARAMETERS")
    return Loader("u-boot-menu", (Place("/etc/default/u-boot", edit, fresh=True),), (("u-boot-update",),))


def _extlinux(ground: Ground) -> Loader | None:
    """extlinux.conf itself, as NVIDIA's Jetson has it: read at each boot."""
    path = next((path for path in EXTLINUX if ground.exists(path)), None)
    if path is None or ground.find("u-boot-update"):
        return None
    edit = partial(_keyed, r"[ \t]*(?:APPEND|append)[ \t]+")
    return Loader("extlinux", (Place(path, edit),), ())


def _zipl(ground: Ground) -> Loader | None:
    """IBM Z."""
    if not ground.exists("/etc/zipl.conf"):
        return None
    edit = partial(_keyed, r"[ \t]*parameters[ \t]*=[ \t]*")
    return Loader("zipl", (Place("/etc/zipl.conf", edit),), (("zipl",),))


def _shell(variable: str, text: str, add: tuple[str, ...], remove: tuple[str, ...]) -> str:
    if add and words.value_of(text, variable) is None:
        text += f'{variable}=""\n'
    return words.in_shell(text, variable, add, remove)


def _keyed(pattern: str, text: str, add: tuple[str, ...], remove: tuple[str, ...]) -> str:
    return words.after_key(text, pattern, add, remove)


_KINDS = (_grubby, _kernelstub, grub, _kernel_install, _raspberry, _u_boot_menu, _extlinux, _zipl)

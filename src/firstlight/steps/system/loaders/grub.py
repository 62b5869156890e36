"""GRUB as Debian, Ubuntu, SUSE and Arch configure it: /etc/default/grub and what it reads beside."""

from __future__ import annotations

from collections.abc import Sequence

from ..ground import Ground
from .model import Loader, Place
from .words import changed, in_shell, value_of

MAIN = "/etc/default/grub"
FOLDER = "/etc/default/grub.d"
OURS = f"{FOLDER}/zz-firstlight.cfg"
"""Read after all others, by name."""
USUAL = "GRUB_CMDLINE_LINUX_DEFAULT"
VARIABLES = (USUAL, "GRUB_CMDLINE_LINUX")
MENUS = (
    ("update-grub", ("update-grub",)),
    ("grub2-mkconfig", ("grub2-mkconfig", "-o", "/boot/grub2/grub.cfg")),
    ("grub-mkconfig", ("grub-mkconfig", "-o", "/boot/grub/grub.cfg")),
)


def grub(ground: Ground) -> Loader | None:
    """None where its configuration or its program is not there. Fedora's is left to grubby."""
    menu = next((argv for program, argv in MENUS if ground.find(program)), None)
    if menu is None or not ground.exists(MAIN) or ground.find("grubby"):
        return None
    beside = [f"{FOLDER}/{name}" for name in ground.names(FOLDER) if name.endswith(".cfg")]
    others = [Place(path, _removed) for path in (MAIN, *beside) if path != OURS]
    if _reads_beside(ground):
        return Loader("grub", (Place(OURS, _ours, fresh=True), *others), (menu,))
    return Loader("grub", (Place(MAIN, _in_main), *others[1:]), (menu,))


def _reads_beside(ground: Ground) -> bool:
    """Debian's and Ubuntu's grub-mkconfig reads grub.d; upstream's and SUSE's may not."""
    program = ground.find("grub-mkconfig") or ground.find("grub2-mkconfig")
    return bool(program) and "default/grub.d" in ground.text(program or "")


def _ours(text: str, add: Sequence[str], remove: Sequence[str]) -> str:
    """Our own file adds to what the others say."""
    start = f"${USUAL}"
    line = next((one for one in text.splitlines() if one.startswith(f'{USUAL}="{start}')), "")
    words = changed(line.partition(start)[2].rstrip('"'), add, remove).split()
    return f'{USUAL}="{start} {" ".join(words)}"\n' if words else ""


def _in_main(text: str, add: Sequence[str], remove: Sequence[str]) -> str:
    if add and value_of(text, USUAL) is None:
        text += f'{USUAL}=""\n'
    return _removed(in_shell(text, USUAL, add, remove), (), remove)


def _removed(text: str, add: Sequence[str], remove: Sequence[str]) -> str:  # noqa: ARG001 - what is added stands in one
    for variable in VARIABLES:
        text = in_shell(text, variable, (), remove)
    return text

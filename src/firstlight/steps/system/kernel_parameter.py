"""Words of the kernel command line, through the boot loader of this machine."""

from __future__ import annotations

import re

from ...causes.changes import CommandLine
from ...errors import NoError
from ...progress import Reporter
from ...words import Words
from .failed import said
from .file_step import written
from .files import FileState, clear, look, put, remove
from .ground import Ground
from .kept import Keeper, Kept
from .loaders.find import find
from .loaders.model import Loader, Place
from .names import PARAMETER, all_fit, refused

TOOLS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "grubby": (("grubby", "--update-kernel=ALL"), "--args={}", "--remove-args={}"),
    "kernelstub": (("kernelstub",), "--add-options={}", "--delete-options={}"),
}
"""Programs that edit every entry themselves."""


def steps(ground: Ground, change: CommandLine) -> tuple[Parameter | Menu | Tool, ...]:
    """Raises UnreadableInput; NoError, with the step for a person, where the boot loader is not known."""
    add = all_fit(PARAMETER, change.add, "kernel parameter")
    gone = all_fit(PARAMETER, change.remove, "kernel parameter")
    if not add and not gone:
        raise refused("kernel parameter", "")
    loader = find(ground)
    if loader is None:
        raise unknown_loader(add, gone)
    if loader.name in TOOLS:
        return (Tool(ground, loader.name, add, gone),)
    parameters = [Parameter(ground, loader, place, add if place is loader.places[0] else (), gone)
                  for place in loader.places]  # fmt: skip
    return (*parameters, *([Menu(ground, loader)] if loader.then else []))


class Parameter:
    """One configuration file of the boot loader."""

    kind = "kernel-parameter"
    turn = back = 5

    def __init__(
        self, ground: Ground, loader: Loader, place: Place, add: tuple[str, ...], gone: tuple[str, ...]
    ) -> None:
        self.ground, self.loader, self.place, self.add, self.gone = ground, loader, place, add, gone
        self.subject = f"{place.path}: {' '.join([*add, *(f'-{name}' for name in gone)])}"

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """As Python writes it; none where nothing changes. Raises NoError where the file holds the words in a form that
        we cannot edit, such as a substitution of the shell."""
        text = self._text()
        if not all(word in text for word in self.add) or any(names_left(text, self.gone)):
            raise unknown_loader(self.add, self.gone)
        return () if text == self._now() else (written(self.place.path, text.encode()),)

    def check(self) -> bool:
        """By the file's own words."""
        text = self._text()
        return text == self._now() and all(word in text for word in self.add) and not any(names_left(text, self.gone))

    def _now(self) -> str:
        return self.ground.text(self.place.path)

    def _text(self) -> str:
        return self.place.edit(self._now(), self.add, self.gone)

    def prepare(self, keeper: Keeper) -> None:
        """Keep it. Raises NoError where it is no plain file, or cannot be edited."""
        keeper.keep(self.place.path)
        if keeper.record.files[self.place.path].kind not in ("file", "absent"):
            raise unknown_loader(self.add, self.gone)
        self.commands()

    def do(self, tell: Reporter) -> None:  # noqa: ARG002
        """Raises NoError."""
        now, text = look(self.ground, self.place.path), self._text()
        if text == self._now():
            return
        mode = now.mode if now.kind == "file" else 0o644
        if text:
            put(
                self.ground, self.place.path, text.encode(), FileState(kind="file", mode=mode, uid=now.uid, gid=now.gid)
            )
        else:
            remove(self.ground, self.place.path)

    def undo(self, kept: Kept, tell: Reporter) -> None:  # noqa: ARG002
        """Also the folders that had to be made for it."""
        clear(self.ground, self.place.path)
        above = [path for path in kept.before.files if self.place.path.startswith(f"{path}/")]
        kept.restore_all([self.place.path, *above])


class Menu:
    """What is booted, made anew from the configuration."""

    kind = "boot-menu"
    turn, back = 7, 41
    MENUS = ("/boot/grub/grub.cfg", "/boot/grub2/grub.cfg", "/boot/extlinux/extlinux.conf")

    def __init__(self, ground: Ground, loader: Loader) -> None:
        self.ground, self.loader, self.subject = ground, loader, loader.name

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """Of the loader."""
        return self.loader.then

    def check(self) -> bool:
        """Never by itself."""
        return False

    def prepare(self, keeper: Keeper) -> None:
        """Keep the menus."""
        for path in self.MENUS:
            keeper.keep(path)

    def do(self, tell: Reporter) -> None:  # noqa: ARG002
        """Raises NoError."""
        for argv in self.loader.then:
            outcome = self.ground.run(argv, timeout=1800)
            if outcome.code != 0:
                raise said(outcome)

    def undo(self, kept: Kept, tell: Reporter) -> None:
        """The former menu; made anew where it is another by now, or kept elsewhere."""
        earlier = list(kept.left)
        kept.restore_all(self.MENUS)
        others = kept.left != earlier or self.loader.name == "systemd-boot"
        kept.left[:] = earlier
        if others:
            self.do(tell)


class Tool:
    """grubby(8), kernelstub(1)."""

    kind = "kernel-parameter"
    turn = back = 5

    def __init__(self, ground: Ground, name: str, add: tuple[str, ...], gone: tuple[str, ...]) -> None:
        self.ground, self.name, self.add, self.gone = ground, name, add, gone
        self.subject = " ".join([*add, *(f"-{one}" for one in gone)])

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """Adding and removing."""
        return (*self._adding(self.add), *self._removing(self.gone))

    def _adding(self, words: tuple[str, ...]) -> list[tuple[str, ...]]:
        base, form, _ = TOOLS[self.name]
        return [(*base, form.format(" ".join(words)))] if words else []

    def _removing(self, words: tuple[str, ...]) -> list[tuple[str, ...]]:
        base, _, form = TOOLS[self.name]
        return [(*base, form.format(" ".join(words)))] if words else []

    def check(self) -> bool:
        """Not known before the next boot: the tool itself leaves alone what is right."""
        return False

    def prepare(self, keeper: Keeper) -> None:
        """Which of the words the running kernel was started with: they are not taken away again."""
        running = self.ground.text("/proc/cmdline").split()
        keeper.note(self.subject, [word for word in self.add if word not in running])

    def do(self, tell: Reporter) -> None:  # noqa: ARG002
        """Raises NoError."""
        for argv in self.commands():
            outcome = self.ground.run(argv, timeout=600)
            if outcome.code != 0:
                raise said(outcome)

    def undo(self, kept: Kept, tell: Reporter) -> None:  # noqa: ARG002
        """What was added goes; a value that was removed is known from the running kernel's own command line."""
        added = tuple(kept.noted(self.subject) or ())
        names = {name.replace("-", "_") for name in self.gone}
        running = [word for word in self.ground.text("/proc/cmdline").split()
                   if word.partition("=")[0].replace("-", "_") in names]  # fmt: skip
        for argv in (*self._removing(added), *self._adding(tuple(running))):
            outcome = self.ground.run(argv, timeout=600)
            if outcome.code != 0:
                raise said(outcome)


def names_left(text: str, names: tuple[str, ...]) -> list[str]:
    """Those that a line which is no comment still names."""
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return [
        name for name in names if re.search(rf"""(?:^|[\s"'=]){re.escape(name)}(?:[=\s"']|$)""", lines, re.MULTILINE)
    ]


def unknown_loader(add: tuple[str, ...], gone: tuple[str, ...]) -> NoError:
    """What a person has to do."""
    en = [*(["add " + " ".join(add)] if add else []), *(["remove " + " ".join(gone)] if gone else [])]
    zh = [*(["加上 " + " ".join(add)] if add else []), *(["去掉 " + " ".join(gone)] if gone else [])]
    return NoError(
        Words("it is not known how this machine's boot loader is configured, so its configuration was not touched",
              "不知道本机的引导程序如何配置，因此没有改动其配置"),
        next=Words(f"by hand, on the kernel command line: {'; '.join(en)}", f"请手工修改内核命令行：{'；'.join(zh)}"),
    )  # fmt: skip

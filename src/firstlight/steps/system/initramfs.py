"""The early boot image, made anew by whichever tool this machine has."""

from __future__ import annotations

from ...errors import NoError
from ...progress import Reporter
from ...words import Words
from .failed import said
from .ground import Ground
from .kept import Keeper, Kept

TOOLS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("update-initramfs", ("update-initramfs", "-u")),
    ("dracut", ("dracut", "--force")),
    ("mkinitcpio", ("mkinitcpio", "-P")),
    ("kernel-install", ("kernel-install", "add-all")),
)
"""Program, and its vector: initramfs-tools before dracut, as Debian has a wrapper of the first name for the second."""
IMAGES = ("/boot/initrd.img-", "/boot/initramfs-", "/boot/initrd-")


class Rebuilt:
    """The image, kept beforehand, so that undoing gives back the very same bytes."""

    kind = "initramfs"
    turn, back = 6, 40

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.subject, self.argv = next((tool for tool in TOOLS if ground.find(tool[0])), ("", ()))

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """One. Raises NoError where no known tool is there."""
        if not self.argv:
            raise NoError(
                Words("no tool that makes an initramfs is known here (update-initramfs, dracut, mkinitcpio)",
                      "这里没有已知的 initramfs 生成工具（update-initramfs、dracut、mkinitcpio）"),
                next=Words("make it anew by hand, if this machine has one", "如果本机有 initramfs，请手工重新生成"),
            )  # fmt: skip
        return (self.argv,)

    def check(self) -> bool:
        """Never: what went into it cannot be told cheaply."""
        return False

    def prepare(self, keeper: Keeper) -> None:
        """Keep the images of all kernels."""
        for path in self._images():
            keeper.keep(path)

    def do(self, tell: Reporter) -> None:  # noqa: ARG002
        """Raises NoError."""
        outcome = self.ground.run(self.commands()[0], timeout=1800)
        if outcome.code != 0:
            raise said(outcome)

    def undo(self, kept: Kept, tell: Reporter) -> None:
        """The former images; one that is another by now (a newer kernel, another tool) is made anew."""
        images = [path for path in kept.before.files if path.startswith(IMAGES)]
        earlier = list(kept.left)
        for path in images:
            kept.restore(path)
        if self.argv and [path for path in kept.left if path in images]:
            kept.left[:] = earlier
            self.do(tell)

    def _images(self) -> list[str]:
        names = [f"/boot/{name}" for name in self.ground.names("/boot")]
        return [path for path in names if path.startswith(IMAGES) and not path.endswith((".bak", ".dpkg-bak"))]

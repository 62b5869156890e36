"""Kernel parameters through each boot loader, module options, blacklists: what is written, and what comes back."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from firstlight.causes.changes import (
    Blacklist,
    CommandLine,
    FirmwareFile,
    Initramfs,
    LiftBlacklist,
    LoadModule,
    ModuleOptions,
)
from firstlight.errors import NoError
from firstlight.steps.system.loaders import words
from firstlight.steps.system.loaders.find import find

from .machine import Machine
from .roots import Root

MKCONFIG = """#!/bin/sh
# as GRUB's own does: the defaults are read by the shell
. /etc/default/grub
for file in /etc/default/grub.d/*.cfg; do [ -e "$file" ] && . "$file"; done
mkdir -p /boot/grub
echo "linux /vmlinuz root=/dev/sda1 ro $GRUB_CMDLINE_LINUX $GRUB_CMDLINE_LINUX_DEFAULT" > /boot/grub/grub.cfg
"""
GRUB = 'GRUB_DEFAULT=0\nGRUB_CMDLINE_LINUX_DEFAULT="quiet splash nomodeset"\nGRUB_CMDLINE_LINUX="nomodeset=1"\n'


def grub(root: Root, *, beside: bool = True) -> None:
    root.write("/etc/default/grub", GRUB)
    text = MKCONFIG if beside else MKCONFIG.replace("/etc/default/grub.d", "/nowhere")
    root.write("/usr/sbin/grub-mkconfig", text, 0o755)
    if beside:
        root.write("/usr/sbin/update-grub", "#!/bin/sh\nexec grub-mkconfig\n", 0o755)
    else:
        root.write("/usr/sbin/grub-mkconfig", text + '[ "$2" = /boot/grub/grub.cfg ]\n', 0o755)
    root.run("grub-mkconfig", "-o", "/boot/grub/grub.cfg")


def command_line(root: Root) -> list[str]:
    return root.read("/boot/grub/grub.cfg").split()[4:]


@pytest.mark.parametrize("beside", [True, False], ids=["with-grub.d", "without"])
def test_grub(machine: Machine, *, beside: bool) -> None:
    grub(machine.root, beside=beside)
    before = machine.state()
    machine.apply(CommandLine(add=("iommu=pt", "amdgpu.cwsr_enable=0"), remove=("nomodeset",)))
    assert command_line(machine.root) == ["quiet", "splash", "iommu=pt", "amdgpu.cwsr_enable=0"]
    again = machine.apply(CommandLine(add=("iommu=pt",)))
    assert again.id is None
    machine.apply(CommandLine(add=("iommu=off",)))
    assert command_line(machine.root) == ["quiet", "splash", "amdgpu.cwsr_enable=0", "iommu=off"]
    machine.rollback()
    assert "iommu=pt" in command_line(machine.root)
    machine.rollback()
    machine.assert_like(before)


def test_a_menu_that_cannot_be_made_takes_the_parameter_back(machine: Machine) -> None:
    grub(machine.root)
    before = machine.state()
    machine.root.write("/usr/sbin/update-grub", "#!/bin/sh\necho no room >&2\nexit 1\n", 0o755)
    with pytest.raises(NoError, match="update-grub") as caught:
        machine.apply(CommandLine(add=("iommu=pt",)))
    assert "no room" in (caught.value.why.en if caught.value.why else "")
    machine.root.write("/usr/sbin/update-grub", "#!/bin/sh\nexec grub-mkconfig\n", 0o755)
    machine.assert_like(before)


EXTLINUX = "DEFAULT primary\nLABEL primary\n  LINUX /boot/Image\n  APPEND ${cbootargs} root=/dev/mmcblk0p1 rw quiet\n"
LOADERS = {
    "raspberry": ("/boot/firmware/cmdline.txt", "console=tty1 root=/dev/sda2 quiet\n",
                  "console=tty1 root=/dev/sda2 iommu=pt\n"),
    "extlinux": ("/boot/extlinux/extlinux.conf", EXTLINUX, EXTLINUX.replace("rw quiet", "rw iommu=pt")),
    "zipl": ("/etc/zipl.conf", '[defaultboot]\ndefault=linux\n[linux]\nparameters = "root=/dev/dasda1 quiet"\n',
             '[defaultboot]\ndefault=linux\n[linux]\nparameters = "root=/dev/dasda1 iommu=pt"\n'),
    "u-boot-menu": ("/etc/default/u-boot", 'U_BOOT_PARAMETERS="ro quiet"\n', 'U_BOOT_PARAMETERS="ro iommu=pt"\n'),
    "systemd-boot": ("/etc/kernel/cmdline", "root=UUID=0 ro quiet\n", "root=UUID=0 ro iommu=pt\n"),
}  # fmt: skip
TOOLS = {"zipl": "zipl", "u-boot-menu": "u-boot-update", "systemd-boot": "kernel-install"}


@pytest.mark.parametrize("name", LOADERS)
def test_other_loaders(machine: Machine, name: str) -> None:
    path, old, new = LOADERS[name]
    root = machine.root
    root.write(path, old)
    root.write("/usr/lib/modules/6.12/vmlinuz", "")
    if name in TOOLS:
        root.write(f"/usr/sbin/{TOOLS[name]}", '#!/bin/sh\necho "$*" >> /srv/called\n', 0o755)
    before = machine.state()
    machine.apply(CommandLine(add=("iommu=pt",), remove=("quiet",)))
    assert root.read(path) == new
    machine.rollback()
    machine.assert_like(before)
    if name == "systemd-boot":  # what is in the menu is made anew both ways
        assert root.read("/srv/called") == "add 6.12 /lib/modules/6.12/vmlinuz\n" * 2


def test_what_is_not_known_is_told_and_not_touched(machine: Machine) -> None:
    with pytest.raises(NoError, match="boot loader") as caught:
        machine.apply(CommandLine(add=("iommu=pt",), remove=("quiet",)))
    assert caught.value.next
    assert "add iommu=pt; remove quiet" in caught.value.next.en
    machine.root.write("/boot/cmdline.txt", "quiet\n")
    machine.root.write("/etc/zipl.conf", "parameters=quiet\n")
    assert find(machine.ground) is None  # two of them, and nothing says which is booted
    for path in ("/boot/cmdline.txt", "/etc/zipl.conf"):
        (machine.root.path / path[1:]).unlink()
    grub(machine.root)
    machine.root.write("/etc/default/grub", 'GRUB_CMDLINE_LINUX_DEFAULT="$(cat /x) quiet"\n')
    before = machine.state()
    with pytest.raises(NoError, match="boot loader"):
        machine.apply(CommandLine(remove=("quiet",)))
    machine.assert_like(before)


def test_grubby_is_asked_itself(machine: Machine) -> None:
    machine.root.write("/usr/sbin/grubby", '#!/bin/sh\necho "$*" >> /srv/called\n', 0o755)
    machine.apply(CommandLine(add=("a=1", "b=2"), remove=("never-there",)))
    machine.rollback()
    assert machine.root.read("/srv/called").splitlines() == [
        "--update-kernel=ALL --args=a=1 b=2",
        "--update-kernel=ALL --remove-args=never-there",
        "--update-kernel=ALL --remove-args=a=1 b=2",
    ]


def test_modprobe_files_and_firmware(machine: Machine, tmp_path: Path) -> None:
    root = machine.root
    root.write(
        "/etc/modprobe.d/other.conf", "# ours\nblacklist amdgpu\ninstall amd-gpu /bin/false\noptions amdgpu a=1\n"
    )
    root.write("/usr/sbin/update-initramfs", "#!/bin/sh\necho new > /boot/initrd.img-6.12\n", 0o755)
    root.write("/boot/initrd.img-6.12", "old\n")
    image = tmp_path / "new.bin"
    image.write_bytes(b"\0firmware")
    before = machine.state()
    done = machine.apply(
        ModuleOptions(module="amdgpu", options="cwsr_enable=0 gpu_recovery=1"),
        Blacklist(module="nouveau"),
        LiftBlacklist(module="amdgpu", file="/etc/modprobe.d/other.conf"),
        FirmwareFile(name="amdgpu/x.bin", source=str(image), sha256=hashlib.sha256(b"\0firmware").hexdigest()),
        Initramfs(),
    )
    assert [one.kind for one in done.steps][-1] == "initramfs"
    assert root.read("/etc/modprobe.d/firstlight-amdgpu.conf") == "options amdgpu cwsr_enable=0 gpu_recovery=1\n"
    assert root.read("/etc/modprobe.d/firstlight-no-nouveau.conf") == "blacklist nouveau\n"
    assert "# blacklist amdgpu\ninstall amd-gpu" in root.read("/etc/modprobe.d/other.conf")
    assert (root.path / "usr/lib/firmware/updates/amdgpu/x.bin").read_bytes() == b"\0firmware"
    image.unlink()  # undoing does not need it
    assert machine.rollback().left == ()
    machine.assert_like(before)


def test_an_initramfs_that_is_another_by_now_is_made_anew(machine: Machine) -> None:
    root = machine.root
    root.write("/usr/sbin/update-initramfs", "#!/bin/sh\ncat /etc/modprobe.d/* > /boot/initrd.img-6.12\n", 0o755)
    root.write("/etc/modprobe.d/a.conf", "a\n")
    root.run("update-initramfs")
    machine.apply(ModuleOptions(module="amdgpu", options="a=1"), Initramfs())
    assert "options amdgpu" in root.read("/boot/initrd.img-6.12")
    root.write("/etc/modprobe.d/b.conf", "b\n")
    root.run("update-initramfs")
    assert machine.rollback().left == ()
    assert root.read("/boot/initrd.img-6.12") == "a\nb\n"


def test_a_module_is_loaded_last_and_taken_out_first(machine: Machine) -> None:
    machine.root.write("/usr/sbin/modprobe", '#!/bin/sh\necho "$*" >> /srv/called\n', 0o755)
    machine.apply(LoadModule(module="amdgpu"), ModuleOptions(module="amdgpu", options="a=1"))
    machine.rollback()
    assert machine.root.read("/srv/called") == "amdgpu\n"  # it never came to be: there is no /sys/module


def test_words_of_a_command_line() -> None:
    assert words.changed("quiet iommu=off x", ("iommu=pt",), ("quiet",)) == "x iommu=pt"
    assert words.changed("amdgpu.cwsr-enable=1", ("amdgpu.cwsr_enable=0",), ()) == "amdgpu.cwsr_enable=0"
    assert words.changed("a  b", ("a",), ()) == "a  b"
    text = "A=1\nX='a b'\nX=\"c $(d)\"\n"
    assert words.in_shell(text, "X", ("e",), ("a",)) == "A=1\nX='b e'\nX=\"c $(d)\"\n"

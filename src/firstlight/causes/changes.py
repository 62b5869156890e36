"""Changes of a machine as data: what a remedy does, and what `steps/system` carries out and can take back.

Nothing here acts. Values may come from a hostile machine or file: who carries a change out judges them again."""

from __future__ import annotations

from typing import Union

import msgspec


class PackageChange(msgspec.Struct, frozen=True, kw_only=True):
    """One package before and after, exactly."""

    name: str
    architecture: str
    """As in its control file; `all` where it is of every one."""
    before: str | None
    """Installed version; None: not installed."""
    after: str | None
    """None: removed."""
    sha256: str | None = None
    """Of the .deb of `after`, in hexadecimal, where it is known."""
    auto: bool = False
    """Whether apt takes it for installed as a dependency only. Counts for what is newly installed."""
    held: bool = False
    """Whether it is on hold now."""


class Packages(msgspec.Struct, frozen=True, kw_only=True, tag="packages"):
    """Exactly these packages change, and no others."""

    changes: tuple[PackageChange, ...]


class Install(msgspec.Struct, frozen=True, kw_only=True, tag="install"):
    """Packages in apt-get's syntax (`name`, `name=version`, `name/suite`, `name:arch`, `name-`). Which versions that
    makes is asked of apt before consent."""

    wanted: tuple[str, ...]
    release: str | None = None
    """Suite or codename that is preferred for all of them (`apt-get -t`)."""


class Keyring(msgspec.Struct, frozen=True, kw_only=True, tag="keyring"):
    """A file of OpenPGP certificates that apt trusts for the sources that name it."""

    path: str
    """Below /etc/apt/keyrings or /usr/share/keyrings; `.gpg` (binary) or `.asc` (armored)."""
    fingerprints: tuple[str, ...]
    """The only keys that are taken, in hexadecimal: known beforehand, never taken from the file itself. What the file
    on the machine holds beside them stays."""
    content: bytes | None = None
    url: str | None = None
    """Where to get it if there is no `content`."""


class Source(msgspec.Struct, frozen=True, kw_only=True, tag="source"):
    """A deb822 file of our own under /etc/apt/sources.list.d."""

    name: str
    """The file is `firstlight-NAME.sources`."""
    uris: tuple[str, ...]
    suites: tuple[str, ...]
    components: tuple[str, ...] = ()
    """Empty where the suite is a path that ends in a slash."""
    architectures: tuple[str, ...] = ()
    signed_by: str
    """Path of the keyring."""


class Pin(msgspec.Struct, frozen=True, kw_only=True, tag="pin"):
    """A file of our own under /etc/apt/preferences.d (apt_preferences(5))."""

    name: str
    """The file is `firstlight-NAME.pref`."""
    package: str
    """`*`, or names and patterns with spaces."""
    pin: str
    """`release o=Debian,n=trixie`, `version 6.1*`, `origin repo.example.org`."""
    priority: int


class RefreshLists(msgspec.Struct, frozen=True, kw_only=True, tag="refresh-lists"):
    """`apt-get update` of these files under /etc/apt only; of all sources if there are none."""

    files: tuple[str, ...] = ()


class WriteFile(msgspec.Struct, frozen=True, kw_only=True, tag="write-file"):
    """The whole of a configuration file below /etc."""

    path: str
    content: str
    mode: int = 0o644
    """Of a new file; one that is there keeps its own."""
    replaces: str | None = None
    """sha256 of what is there now, where the new content was made from it: another content is not overwritten."""


class RemoveFile(msgspec.Struct, frozen=True, kw_only=True, tag="remove-file"):
    """A configuration file below /etc that is to go."""

    path: str
    replaces: str | None = None
    """sha256 of what is there now: another content is not removed."""


class AddToGroup(msgspec.Struct, frozen=True, kw_only=True, tag="add-to-group"):
    """A user becomes a member of groups."""

    user: str
    groups: tuple[str, ...]


class ModuleOptions(msgspec.Struct, frozen=True, kw_only=True, tag="module-options"):
    """Options of a kernel module, in a file of our own that modprobe reads."""

    module: str
    options: str
    """`name=value` with spaces between."""


class Blacklist(msgspec.Struct, frozen=True, kw_only=True, tag="blacklist"):
    """A kernel module is not loaded by its aliases any more."""

    module: str


class LiftBlacklist(msgspec.Struct, frozen=True, kw_only=True, tag="lift-blacklist"):
    """A module that a file of modprobe.d blacklists may be loaded again: the lines become comments."""

    module: str
    file: str


class CommandLine(msgspec.Struct, frozen=True, kw_only=True, tag="command-line"):
    """Words of the kernel command line for the next boot, through whichever boot loader there is."""

    add: tuple[str, ...] = ()
    """`iommu=pt`."""
    remove: tuple[str, ...] = ()
    """Names, without their values."""


class Initramfs(msgspec.Struct, frozen=True, kw_only=True, tag="initramfs"):
    """The early boot image is made anew, with what the other changes put into it."""


class FirmwareFile(msgspec.Struct, frozen=True, kw_only=True, tag="firmware-file"):
    """A firmware file that goes before the distribution's: in /lib/firmware/updates, where the kernel looks first."""

    name: str
    """`amdgpu/gc_11_5_1_mes_2.bin`."""
    source: str
    """Path of a file on this machine."""
    sha256: str


class LoadModule(msgspec.Struct, frozen=True, kw_only=True, tag="load-module"):
    """A kernel module is loaded now."""

    module: str


class Reboot(msgspec.Struct, frozen=True, kw_only=True, tag="reboot"):
    """What was changed counts from the next boot: for a person to do."""


class BootMenu(msgspec.Struct, frozen=True, kw_only=True, tag="boot-menu"):
    """The boot loader's menu is made anew: `CommandLine` does so by itself, where it needs to be."""


class NewLogin(msgspec.Struct, frozen=True, kw_only=True, tag="new-login"):
    """What was changed counts from the next login: for a person to do."""


Change = Union[
    Packages, Install, Keyring, Source, Pin, RefreshLists, WriteFile, RemoveFile, AddToGroup, ModuleOptions, Blacklist,
    LiftBlacklist, CommandLine, Initramfs, FirmwareFile, LoadModule, BootMenu, Reboot, NewLogin,
]  # fmt: skip

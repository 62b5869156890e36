"""Changes as data -> the steps that make them, in the order in which they are taken."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import cast

from ...causes.changes import (
    AddToGroup,
    Blacklist,
    BootMenu,
    Change,
    CommandLine,
    FirmwareFile,
    Initramfs,
    Install,
    Keyring,
    LiftBlacklist,
    LoadModule,
    ModuleOptions,
    NewLogin,
    Packages,
    Pin,
    Reboot,
    RefreshLists,
    RemoveFile,
    Source,
    WriteFile,
)
from ...errors import FirstlightError, NoError
from ...words import Words
from . import (
    blacklist,
    configuration,
    firmware,
    groups,
    kernel_parameter,
    keyring,
    lists,
    load_module,
    module_options,
    packages,
    pin,
    source,
)
from .ground import Ground
from .initramfs import Rebuilt
from .model import SystemChange
from .step import Step

CONSEQUENCES = ("refresh-lists", "initramfs", "boot-menu")
"""They carry out what other steps changed: where those had nothing to do, neither have they."""
BY_HAND = (BootMenu, Reboot, NewLogin)


def planned(change: SystemChange, ground: Ground, *, accept_loss: bool = False) -> tuple[Step, ...]:
    """None of them taken. Raises UnreadableInput for values that are not what they should be, NoError where this
    machine has not what a step needs."""
    steps = [step for part in change.parts for step in _steps(part, ground, accept_loss=accept_loss)]
    return tuple(sorted(_once(steps), key=lambda one: one.turn))


def planned_to_undo(change: SystemChange, ground: Ground) -> tuple[Step, ...]:
    """The same for taking them back: a part whose tool or configuration has gone since has no step of its own any more,
    only files that were kept."""
    steps: list[Step] = []
    for part in change.parts:
        with contextlib.suppress(FirstlightError):
            steps += _steps(part, ground, accept_loss=True)
    return tuple(sorted(_once(steps), key=lambda one: one.turn))


def _once(steps: Sequence[Step]) -> list[Step]:
    """Two remedies may both want the initramfs made anew."""
    return list({(one.kind, one.subject): one for one in steps}.values())


def _steps(part: Change, ground: Ground, *, accept_loss: bool) -> tuple[Step, ...]:
    if isinstance(part, BY_HAND):
        return ()
    if isinstance(part, Install):
        raise NoError(Words("packages are changed only as an exact set", "只能按确切的集合更改软件包"))
    if isinstance(part, Packages) and not part.changes:
        return ()
    if isinstance(part, Packages):
        return (packages.PackageSet(ground, part, accept_loss=accept_loss),)
    if isinstance(part, CommandLine):
        return kernel_parameter.steps(ground, part)
    if isinstance(part, Initramfs):
        return (Rebuilt(ground),)
    return (cast("Step", _MAKERS[type(part)](ground, part)),)


_MAKERS: dict[type, type] = cast("dict[type, type]", {
    Keyring: keyring.KeyringFile,
    Source: source.step,
    Pin: pin.step,
    RefreshLists: lists.Lists,
    WriteFile: configuration.step,
    RemoveFile: configuration.Removal,
    AddToGroup: groups.Membership,
    ModuleOptions: module_options.step,
    Blacklist: blacklist.step,
    LiftBlacklist: blacklist.lift,
    FirmwareFile: firmware.Firmware,
    LoadModule: load_module.Loaded,
})  # fmt: skip

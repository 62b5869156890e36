"""Which GPUs can these files run on?"""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec

from ..binaries.answer import Asked, answer
from ..binaries.loading import Machine, loading
from ..binaries.model import Report
from ..binaries.targets import meant, ordered, target_of
from ..errors import UsageError
from ..progress import Reporter, Silent
from ..words import Lang, Words
from .inspect_answer import InspectAnswer, UnjudgedAnswer, answered

_NO_FILE = Words("name at least one file, folder or address", "请给出至少一个文件、文件夹或地址")
_BAD_TARGET = Words("`--for {word}` is no target of a GPU", "`--for {word}` 不是 GPU 的 target")
_TARGETS = Words(
    "AMD's are called like gfx1151 or gfx90a:xnack-, NVIDIA's like sm_90 or sm_121",
    "AMD 的形如 gfx1151 或 gfx90a:xnack-，NVIDIA 的形如 sm_90 或 sm_121",
)
_GUESS = Words("perhaps `--for {guess}`", "是否指 `--for {guess}`")
_READING = Words("reading {file}", "读取 {file}")
_NO_TARGET = Words("its target is not known ({why})", "其 target 未知（{why}）")

Read = Callable[[str], Report]


class InspectRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Files, and what they shall run on: the targets that are named, else the GPUs of the host."""

    files: tuple[str, ...]
    targets: tuple[str, ...] = ()
    host: str = "live"
    project: str | None = None
    """Whose sources an address is read through."""
    lang: Lang = "en"


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """The machine in question."""

    label: str | None = None
    targets: tuple[str, ...] = ()
    """Of its GPUs."""
    machine: Machine = Machine()
    unjudged: tuple[UnjudgedAnswer, ...] = ()


def inspect(request: InspectRequest, reporter: Reporter | None = None, read: Read | None = None) -> InspectAnswer:
    """Read the files and judge them. Nothing of them is run. `read`: what makes the report of one argument.

    Raises UsageError for a name that is no target, UnreadableInput for what is no readable file, CannotTell where an
    address cannot be read.
    """
    if not request.files:
        raise UsageError(_NO_FILE)
    named = tuple(_target(word) for word in request.targets)
    place = Place() if named and request.host == "live" else _place(request)
    reports = tuple(_read(file, request, reporter or Silent(), read) for file in dict.fromkeys(request.files))
    targets = ordered(named or place.targets)
    judged = [
        answer(reports, Asked(target=one, driver=place.machine.driver, arch=place.machine.arch or "x86_64"))
        for one in targets
    ]
    found = loading(reports, place.machine if targets and place.label else None)
    return answered(reports, judged, found, request.lang, host=place.label, unjudged=() if named else place.unjudged)


def _target(word: str) -> str:
    target = target_of(word)
    if target is None:
        guess = meant(word[:40])
        raise UsageError(_BAD_TARGET.fill(word=word[:40]), next=_GUESS.fill(guess=guess) if guess else _TARGETS)
    return target


def _read(file: str, request: InspectRequest, reporter: Reporter, read: Read | None) -> Report:
    reporter.begin(file, _READING.fill(file=os.path.basename(file.rstrip("/")) or file))
    try:
        report = read(file) if read is not None else _report(file, request.project)
    except BaseException:
        reporter.end(file, _READING.fill(file=file), ok=False)
        raise
    reporter.end(file, _READING.fill(file=file), ok=True)
    return report


def _report(file: str, project: str | None) -> Report:
    from .inspect_remote import is_address, of_address

    if is_address(file):
        return of_address(file, project)
    from ..binaries.report import inspect as of_path

    return of_path(file)


def _place(request: InspectRequest) -> Place:
    """The host, and what of it decides."""
    from ..facts.libstdcxx import libstdcxx
    from ..facts.value import Unknown
    from ..host import open_host
    from .facts import read as read_facts

    host = open_host(request.host)
    facts = read_facts(host, request.project)
    gpus = [gpu for gpu in facts.gpus if gpu.vendor in ("amd", "nvidia")]
    glibcxx = libstdcxx(host, facts.arch)
    libc = facts.os.libc if isinstance(facts.os.libc, str) else ""
    driver = facts.driver.nvidia.version
    versions = [one.version for one in facts.python.interpreters if isinstance(one.version, str)]
    return Place(
        label=facts.origin.label,
        targets=tuple(dict.fromkeys(gpu.target for gpu in gpus if gpu.target)),
        machine=Machine(
            arch=facts.arch if isinstance(facts.arch, str) else None,
            glibc=libc.removeprefix("glibc ") or None,
            glibcxx=None if isinstance(glibcxx, Unknown) else glibcxx,
            pythons=tuple(dict.fromkeys(versions)),
            driver=driver if isinstance(driver, str) else None,
        ),
        unjudged=tuple(
            UnjudgedAnswer(
                gpu=gpu.name or gpu.pci or gpu.vendor,
                why=_NO_TARGET.say(request.lang, why=gpu.unknown.get("target", "not-known")),
            )
            for gpu in gpus
            if not gpu.target
        ),
    )

"""What a text says of its machine, as the same record that is collected from a live one; all else is not captured."""

from __future__ import annotations

import re
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from ..facts.model import Facts, KernelParameter, Unknown, Variable
from ..host.model import Missing
from .gpus import gpus

T = TypeVar("T", bound=msgspec.Struct)
SOURCE = "text"
_NOT_SAID = Unknown(Missing.NOT_CAPTURED.value, SOURCE)
_RELEASE = re.compile(
    r"(?:uname -r\s{0,3}\n|Linux version |^Kernel: |Kernel[ :]{1,20})(\d\.\d{1,3}(?:\.\d{1,3})?[\w.+~-]{0,60})",
    re.MULTILINE,
)
_CMDLINE = re.compile(r"(?:[Cc]ommand line: |/proc/cmdline\s{0,3}\n)([^\n]{4,2000})")
_VARIABLE = re.compile(
    r"^(?:.{0,40}[|:] )?(?:\$ )?(?:export )?((?:HSA|HIP|ROCR|CUDA|NVIDIA|NCCL|PYTORCH|MIOPEN|TORCH|LD_LIBRARY|GPU)_[A-Z_0-9]{2,40})=([^\s\"']{0,200})",
    re.MULTILINE,
)
_NVIDIA = re.compile(
    r"(?:Driver Version: |DRIVER version {1,4}: |Kernel Module(?: for x86_64)? {1,3}|<driver_version>)(\d{3}\.\d{1,3}(?:\.\d{1,3})?)"
)
_MES = re.compile(r"\bMES(?: feature version: \d{1,3}, (?:fw|firmware) version:| firmware version:) 0x([0-9a-f]{1,8})")
_FIRMWARE = re.compile(r"linux-firmware[- ]{1,40}(20\d{6}[\w.~+-]{0,40})")


def facts_of(text: str) -> Facts:
    """The facts that `text` states. Pure, and linear in its length."""
    blank = _blank(Facts)
    kernel = msgspec.structs.replace(blank.kernel, release=_first(_RELEASE, text), cmdline=_cmdline(text))
    nvidia = msgspec.structs.replace(blank.driver.nvidia, version=_first(_NVIDIA, text))
    found = dict(_VARIABLE.findall(text))
    mes = _first(_MES, text)
    firmware = msgspec.structs.replace(
        blank.firmware,
        package=_first(_FIRMWARE, text),
        mes_version=mes if isinstance(mes, Unknown) else int(mes, 16) & 0xFFF,
    )
    return msgspec.structs.replace(
        blank,
        gpus=gpus(text),
        kernel=kernel,
        firmware=firmware,
        driver=msgspec.structs.replace(blank.driver, nvidia=nvidia),
        environment=[Variable(name=name, value=value) for name, value in found.items()] or _NOT_SAID,
    )


def _first(pattern: re.Pattern[str], text: str) -> str | Unknown:
    found = pattern.search(text)
    return found[1] if found else _NOT_SAID


def _cmdline(text: str) -> list[KernelParameter] | Unknown:
    found = _first(_CMDLINE, text)
    if isinstance(found, Unknown):
        return found
    pairs = (word.partition("=") for word in found.split())
    return [KernelParameter(name=name, value=value if sign else None) for name, sign, value in pairs]


def _blank(kind: type[T]) -> T:
    """A record in which nothing is known: lists are empty, values not captured."""
    return kind(**{name: _empty(hint) for name, hint in get_type_hints(kind).items() if not name.startswith("__")})


def _empty(hint: Any) -> Any:  # noqa: ANN401 - a type's own emptiness
    if Unknown in get_args(hint):
        return _NOT_SAID
    if get_origin(hint) in (list, dict, tuple):
        return get_origin(hint)()
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return _blank(hint)
    if type(None) in get_args(hint):
        return None
    return {int: 4096, str: "recorded"}.get(hint, "recorded")

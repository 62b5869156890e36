"""What /proc/cpuinfo says, read once."""

from __future__ import annotations

from ..host.model import Host
from .reading import string
from .value import Fact, Record, Unknown

PATH = "/proc/cpuinfo"
READ_AT_MOST = 16 << 20
FIRST = 20_000
"""Characters that surely hold the first processor's entry; the file repeats it for each."""


class Processor(Record, frozen=True, kw_only=True):
    """The first processor."""

    model: Fact[str]
    arch: str | None
    """What the shape of the entry proves, in uname's words; None where it does not."""
    hypervisor: bool | None
    """The `hypervisor` flag of x86 processors; None on others."""


def processor(host: Host) -> Processor:
    """Model, architecture, virtual or not."""
    content = string(host, PATH, READ_AT_MOST)
    if isinstance(content, Unknown):
        return Processor(model=content, arch=None, hypervisor=None)
    fields = first_entry(content)
    flags = fields.get("flags")
    return Processor(
        model=_model(fields),
        arch=_arch(fields),
        hypervisor=None if flags is None else "hypervisor" in flags.split(),
    )


def first_entry(content: str) -> dict[str, str]:
    """Fields of the first processor, and of the tail that ARM machines put behind all (`Hardware`, `Model`)."""
    fields: dict[str, str] = {}
    for line in (content[:FIRST] + "\n" + content[-2000:]).splitlines():
        name, colon, value = line.partition(":")
        if colon:
            fields.setdefault(name.strip(), value.strip())
    return fields


def _model(fields: dict[str, str]) -> Fact[str]:
    for name in ("model name", "Model", "cpu model", "cpu", "Hardware"):
        if fields.get(name):
            return fields[name]
    if fields.get("CPU implementer") and fields.get("CPU part"):
        return f"ARM implementer {fields['CPU implementer']} part {fields['CPU part']}"
    return Unknown("absent", PATH, "model name")


def _arch(fields: dict[str, str]) -> str | None:
    if "lm" in fields.get("flags", "").split():  # long mode
        return "x86_64"
    if "CPU implementer" in fields and fields.get("CPU architecture") in ("8", "AArch64"):
        return "aarch64"
    return "riscv64" if fields.get("isa", "").startswith("rv64") else None

"""Distributions in a site-packages folder, by their metadata files alone (PyPA: recording installed projects)."""

from __future__ import annotations

from ..host.model import Host
from .model import Distribution
from .reading import string
from .value import Unknown

FAMILIES = (
    "torch", "pytorch", "triton", "rocm", "amd-torch", "amd-aiter", "amdsmi", "amd-smi", "nvidia", "jax", "cupy",
    "hip-python", "intel-extension-for-pytorch",
)  # fmt: skip
"""Beginnings of normalised names."""

METADATA_AT_MOST = 4 << 20


def distributions(host: Host, site: str, names: tuple[str, ...]) -> list[Distribution]:
    """Those of the torch, triton, rocm, amd, nvidia and jax families, sorted; `names` is the folder's listing."""
    found: dict[tuple[str, str], Distribution] = {}
    for entry in names:
        folder = _parts(entry)
        if folder and folder[0].startswith(FAMILIES):
            one = _read(host, site, entry, *folder)
            found[one.name, one.version] = one
    return [found[key] for key in sorted(found)]


def requirement(host: Host, site: str, entry: str, families: tuple[str, ...]) -> str | None:
    """The first `Requires-Dist` of the entry's metadata whose name begins with one of `families`, as written."""
    content = string(host, f"{site}/{entry}/METADATA", METADATA_AT_MOST)
    if isinstance(content, Unknown):
        return None
    for line in header(content).splitlines():
        name, _, value = line.partition(":")
        if name == "Requires-Dist" and normalised(value.strip()).startswith(families):
            return value.strip()[:200]
    return None


def entry_of(names: tuple[str, ...], project: str) -> str | None:
    """Name of a project's metadata folder."""
    return next((entry for entry in names if (parts := _parts(entry)) and parts[0] == project), None)


def header(content: str) -> str:
    """The fields, without the description behind the first empty line."""
    return content.replace("\r\n", "\n").partition("\n\n")[0]


def normalised(name: str) -> str:
    """PEP 503: runs of `-`, `_`, `.` are one hyphen; lower case."""
    words = name.lower().replace("_", "-").replace(".", "-").split("-")
    return "-".join(word for word in words if word)


def _parts(entry: str) -> tuple[str, str] | None:
    """Name and version of `torch-2.14.0+rocm7.2.dist-info`, `torch-1.13.egg-info`."""
    stem, dot, ending = entry.rpartition(".")
    if not dot or ending not in ("dist-info", "egg-info"):
        return None
    name, hyphen, version = stem.partition("-")
    if ending == "egg-info" and "-py3" in version:
        version = version.partition("-py3")[0]
    return (normalised(name), version) if hyphen and name and version else None


def _read(host: Host, site: str, entry: str, name: str, version: str) -> Distribution:
    """Metadata's own version if it can be read: installers may normalise the folder's."""
    content = string(host, f"{site}/{entry}/METADATA", METADATA_AT_MOST)
    if not isinstance(content, Unknown):
        for line in header(content).splitlines():
            field, _, value = line.partition(":")
            if field == "Version" and value.strip():
                return Distribution(name=name, version=value.strip()[:200])
    return Distribution(name=name, version=version)

"""Which torch build an environment holds, told without importing it."""

from __future__ import annotations

from collections.abc import Sequence

from ..host.model import Host
from .distributions import entry_of, requirement
from .model import Distribution, Torch, TorchLibrary
from .reading import string
from .torch_code import main_targets, torch_libraries
from .value import Fact, Unknown

DEVICE_PREFIXES = ("amd-torch-device-", "rocm-sdk-device-")
"""ROCm 7.14 and later: device code lies in wheels of its own, one a target."""
VARIABLES = ("cuda", "hip", "xpu", "rocm")
EVERY_TARGET = "all"
"""What stands in a target's place in the name of the package that only requires all of them."""
PUBLISHED = (("rocm", "rocm"), ("cuda", "cu"), ("cpu", "cpu"), ("xpu", "xpu"))
"""Backend and how its local label begins."""


def torch_build(
    host: Host,
    site: str,
    names: tuple[str, ...],
    found: list[Distribution],
    arch: Fact[str],
    *,
    chips: Sequence[str] = (),
) -> Torch | None:
    """None where there is no torch. `names`: the folder's listing, `found`: its distributions, `arch`: uname's word,
    `chips`: targets of the GPUs here."""
    version = next((one.version for one in found if one.name == "torch"), None)
    if version is None:
        return None
    said = version_file(string(host, f"{site}/torch/version.py", 1 << 16))
    label = version.partition("+")[2].lower()
    backend, backend_version = _labelled(label, said, site) or _by_companions(said, found) or _compiled(said, site)
    split = _split_targets(backend, backend_version, found)
    label = label or _own_label(said)
    known = _known_targets(version, label, backend, backend_version, arch) if split is None else split
    asked = split is None and _in_question(backend, backend_version, known, chips)
    libraries = torch_libraries(host, site, str(backend)) if asked else ()
    entry = entry_of(names, "torch")
    return Torch(
        version=version,
        backend=backend,
        backend_version=backend_version,
        targets=_targets(backend, known, libraries),
        libraries=libraries,
        requires_triton=requirement(host, site, entry, ("triton", "pytorch-triton")) if entry else None,
    )


def version_file(content: Fact[str]) -> dict[str, str | None] | Unknown:
    """`cuda: Optional[str] = '13.0'` and its like in torch/version.py; a `None` there is None here."""
    if isinstance(content, Unknown):
        return content
    said: dict[str, str | None] = {}
    for line in content.splitlines():
        name, equals, value = line.partition("=")
        word = name.partition(":")[0].strip()
        if equals and word in (*VARIABLES, "__version__"):
            said[word] = _literal(value.strip())
    return said


def _literal(text: str) -> str | None:
    return text[1:-1] if len(text) > 2 and text[0] in "'\"" and text[-1] == text[0] else None


def _own_label(said: dict[str, str | None] | Unknown) -> str:
    """PyPI's wheels bear no label in their name, but do in torch/version.py."""
    version = None if isinstance(said, Unknown) else said.get("__version__")
    return (version or "").partition("+")[2].lower()


def _labelled(label: str, said: dict[str, str | None] | Unknown, site: str) -> tuple[Fact[str], Fact[str]] | None:
    """By the version's local label, i.e. what the wheel was published as."""
    for backend, prefix in PUBLISHED:
        if label.startswith(prefix):
            version = _label_version(backend, label[len(prefix) :])
            return backend, version or _compiled(said, site)[1]
    return None


def _label_version(backend: str, rest: str) -> str | None:
    """`rocm7.2` -> 7.2, `rocm7.2.0.lw.git7e1940d4` -> 7.2.0, `cu130` -> 13.0, `cu92` -> 9.2."""
    if backend == "cuda":
        plain = rest.isdecimal() and rest.isascii() and 2 <= len(rest) <= 4
        return f"{rest[:-1]}.{rest[-1]}" if plain else None
    if backend != "rocm":
        return None
    return ".".join(_numbers(rest)) or None


def _numbers(text: str) -> list[str]:
    """The leading dotted numbers, three at most; of `7.14.0a20260301` they are 7, 14, 0."""
    numbers: list[str] = []
    for part in text.split(".")[:3]:
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not 0 < len(digits) <= 6:
            break
        numbers.append(digits)
        if digits != part:
            break
    return numbers


def _compiled(said: dict[str, str | None] | Unknown, site: str) -> tuple[Fact[str], Fact[str]]:
    """By torch/version.py: what was compiled in. HIP's third number is a build's, not ROCm's."""
    if isinstance(said, Unknown):
        return said, said
    path = f"{site}/torch/version.py"
    for name, backend in (("hip", "rocm"), ("rocm", "rocm"), ("cuda", "cuda"), ("xpu", "xpu")):
        value = said.get(name)
        if value:
            return backend, ".".join(_numbers(value)[:2]) or Unknown("malformed", path, value[:40])
    if "cuda" not in said:
        nothing = Unknown("malformed", path, "no variable `cuda`")
        return nothing, nothing
    return "cpu", Unknown("absent", path, "cpu")


def _by_companions(
    said: dict[str, str | None] | Unknown, found: list[Distribution]
) -> tuple[Fact[str], Fact[str]] | None:
    """Where torch/version.py cannot be read: PyPI's build bears no label, but brings NVIDIA's libraries, the runtime
    of CUDA among them, whose version is CUDA's (12.8.90 of `nvidia-cuda-runtime-cu12` is 12.8)."""
    if not isinstance(said, Unknown):
        return None
    runtime = next((one.version for one in found if one.name.startswith("nvidia-cuda-runtime")), None)
    if runtime is not None:
        return "cuda", ".".join(_numbers(runtime)[:2]) or said
    majors = {one.name.rpartition("-cu")[2] for one in found if one.name.startswith("nvidia-") and "-cu" in one.name}
    major = next((one for one in sorted(majors) if one.isdecimal() and one.isascii() and len(one) == 2), None)
    return None if major is None else ("cuda", f"{major}.0")


def _split_targets(backend: Fact[str], backend_version: Fact[str], found: list[Distribution]) -> Fact[list[str]] | None:
    """Of a build whose device code lies in wheels of its own: those that are installed, perhaps none. None: no such
    build."""
    parts = {
        one.name.removeprefix(prefix) for one in found for prefix in DEVICE_PREFIXES if one.name.startswith(prefix)
    }
    devices = sorted(parts - {EVERY_TARGET})
    if devices or backend != "rocm" or isinstance(backend_version, Unknown):
        return devices or None
    if not is_split(backend_version):
        return None
    return Unknown("absent", "knowledge", "all targets") if parts else []


def is_split(rocm: str) -> bool:
    """AMD's own builds from 7.14 on name three numbers and keep device code apart (TheRock's packaging)."""
    numbers = _numbers(rocm)
    return len(numbers) == 3 and (int(numbers[0]), int(numbers[1])) >= (7, 14)


def _in_question(backend: Fact[str], number: Fact[str], known: Fact[list[str]], chips: Sequence[str]) -> bool:
    """Whether no list describes the build, or its list lacks a GPU here: only then its files are read."""
    if backend not in ("rocm", "cuda"):
        return False
    if isinstance(known, Unknown):
        return True
    from ..knowledge.builds import runs_on

    mine = [one for one in chips if one.startswith("gfx") == (backend == "rocm")]
    version = None if isinstance(number, Unknown) else number
    return any(runs_on(known, one, backend_version=version) == "no" for one in mine)


def _targets(backend: Fact[str], known: Fact[list[str]], libraries: Sequence[TorchLibrary]) -> Fact[list[str]]:
    """What the files hold goes before any list; where neither tells, the nearer reason."""
    if not libraries:
        return known
    found = main_targets(str(backend), libraries)
    if isinstance(found, Unknown) and not (isinstance(known, Unknown) and known.source == "knowledge"):
        return known
    return found


def _known_targets(
    version: str, label: str, backend: Fact[str], backend_version: Fact[str], arch: Fact[str]
) -> Fact[list[str]]:
    """Of PyTorch's own wheels, which bear a plain label; a build of someone else's may hold anything."""
    if isinstance(backend, Unknown):
        return backend
    if backend == "cpu":
        return []
    if isinstance(backend_version, Unknown):
        return backend_version
    if isinstance(arch, Unknown):
        return arch
    from ..knowledge.builds import torch_targets

    plain = label == f"rocm{backend_version}" or label == "cu" + backend_version.replace(".", "")
    known = torch_targets(backend, backend_version, version, arch) if plain else None
    return list(known) if known else Unknown("absent", "knowledge", f"targets of torch {version}"[:200])

"""Which triton an environment holds, and which one its torch asks for."""

from __future__ import annotations

from ..facts.model import Distribution, Environment, Facts
from ..words import Words
from ._builds import rocm_suffix
from ._environments import distribution_evidence, interpreter, torch_evidence
from ._wheels import TRITONS, amd_index, pytorch_index, uninstall
from .model import Evidence, Remedy


def installed(environment: Environment) -> list[Distribution]:
    """Every triton package; they all write into one folder."""
    return [one for one in environment.distributions if one.name in TRITONS]


def for_rocm(one: Distribution) -> bool:
    """Whether it is a ROCm build: by its name, or by the suffix that AMD's own builds carry."""
    return one.name.endswith("-rocm") or rocm_suffix(one.version) is not None


def wanted(environment: Environment) -> tuple[str, str] | None:
    """Name and exact version that torch's metadata requires (`triton==3.5.1; platform_system == "Linux"`); None: not
    known, or not pinned."""
    told = environment.torch.requires_triton if environment.torch else None
    requirement = (told or "").partition(";")[0].replace("(", "").replace(")", "")
    name, pin, version = requirement.partition("==")
    exact = version.strip(" =")
    if not pin or not exact or any(sign in exact for sign in "*,<>!"):
        return None
    return name.strip().lower().replace("_", "-").replace(".", "-"), exact


def unlike(environment: Environment) -> bool:
    """Whether the one triton that is there is not the one that torch requires."""
    asked = wanted(environment)
    here = installed(environment)
    if asked is None or len(here) != 1:
        return False
    name, version = asked
    return here[0].name != name or _bare(here[0].version, version) != version


def _bare(version: str, like: str) -> str:
    """A local suffix counts only where the requirement names one (PEP 440)."""
    return version if "+" in like else version.partition("+")[0]


def proof(facts: Facts, environment: Environment) -> tuple[Evidence, ...]:
    """torch, and each triton."""
    found = (distribution_evidence(facts, environment, one.name, one.version) for one in installed(environment))
    return (torch_evidence(facts, environment), *found)


def names(environment: Environment) -> str:
    """`triton 3.5.0, pytorch-triton-rocm 3.4.0`."""
    return ", ".join(f"{one.name} {one.version}"[:60] for one in installed(environment))


def mend(environment: Environment) -> tuple[Remedy, ...]:
    """Every triton out, then the one that torch wants in."""
    asked = wanted(environment)
    requirement = f"{asked[0]}=={asked[1]}" if asked else _usual(environment)
    argv = ("uv", "pip", "install", "--python", interpreter(environment), "--index-url", _index(environment),
            "--reinstall", requirement)  # fmt: skip
    why = Words("Installs the triton that this torch requires, alone.", "只装这个 torch 所要求的 triton。")
    return (uninstall(environment, TRITONS), Remedy(argv, root=False, why=why))


def _usual(environment: Environment) -> str:
    """torch itself brings its own triton along when it is installed anew."""
    return f"torch=={environment.torch.version}" if environment.torch else "torch"


def _index(environment: Environment) -> str:
    version = environment.torch.version if environment.torch else ""
    suffix = rocm_suffix(version)
    if suffix and suffix.count(".") == 2:
        return amd_index(suffix)
    return pytorch_index(version.partition("+")[2] or "cu130")

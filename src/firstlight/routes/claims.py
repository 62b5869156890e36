"""What a maker says of a build, weighed against what is known: a claim is a claim."""

from __future__ import annotations

from collections.abc import Sequence

from ..facts.model import Facts
from ..knowledge.builds import runs_on, torch_targets
from ..project.model import Backend
from .declared_reasons import claim_contradicted, claims, claims_nothing, claims_others
from .family import backend_of_local
from .gpus import meant
from .model import Because
from .reasons import fact_missing


def claim_stops(
    claimed: Sequence[str], backend: Backend, number: str | None, version: str, facts: Facts
) -> Because | None:
    """Why the claim does not let the route work here; None: it does, as far as GPU code goes. Of a machine without a
    GPU of that vendor nothing is said. `version` is torch's, `number` that of ROCm or CUDA if the build tells it."""
    here = _targets(backend, facts)
    if backend == "cpu" or isinstance(here, Because) or not here:
        return here if isinstance(here, Because) else None
    if not claimed:
        return None if is_known_form(version) else claims_nothing(f"torch {version}")
    if all(runs_on(claimed, target, backend_version=number) == "no" for target in here):
        return claims_others(f"torch {version}", here, claimed)
    arch = facts.arch if isinstance(facts.arch, str) else ""
    known = torch_targets(backend, number or "", version, arch) if is_known_form(version) else None
    if known and all(runs_on(known, target, backend_version=number) == "no" for target in here):
        return claim_contradicted(f"torch {version}", here, known)
    return None


def claim_fits(claimed: Sequence[str], version: str) -> Because:
    """The link to say beside `fits` for a route that works by its maker's word."""
    return claims(f"torch {version}", claimed)


def is_known_form(version: str) -> bool:
    """Whether its version is of the form of PyTorch's or AMD's own builds (`2.14.0+rocm7.2`, `2.14.0+cu130`), of which
    knowledge speaks. Without a local part it is PyTorch's build on the default index."""
    local = version.partition("+")[2]
    backend, number = backend_of_local(local or None)
    return backend is not None and (backend == "cpu" or not local or local in {f"rocm{number}", _cuda(number)})


def _cuda(number: str | None) -> str:
    return f"cu{(number or '').replace('.', '')}"


def _targets(backend: Backend, facts: Facts) -> tuple[str, ...] | Because:
    gpus = [] if backend == "cpu" else meant(backend, facts)
    targets = tuple(dict.fromkeys(gpu.target for gpu in gpus if gpu.target))
    if gpus and not targets:
        return fact_missing("gpus[].target", gpus[0].unknown.get("target", "not known"))
    return targets

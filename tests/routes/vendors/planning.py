"""Plans for recorded machines over the vendors' hosts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from firstlight.facts import Facts, collect
from firstlight.host import open_host
from firstlight.project.load import load
from firstlight.project.model import Project
from firstlight.project.settings import Flags
from firstlight.routes.model import Plan, Route
from firstlight.routes.plan import plan

from .machines import MACHINES
from .server import Vendors

NO_FLAGS = Flags()


def facts_of(machine: str, folder: Path) -> Facts:
    """Of a recorded host, by the name of the machine."""
    place = folder / f"machine-{machine}"
    return collect(open_host(str(place if place.is_dir() else MACHINES[machine](place).save())))


def project_in(
    folder: Path,
    vendors: Vendors,
    *,
    changed: Mapping[str, str] | None = None,
    flags: Flags = NO_FLAGS,
    environ: Mapping[str, str] | None = None,
    settings: str = "",
) -> Project:
    """A project whose sources are the vendors' hosts; `changed`: other addresses by name; `settings`: more of
    firstlight.toml."""
    root = folder / "project"
    root.mkdir(exist_ok=True)
    (root / "firstlight.toml").write_text(settings + vendors.sources(changed))
    return load(str(root), flags, environ={"HOME": str(folder), **(environ or {})}, etc=str(folder))


def planned(
    machine: str,
    folder: Path,
    vendors: Vendors,
    *,
    changed: Mapping[str, str] | None = None,
    flags: Flags = NO_FLAGS,
    environ: Mapping[str, str] | None = None,
    settings: str = "",
) -> Plan:
    project = project_in(folder, vendors, changed=changed, flags=flags, environ=environ, settings=settings)
    return plan(project, facts_of(machine, folder))


def route_of(found: Plan, name: str) -> Route:
    """By its name, or by that of its source."""
    fits = [one for one in found.routes if one.name == name]
    fits += [one for one in found.routes if one.source is not None and one.source.name == name]
    assert fits, f"no route {name}; there are {[one.name for one in found.routes]}"
    return fits[0]


def chosen_of(found: Plan) -> Route:
    assert found.chosen is not None, [(one.name, one.verdict, one.because[:1]) for one in found.routes]
    return next(one for one in found.routes if one.name == found.chosen)


def versions(route: Route) -> dict[str, str]:
    """Of all that the route would install."""
    return {wheel.name: wheel.version for wheel in route.wheels}


def kinds(route: Route) -> list[str]:
    return [link.kind for link in route.because]

"""`firstlight plan` over all routes beside `uv pip compile` of what those routes hold, with warm caches, in one run.

Over the vendors' indices on this machine's loopback (tests/routes/vendors). The bound: at most 1.2 times uv's time plus
0.2 s for all routes together. uv's time is given for the chosen route alone, and for all that work, one after another.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.routes.vendors.machines import MACHINES
from tests.routes.vendors.server import Vendors, serving

from benchmarks.cost import once

BIN = os.path.dirname(sys.executable)
FIRSTLIGHT, UV = os.path.join(BIN, "firstlight"), os.path.join(BIN, "uv")
MEASURED = ("cpu", "gfx1151", "gfx1100-igpu", "sm_90-driver-535")
TIMES, MORE = 1.2, 0.2
SDIST = """[[dependency-metadata]]
name = "rocm"
requires-dist = ["rocm-sdk-core", "rocm-sdk-libraries; extra == 'libraries'"]
provides-extra = ["libraries", "device-all"]
"""
"""uv builds nothing while it plans: what the sdist needs is told."""


class Route(NamedTuple):
    """What uv is asked to resolve: the index, its torch, the targets."""

    name: str
    torch: str
    devices: tuple[str, ...]


class Plan(NamedTuple):
    """What the program answered."""

    chosen: str | None
    routes: int
    works: tuple[Route, ...]


def main() -> None:
    """Print seconds and ratios for each machine. Ends with 1 if a bound is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("machines", nargs="*", default=MEASURED)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving() as vendors:
        rows = {name: measured(name, Path(folder), vendors, options.runs) for name in options.machines}
    print(json.dumps(rows, indent=1))
    if not all(row["within_bound_of_all"] for row in rows.values()):
        raise SystemExit(1)


def measured(machine: str, folder: Path, vendors: Vendors, runs: int) -> dict[str, object]:
    """One machine: the program and uv by turns, so that both meet the same noise."""
    host, root = folder / machine, folder / f"project-{machine}"
    MACHINES[machine](host).save()
    root.mkdir()
    (root / "firstlight.toml").write_text(vendors.sources())
    env = environment(folder)
    argv = [FIRSTLIGHT, "plan", "--host", str(host), "--project", str(root), "--json", "--quiet"]
    plan = planned(argv, env)
    uv = [by_uv(route, machine, folder, vendors) for route in plan.works]
    for command in uv:
        once(command.argv, command.env | env, check=True)
    ours, theirs = [], []
    for _ in range(runs):
        ours.append(once(argv, env).wall)
        theirs.append([once(command.argv, command.env | env, check=True).wall for command in uv])
    return row(plan, ours, theirs)


def row(plan: Plan, ours: Sequence[float], theirs: Sequence[Sequence[float]]) -> dict[str, object]:
    """Medians."""
    mine = statistics.median(ours)
    every = statistics.median(sum(run) for run in theirs)
    at = next((at for at, route in enumerate(plan.works) if route.name == plan.chosen), 0)
    one = statistics.median(run[at] for run in theirs)
    return {
        "routes": plan.routes,
        "resolved": len(plan.works),
        "plan_s": round(mine, 3),
        "uv_chosen_s": round(one, 3),
        "uv_all_s": round(every, 3),
        "ratio_to_all": round(mine / every, 2),
        "within_bound_of_all": mine <= TIMES * every + MORE,
        "within_bound_of_chosen": mine <= TIMES * one + MORE,
    }


class Command(NamedTuple):
    """One run of uv."""

    argv: list[str]
    env: dict[str, str]


def planned(argv: Sequence[str], env: Mapping[str, str]) -> Plan:
    """The answer, which also fills the caches. Ends the benchmark if no route works."""
    done = subprocess.run(argv, capture_output=True, text=True, check=False, env=env)
    if done.returncode:
        raise SystemExit(f"{' '.join(argv)} failed:\n{done.stdout}{done.stderr}")
    answer = json.loads(done.stdout)
    works = [one for one in answer["routes"] if one["verdict"] == "works"]
    return Plan(answer["chosen"], len(answer["routes"]), tuple(route_of(one) for one in works))


def route_of(answer: Mapping[str, object]) -> Route:
    """From the plan's JSON."""
    install, versions = answer["install"], answer["versions"]
    assert isinstance(install, list)
    assert isinstance(versions, dict)
    prefix = "rocm-sdk-device-"
    devices = [one["name"].removeprefix(prefix) for one in install if one["name"].startswith(prefix)]
    split = any(one["name"].startswith("amd-torch-device-") for one in install)
    return Route(str(answer["name"]), str(versions["torch"]), tuple(devices) if split else ())


def by_uv(route: Route, machine: str, folder: Path, vendors: Vendors) -> Command:
    """The same set from the same index."""
    config, wanted = folder / "uv.toml", folder / f"{machine}-{route.name}.txt"
    config.write_text(SDIST)
    extras = ",".join(f"device-{one}" for one in route.devices)
    wanted.write_text(f"torch{f'[{extras}]' if extras else ''}=={route.torch}\n")
    argv = [UV, "pip", "compile", "--quiet", "--config-file", str(config), "--format", "pylock.toml", "--no-header",
            "--no-annotate", "--python", sys.executable, "--only-binary", ":all:", "--no-binary", "rocm",
            "--python-version", "3.10" if machine.startswith("sm_90") else "3.12",
            "--python-platform", "x86_64-manylinux_2_35", str(wanted)]  # fmt: skip
    index = "" if route.name.startswith("pypi") else vendors.url(route.name)
    return Command(argv, {"UV_INDEX": index, "UV_DEFAULT_INDEX": vendors.url("pypi")})


def environment(folder: Path) -> dict[str, str]:
    """Caches of its own, nobody's settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_", "FIRSTLIGHT_"))}
    own = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache"), "UV_CACHE_DIR": str(folder / "uv")}
    return {**kept, **own, "PIP_CONFIG_FILE": os.devnull, "NO_PROXY": "127.0.0.1"}


if __name__ == "__main__":
    main()

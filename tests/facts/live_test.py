"""This machine's facts against what other programs and the standard library say of it."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import statistics
import subprocess
import sysconfig
import time
from pathlib import Path

import pytest

from firstlight.facts import Facts, collect
from firstlight.facts.distributions import FAMILIES, normalised
from firstlight.facts.modprobe import modprobe_rules
from firstlight.facts.packages import packages
from firstlight.facts.value import Unknown
from firstlight.host.live import LiveHost


@pytest.fixture(scope="module")
def facts() -> Facts:
    return collect(LiveHost())


def test_kernel_and_processor_are_unames(facts: Facts) -> None:
    assert facts.kernel.release == os.uname().release
    assert facts.arch == os.uname().machine


def test_memory_is_sysconfs(facts: Facts) -> None:
    assert facts.memory.page_bytes == os.sysconf("SC_PAGE_SIZE")
    assert facts.memory.total_bytes == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def test_ids_are_this_processes(facts: Facts) -> None:
    assert facts.access.uid == os.geteuid()
    assert facts.access.gid == os.getegid()
    assert facts.access.groups == sorted({os.getegid(), *os.getgroups()})


def test_nodes_that_may_be_opened_are_those_that_the_kernel_lets_us_open(facts: Facts) -> None:
    for node in facts.access.nodes:
        if not isinstance(node.can_open, Unknown):
            assert node.can_open == os.access(node.path, os.R_OK | os.W_OK, effective_ids=True), node


def test_distribution_is_the_standard_librarys(facts: Facts) -> None:
    told = platform.freedesktop_os_release()
    assert facts.os.id == told["ID"]
    assert facts.os.pretty_name == told["PRETTY_NAME"]
    assert facts.os.like == told.get("ID_LIKE", "").split()


def test_libc_is_confstrs(facts: Facts) -> None:
    try:
        told = os.confstr("CS_GNU_LIBC_VERSION")
    except (OSError, ValueError):
        pytest.skip("not a GNU C library")
    assert facts.os.libc == told


def test_project_disk_is_statvfs(facts: Facts) -> None:
    disk = next(disk for disk in facts.disks if disk.role == "project")
    assert disk.path == str(Path.cwd())
    assert disk.total_bytes == shutil.disk_usage(disk.path).total


def test_package_versions_are_dpkgs() -> None:
    if not shutil.which("dpkg-query"):
        pytest.skip("no dpkg here")
    argv = ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status} ${Version}\n"]
    listed = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.splitlines()
    told = {name: version for name, state, version in (line.split(" ") for line in listed) if state == "installed"}
    database = packages(LiveHost())
    assert {name: database.version(name) for name in told} == told


def test_modprobe_options_are_kmods() -> None:
    if not shutil.which("modprobe"):
        pytest.skip("no modprobe here")
    done = subprocess.run(["modprobe", "--showconfig"], capture_output=True, text=True, check=False)
    words = [line.split() for line in done.stdout.splitlines() if line.startswith(("options ", "blacklist "))]
    rules = modprobe_rules(LiveHost(), [])
    assert not isinstance(rules.options, Unknown)
    assert not isinstance(rules.blacklisted, Unknown)
    here = {(one.module, f"{one.option}={one.value}") for one in rules.options}
    # kmod also prints `module.option=value` of the kernel command line, which we keep in kernel.cmdline
    booted = Path("/proc/cmdline").read_text(encoding="utf-8").replace("-", "_").split()
    told = {(w[1], option) for w in words if w[0] == "options" for option in w[2:]}
    assert {(module, option) for module, option in told if f"{module}.{option}".replace("-", "_") not in booted} <= here
    assert {w[1].replace("-", "_") for w in words if w[0] == "blacklist"} <= {one.module for one in rules.blacklisted}


def test_distributions_are_importlibs(monkeypatch: pytest.MonkeyPatch) -> None:
    site = sysconfig.get_path("purelib")
    monkeypatch.setenv("VIRTUAL_ENV", str(Path(site).parents[2]))
    found = collect(LiveHost()).python.environments
    told = {
        (normalised(one.name), one.version)
        for one in importlib.metadata.distributions(path=[site])
        if normalised(one.name).startswith(FAMILIES)
    }
    here = next(environment for environment in found if environment.path == site)
    assert here.active
    assert {(one.name, one.version) for one in here.distributions} == told


def test_externally_managed_is_the_marker_of_the_systems_python(facts: Facts) -> None:
    if not Path("/usr/bin/python3").exists():
        pytest.skip("no system Python here")
    system = Path(os.path.realpath("/usr/bin/python3")).name
    assert facts.python.externally_managed is Path(f"/usr/lib/{system}/EXTERNALLY-MANAGED").exists()


def test_collecting_is_quick() -> None:
    """Under 40 ms here, where there is no GPU; the median of some, since other work runs beside it."""
    host = LiveHost()
    collect(host)
    times = []
    for _ in range(9):
        start = time.perf_counter()
        collect(host)
        times.append(time.perf_counter() - start)
    assert statistics.median(times) < 0.04

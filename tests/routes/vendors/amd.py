"""AMD's multi-arch indices: host code in `torch`, device code in wheels of its own.

Shapes: TheRock's packaging (build_tools/packaging/python; the `rocm` sdist asks ROCM_SDK_TARGET_FAMILY before it looks
at the machine), rocm-bootstrap's names of families, the list of files in shared/fixtures/repos/locks, ROCm's install
pages in knowledge/sources.toml. A target's wheel needs torch and the target's libraries; a family's needs torch alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .distribution import SOURCE, Dist

PYTHONS = ("310", "311", "312", "313")
FAMILIES = {
    "gfx1010": "gfx10-1", "gfx1011": "gfx10-1", "gfx1012": "gfx10-1",
    "gfx1030": "gfx10-3", "gfx1031": "gfx10-3", "gfx1032": "gfx10-3", "gfx1033": "gfx10-3", "gfx1034": "gfx10-3",
    "gfx1035": "gfx10-3", "gfx1036": "gfx10-3",
    "gfx1100": "gfx110x", "gfx1101": "gfx110x", "gfx1102": "gfx110x", "gfx1103": "gfx110x",
    "gfx1150": "gfx115x", "gfx1151": "gfx115x", "gfx1152": "gfx115x", "gfx1153": "gfx115x",
    "gfx1200": "gfx12-0", "gfx1201": "gfx12-0",
}  # fmt: skip
WITH_CODE = frozenset({"gfx110x", "gfx115x", "gfx12-0"})
"""Families for which torch has code that all members share: of the others there is no such wheel."""
STABLE = ("gfx908", "gfx90a", "gfx942", "gfx950", *FAMILIES)
NIGHTLY = ("gfx900", "gfx906", "gfx90c", *STABLE)
"""Targets that are built, but not released, are in the dev and nightly streams only."""

DOMAIN = {"2.10.0": ("0.25.0", "2.10.0"), "2.11.0": ("0.26.0", "2.11.0"), "2.12.0": ("0.27.0", "2.11.0"),
          "2.13.0": ("0.28.0", "2.11.0.2"), "2.14.0": ("0.29.0", "2.11.0.3")}  # fmt: skip
TRITON = {"2.10.0": "3.6.0", "2.11.0": "3.6.0", "2.12.0": "3.7.0", "2.13.0": "3.7.1", "2.14.0": "3.8.0"}
LINE_7 = {"7.14.0": ("2.10.0", "2.11.0", "2.12.0"), "7.14.1": ("2.10.0", "2.11.0", "2.12.0")}
LINE_10 = {"10.0.0": ("2.11.0", "2.12.0", "2.13.0"), "10.1.0": ("2.12.0", "2.13.0", "2.14.0")}
LINE_NIGHTLY = {"10.2.0a20260918": ("2.14.0",)}
DATES = {"7.14.0": "2026-07-15", "7.14.1": "2026-09-02", "10.0.0": "2026-08-26", "10.1.0": "2026-10-05"}

BASE = ("filelock", "typing-extensions>=4.10.0", "setuptools; python_version >= '3.12'", "sympy>=1.13.3",
        "networkx>=2.5.1", "jinja2", "fsspec>=0.8.5")  # fmt: skip

SETUP = '''"""The `rocm` meta package: which device wheels it asks for is decided where it is built."""

import os
import subprocess
from pathlib import Path

from setuptools import find_packages, setup

VERSION = {version!r}
TARGETS = {targets!r}


def target() -> str:
    named = os.environ.get("ROCM_SDK_TARGET_FAMILY")
    if named is None:
        try:
            named = subprocess.check_output(["offload-arch"], text=True).split()[0]
        except (OSError, subprocess.CalledProcessError, IndexError):
            named = TARGETS[0]
    if named not in TARGETS:
        raise ValueError(f"ROCM_SDK_TARGET_FAMILY={{named}} is not one of {{TARGETS}}")
    return named


TARGET = target()
Path("src/rocm_sdk/_target.py").write_text(f"TARGET = {{TARGET!r}}\\n")
devices = {{f"device-{{one}}": [f"rocm-sdk-device-{{one}}=={{VERSION}}"] for one in TARGETS}}
setup(
    name="rocm",
    version={public!r},
    package_dir={{"": "src"}},
    packages=find_packages(where="src"),
    entry_points={{"console_scripts": ["rocm-sdk = rocm_sdk.__main__:main"]}},
    install_requires=[f"rocm-sdk-core=={{VERSION}}"],
    extras_require={{
        "libraries": [f"rocm-sdk-libraries=={{VERSION}}"],
        "devel": [f"rocm-sdk-devel=={{VERSION}}"],
        "device": [f"rocm-sdk-device-{{TARGET}}=={{VERSION}}"],
        "device-all": [one for each in devices.values() for one in each],
        **devices,
    }},
)
'''


def index(line: Mapping[str, tuple[str, ...]], targets: tuple[str, ...] = STABLE) -> tuple[Dist, ...]:
    """All of one line of releases, each with the versions of torch that AMD built for it."""
    found = [Dist(name="rocm-bootstrap", version="0.3.0")]
    for rocm, versions in line.items():
        found += rocm_sdk(rocm, targets)
        for torch in versions:
            found += torch_with_devices(torch, rocm, targets)
    return tuple({one.filename: one for one in found}.values())


def rocm_sdk(rocm: str, targets: tuple[str, ...] = STABLE, sdist: str | None = None) -> Iterator[Dist]:
    """The sdist, and the libraries as wheels. `sdist`: its version, where that was published anew."""
    linux = "py3-none-linux_x86_64"
    devices = {one: f"rocm-sdk-device-{one}=={rocm}" for one in targets}
    extras = [f"rocm-sdk-libraries=={rocm}; extra == 'libraries'", f"rocm-sdk-devel=={rocm}; extra == 'devel'"]
    extras += [f"{devices[targets[0]]}; extra == 'device'"]
    extras += [f"{need}; extra == 'device-all'" for need in devices.values()]
    extras += [f"{need}; extra == 'device-{one}'" for one, need in devices.items()]
    yield Dist(
        name="rocm", version=sdist or rocm, tag=SOURCE, requires=(f"rocm-sdk-core=={rocm}", *extras),
        extras=("libraries", "devel", "device", "device-all", *(f"device-{one}" for one in targets)),
        files=(
            ("setup.py", SETUP.format(version=rocm, public=sdist or rocm, targets=targets)),
            ("src/rocm_sdk/__init__.py", f"__version__ = {rocm!r}\n"),
            ("src/rocm_sdk/__main__.py", "def main() -> None:\n    print('rocm-sdk')\n"),
        ),
        uploaded=_date(rocm),
    )  # fmt: skip
    yield Dist(name="rocm-sdk-core", version=rocm, tag=linux, uploaded=_date(rocm))
    yield Dist(name="rocm-sdk-libraries", version=rocm, tag=linux, requires=(f"rocm-sdk-core=={rocm}",),
               uploaded=_date(rocm))  # fmt: skip
    yield Dist(name="rocm-sdk-devel", version=rocm, tag=linux, requires=(f"rocm-sdk-core=={rocm}",),
               uploaded=_date(rocm))  # fmt: skip
    for one in targets:
        yield Dist(name=f"rocm-sdk-device-{one}", version=rocm, tag=linux, uploaded=_date(rocm),
                   requires=(f"rocm-sdk-libraries=={rocm}",))  # fmt: skip


def torch_with_devices(torch: str, rocm: str, targets: tuple[str, ...]) -> Iterator[Dist]:
    """torch, torchvision, torchaudio, triton of one build, and the wheels with their device code."""
    local = f"+rocm{rocm}"
    vision, audio = DOMAIN[torch]
    triton = f"{TRITON[torch]}+git0263a6a6.rocm{rocm}" if "a" in rocm else f"{TRITON[torch]}{local}"
    for tag in (f"cp{python}-cp{python}-linux_x86_64" for python in PYTHONS):
        needs = (*BASE, "rocm-bootstrap", f"rocm[libraries]=={rocm}", f"triton=={triton}")
        devices = _device_extras("amd-torch-device", f"{torch}{local}", targets)
        yield _host("torch", f"{torch}{local}", tag, (*needs, *devices), targets)
        devices = _targets_only("amd-torchvision-device", f"{vision}{local}", targets)
        yield _host("torchvision", f"{vision}{local}", tag, ("numpy", "pillow", f"torch=={torch}{local}", *devices),
                    targets)  # fmt: skip
        yield Dist(name="torchaudio", version=f"{audio}{local}", tag=tag, requires=("torch",), uploaded=_date(rocm))
        yield Dist(name="triton", version=triton, tag=tag, uploaded=_date(rocm))
        for one in targets:
            yield Dist(name=f"amd-torch-device-{one}", version=f"{torch}{local}", tag=tag, uploaded=_date(rocm),
                       requires=(f"torch=={torch}{local}", f"rocm-sdk-device-{one}=={rocm}"),
                       files=((f"torch/.kpack/{one}.kpack", one),))  # fmt: skip
            yield Dist(
                name=f"amd-torchvision-device-{one}",
                version=f"{vision}{local}",
                tag=tag,
                uploaded=_date(rocm),
                requires=(f"torchvision=={vision}{local}",),
                files=((f"torchvision/.kpack/{one}.kpack", one),),
            )
        for one in sorted({_family(target) for target in targets} - {""}):
            yield Dist(name=f"amd-torch-device-{one}", version=f"{torch}{local}", tag=tag, uploaded=_date(rocm),
                       requires=(f"torch=={torch}{local}",),
                       files=((f"torch/.kpack/{one}.kpack", one),))  # fmt: skip


def _host(name: str, version: str, tag: str, requires: tuple[str, ...], targets: tuple[str, ...]) -> Dist:
    rocm = version.partition("+rocm")[2]
    told = f"__version__ = {version!r}\ncuda: str | None = None\nhip: str | None = {rocm!r}\n"
    files = ((f"{name}/__init__.py", "from .version import __version__\n"), (f"{name}/version.py", told))
    extras = ("device-all", *(f"device-{one}" for one in targets))
    return Dist(name=name, version=version, tag=tag, requires=requires, extras=extras, files=files,
                uploaded=_date(rocm))  # fmt: skip


def _device_extras(prefix: str, version: str, targets: tuple[str, ...]) -> Iterator[str]:
    """Of one target its own wheel and, where there is one, the family's."""
    yield from _targets_only(prefix, version, targets)
    for one in targets:
        if family := _family(one):
            yield f"{prefix}-{family}=={version}; extra == 'device-{one}'"
    for family in sorted({_family(one) for one in targets} - {""}):
        yield f"{prefix}-{family}=={version}; extra == 'device-all'"


def _targets_only(prefix: str, version: str, targets: tuple[str, ...]) -> Iterator[str]:
    for one in targets:
        yield f"{prefix}-{one}=={version}; extra == 'device-{one}'"
        yield f"{prefix}-{one}=={version}; extra == 'device-all'"


def _family(target: str) -> str:
    family = FAMILIES.get(target, "")
    return family if family in WITH_CODE else ""


def _date(rocm: str) -> str:
    return f"{DATES.get(rocm, '2026-09-18')}T00:00:00Z"

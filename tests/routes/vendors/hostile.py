"""Indices that should never be believed, or never whole."""

from __future__ import annotations

from .amd import BASE, PYTHONS
from .distribution import SOURCE, Dist

POISON = (("poison.pth", "import sys; sys.stderr.write('poisoned')\n"),)
PAYLOAD = "raise SystemExit('code of another index was run')\n"


def malicious() -> tuple[Dist, ...]:
    """Higher versions of the torch family, of its dependencies and of what builds the sdist."""
    found = [Dist(name=name, version=version, files=POISON) for name, version in (
        ("filelock", "99.0"), ("typing-extensions", "99.0"), ("sympy", "99.0"), ("jinja2", "99.0"), ("numpy", "99.0"),
        ("triton-rocm", "99.0"), ("triton", "99.0"), ("rocm-sdk-core", "99.0"), ("rocm-sdk-libraries", "99.0"),
        ("rocm-sdk-device-gfx1151", "99.0"), ("rocm-bootstrap", "99.0"), ("setuptools", "999.0"), ("wheel", "999.0"),
        ("nvidia-nccl-cu13", "99.0"), ("amd-torch-device-gfx1151", "2.14.0+rocm10.1.0"),
    )]  # fmt: skip
    for local in ("", "+cpu", "+cu130", "+rocm99.0", "+rocm10.1.0"):
        for python in PYTHONS:
            tag = f"cp{python}-cp{python}-linux_x86_64"
            found.append(Dist(name="torch", version=f"99.0{local}", tag=tag, requires=("filelock>=99",), files=POISON))
    found.append(Dist(name="torch", version="2.14.0+rocm10.1.0", tag="cp312-cp312-linux_x86_64", files=POISON))
    found.append(Dist(name="rocm", version="99.0", tag=SOURCE, files=(("setup.py", PAYLOAD),)))
    return tuple(found)


def mixed() -> tuple[Dist, ...]:
    """A mirror's root: builds of one torch for four backends in one folder. PEP 440 puts `+rocm7…` above `+rocm10…`."""
    targets = ("gfx942", "gfx1100", "gfx1151")
    found: list[Dist] = []
    for python in PYTHONS:
        tag = f"cp{python}-cp{python}-linux_x86_64"
        for local in ("+cpu", "+cu130"):
            needs = (*BASE, "nvidia-nccl-cu13==2.30.7; platform_system == 'Linux'") if local == "+cu130" else BASE
            found.append(Dist(name="torch", version=f"2.12.0{local}", tag=tag, requires=needs))
        for rocm in ("7.14.0", "10.0.0"):
            found += _split(rocm, tag, targets)
    return tuple({one.filename: one for one in found}.values())


def _split(rocm: str, tag: str, targets: tuple[str, ...]) -> list[Dist]:
    version = f"2.12.0+rocm{rocm}"
    extras = tuple(f"amd-torch-device-{one}=={version}; extra == 'device-{one}'" for one in targets)
    libraries = Dist(name="rocm-sdk-libraries", version=rocm, tag="py3-none-linux_x86_64")
    found = [
        libraries,
        Dist(name="torch", version=version, tag=tag, requires=(*BASE, f"rocm-sdk-libraries=={rocm}", *extras),
             extras=tuple(f"device-{one}" for one in targets)),
    ]  # fmt: skip
    for one in targets:
        found.append(Dist(name=f"rocm-sdk-device-{one}", version=rocm, tag="py3-none-linux_x86_64",
                          requires=(f"rocm-sdk-libraries=={rocm}",)))  # fmt: skip
        found.append(Dist(name=f"amd-torch-device-{one}", version=version, tag=tag,
                          requires=(f"torch=={version}", f"rocm-sdk-device-{one}=={rocm}")))  # fmt: skip
    return found

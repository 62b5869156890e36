"""Python environments: folders of packages, and what they hold for GPUs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..host.model import Host, Unread
from .distributions import distributions
from .interpreters import pyvenv_version, real_path
from .model import Environment, Interpreter
from .reading import names_in
from .torch_build import torch_build
from .value import Fact, Record, Unknown

SITES_AT_MOST = 256
ROCM_LIBRARIES = ("libamdhip64", "libhsa-runtime64", "librocblas", "libhipblas", "libMIOpen", "librccl", "libhiprtc",
                  "libamd_comgr", "librocm", "libhipfft", "librocsolver", "librocsparse", "libhipsparse")  # fmt: skip


class Site(Record, frozen=True, kw_only=True):
    """One folder of packages."""

    path: str
    python: Fact[str]
    active: bool


def environments(
    host: Host, project: str | None, found: list[Interpreter], arch: Fact[str], *, chips: Sequence[str] = ()
) -> list[Environment]:
    """Environments with torch, and those that are active: VIRTUAL_ENV or CONDA_PREFIX and the project's own; without
    any of these, what PATH's first Python would import from. Each real folder once. `chips`: targets of the GPUs."""
    result: dict[str, Environment] = {}
    for site in _sites(host, project, found)[:SITES_AT_MOST]:
        end = host.resolve(site.path)
        names = host.names(site.path)
        if isinstance(end, Unread) or isinstance(names, Unread) or end in result:
            continue
        environment = _environment(host, site, names, arch, chips)
        if environment.torch or site.active:
            result[end] = environment
    return list(result.values())


def _environment(host: Host, site: Site, names: tuple[str, ...], arch: Fact[str], chips: Sequence[str]) -> Environment:
    here = distributions(host, site.path, names)
    return Environment(
        path=site.path,
        python=site.python,
        active=site.active,
        torch=torch_build(host, site.path, names, here, arch, chips=chips),
        distributions=here,
        libraries=_libraries(host, site.path, names),
    )


def _libraries(host: Host, site: str, names: tuple[str, ...]) -> list[str]:
    folders = [name for name in names if name.startswith("_rocm_sdk_")]
    listed = [name for folder in ("torch", *folders) for name in names_in(host, f"{site}/{folder}/lib")]
    return sorted({name for name in listed if name.startswith(ROCM_LIBRARIES) and ".so" in name})


def _sites(host: Host, project: str | None, found: list[Interpreter]) -> list[Site]:
    answer = host.environment()
    variables: Mapping[str, str] = {} if isinstance(answer, Unread) else answer
    chosen = variables.get("VIRTUAL_ENV") or variables.get("CONDA_PREFIX")
    prefixes = [chosen] if chosen and chosen.startswith("/") else []
    prefixes += [f"{project}/.firstlight/env", f"{project}/.venv"] if project else []
    active = [site for prefix in prefixes for site in _of_prefix(host, prefix, active=True)]
    others: list[Site] = []
    for index, interpreter in enumerate(found):
        others += _of_interpreter(host, interpreter, variables, active=not active and index == 0)
    return active + others


def _of_prefix(host: Host, prefix: str, *, active: bool) -> list[Site]:
    """PREFIX/lib/pythonX.Y/site-packages (and the free-threaded build's `pythonX.Yt`)."""
    prefix = prefix.rstrip("/")
    told = pyvenv_version(host, prefix)
    names = [name for name in names_in(host, f"{prefix}/lib") if name.startswith("python3.")]
    found = []
    for name in names[:16]:
        version = name.removeprefix("python").rstrip("t")
        if told in (None, version):
            found.append(Site(path=f"{prefix}/lib/{name}/site-packages", python=version, active=active))
    return found


def _of_interpreter(host: Host, interpreter: Interpreter, variables: Mapping[str, str], *, active: bool) -> list[Site]:
    """Where an interpreter imports from: its environment; or the user's folder, the local ones, the distribution's."""
    folder = interpreter.path.rpartition("/")[0]
    prefix = folder.rpartition("/")[0]
    if pyvenv_version(host, prefix):
        return _of_prefix(host, prefix, active=active)
    end = real_path(host, interpreter)
    version = interpreter.version
    if end is None or isinstance(version, Unknown):
        return []
    home = end.rpartition("/bin/")[0]
    home = "/usr" if home in ("", "/usr") else home
    folders = [f"{home}/lib/python{version}/site-packages", f"{home}/lib64/python{version}/site-packages"]
    if home == "/usr":
        folders += [f"/usr/local/lib/python{version}/dist-packages", "/usr/lib/python3/dist-packages"]
    user = variables.get("HOME", "")
    if user.startswith("/"):
        folders.insert(0, f"{user.rstrip('/')}/.local/lib/python{version}/site-packages")
    return [Site(path=path, python=version, active=active) for path in folders]

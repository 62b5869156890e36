"""Drives uv: resolves, makes environments, installs. The only place that knows its command line."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Mapping, Sequence
from urllib.parse import quote

import msgspec

from ..errors import CannotTell
from ..host.model import Outcome
from ..project.model import Goal, Source, Sources
from ..project.urls import local_path, without_credentials
from ..words import Words, same
from .family import is_family
from .interpreters import Interpreter, tags
from .model import Because, Wheel
from .platforms import uv_platform
from .pylock import wheels_of
from .reasons import no_temporary_folder
from .refusals import LOG, refusal
from .uv_project import page_of, project_text, requirements_of
from .wheelhouse import HeldWheel, is_build, wheels_in

PLAN_SECONDS = 120.0
"""Longest wait for one resolution. Metadata of a few dozen packages is fetched, no wheel."""
INSTALL_SECONDS = 3600.0
HTTP_SECONDS = "10"
"""A host that does not answer for so long is unreachable, while planning."""
ROUNDS = 4
"""Resolutions of one route at most: each may show further names that must come from its own index."""
KEPT = ("UV_CACHE_DIR", "UV_LINK_MODE", "UV_NO_CACHE", "UV_CONCURRENT_DOWNLOADS", "UV_CONCURRENT_INSTALLS",
        "UV_KEYRING_PROVIDER", "UV_HTTP_TIMEOUT", "UV_HTTP_RETRIES", "UV_SYSTEM_CERTS", "UV_NATIVE_TLS",
        "UV_INSECURE_HOST")  # fmt: skip
"""uv's variables that say how, not what. What to take is said by us, so that there is one precedence."""


_ONE = threading.Lock()


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One resolution."""

    goal: Goal
    sources: Sources
    location: str
    """The route's own index; a folder or page of wheels if `flat`."""
    flat: bool
    name: str
    """Name of the route's source."""
    python: Interpreter
    arch: str
    libc: str
    foreign: bool
    """For another machine: no interpreter of it can be run here."""
    held: tuple[HeldWheel, ...] | None = None
    """If set, only these of the folder may be seen."""


class Refused(msgspec.Struct, frozen=True):
    """uv's no, as a chain of reasons."""

    because: tuple[Because, ...]


def solve(request: Request) -> tuple[Wheel, ...] | Refused:
    """Every wheel of the environment, with hashes, nothing built or installed. The torch family is looked up in the
    route's own index only and every other name never there (dependency confusion)."""
    try:
        with tempfile.TemporaryDirectory(prefix="firstlight-") as folder:
            return _rounds(request, folder)
    except OSError as error:
        return Refused((no_temporary_folder(error.strerror or str(error)),))


def _rounds(request: Request, folder: str) -> tuple[Wheel, ...] | Refused:
    family = ["torch"]
    answer = _round(request, folder, family)
    for _ in range(ROUNDS - 1):
        further = _further(answer, family)
        if not further:
            break
        family += further
        answer = _round(request, folder, family)
    return answer


def _further(answer: tuple[Wheel, ...] | Refused, family: Sequence[str]) -> list[str]:
    """Names of the family that this round looked up elsewhere."""
    if isinstance(answer, Refused):
        words = " ".join(link.text.en for link in answer.because if link.kind == "resolver")
        names = [word.strip("`,.()") for word in words.replace("=", " ").replace("<", " ").replace(">", " ").split()]
    else:
        names = [wheel.name for wheel in answer]
    return [name for name in dict.fromkeys(names) if is_family(name) and name not in family]


def _round(request: Request, folder: str, family: Sequence[str]) -> tuple[Wheel, ...] | Refused:
    # under no-index there is no second place in which a name could be confused: all comes from find-links
    alone = request.sources.no_index
    location = _location(request, folder, alone=alone)
    requirements = requirements_of(request.goal.torch, request.goal.packages, family)
    project, output = os.path.join(folder, "pyproject.toml"), os.path.join(folder, "pylock.toml")
    # the installer's own default index has no address that we could name: it is then the only index, for all names
    default = not location
    sourced = [] if alone or default else family
    sources = msgspec.structs.replace(request.sources, default_indices=_for_the_rest(request))
    _write(project, project_text(requirements, sourced, location, flat=request.flat, python=request.python.version))
    links = [location] if alone else []
    outcome = uv(_compile(request, project, output), sources, PLAN_SECONDS, links=links, planning=True)
    if outcome.code != 0:
        return Refused(refusal(outcome.stderr, request.name, timed_out=outcome.timed_out))
    with open(output, encoding="utf-8") as file:
        found = file.read()
    wheels = wheels_of(found, tags(request.python.version, request.arch, request.libc), _names(request, location))
    return tuple(msgspec.structs.replace(one, source=request.name) if one.name in sourced else one for one in wheels)


def _for_the_rest(request: Request) -> tuple[Source, ...]:
    """Indices for all names but the torch family: the main one, and of the extra ones those that are not the route's
    own, so that no name is looked up in both. Where the route's own is the unnamed default, that one alone."""
    *extra, main = request.sources.default_indices or (None,)
    kept = [one for one in extra if one is not None and one.url != request.location and request.location]
    return (*kept, *([main] if main else []))


def _location(request: Request, folder: str, *, alone: bool) -> str:
    """The route's index; of a folder that may not be seen whole, or that is not the only one, a page of its links."""
    own = local_path(request.location) if request.flat else None
    if own is None:
        return request.location
    if request.held is None and not alone:
        return f"file://{quote(own)}"
    paths = [one.path for one in request.held or ()]
    if alone:
        paths += [path for path in wheels_in(own) if request.held is None or not is_build(path)]
        paths += [path for house in request.sources.wheelhouses for path in wheels_in(house.url) if not is_build(path)]
    page = os.path.join(folder, "wheels.html")
    _write(page, page_of(list(dict.fromkeys(paths))))
    return f"file://{page}"


def _names(request: Request, location: str) -> dict[str, str]:
    places = (*request.sources.default_indices, *request.sources.wheelhouses)
    found = {without_credentials(source.url): source.name for source in places}
    default = request.sources.default_indices[-1].name if request.sources.default_indices else request.name
    return {**found, "": default, location: request.name, without_credentials(request.location): request.name}


def _compile(request: Request, project: str, output: str) -> list[str]:
    argv = ["pip", "compile", "--quiet", "--no-build", "--no-header", "--no-annotate", "--format", "pylock.toml",
            "--output-file", output]  # fmt: skip
    if request.foreign:
        platform = uv_platform(request.arch, request.libc)
        argv += ["--python-version", request.python.version, *(["--python-platform", platform] if platform else [])]
    if request.sources.no_index:
        argv += ["--no-index"]
    for path in request.sources.constraints:
        argv += ["--constraint", path]
    return [*argv, "--python", _runnable(request), project]


def _runnable(request: Request) -> str:
    """Naming one spares uv a search over PATH, where each shim costs a second."""
    import sys

    return sys.executable if request.foreign or request.python.path is None else request.python.path


def make_environment(python: str, folder: str, sources: Sources) -> Outcome:
    """An empty virtual environment of exactly this interpreter, in a folder that may be there already."""
    argv = ["venv", "--quiet", "--no-project", "--clear", "--python", python, folder]
    return uv(argv, sources, 120.0)


def install(python: str, pylock: str, sources: Sources, *, offline: bool) -> Outcome:
    """Make the environment of `python` hold what `pylock` names, each file checked against its hash."""
    argv = [
        "pip",
        "sync",
        "--quiet",
        "--no-build",
        "--require-hashes",
        "--preview-features",
        "pylock",
        "--python",
        python,
        pylock,
    ]
    # all is named by its URL, so an index only lends its credentials here
    every = tuple(one for one in (*sources.torch_indices, *sources.default_indices) if one.kind == "index")
    lent = msgspec.structs.replace(sources, default_indices=every)
    return uv([*argv, *(["--offline"] if offline else [])], lent, INSTALL_SECONDS)


def uv(
    argv: Sequence[str], sources: Sources, timeout: float, *, links: Sequence[str] = (), planning: bool = False
) -> Outcome:
    """Run uv. Its own configuration files are left out: what they say came in through the project's sources."""
    from ..host.command import clean_environment, run

    offline = ["--offline"] if sources.offline and "--offline" not in argv and argv[0] != "venv" else []
    command = [_binary(), *argv, *offline, "--no-config", "--no-progress", "--color", "never", "--no-python-downloads"]
    return run(command, timeout=timeout, env=environment(sources, links, clean_environment(), planning=planning))


def _binary() -> str:
    """One thread at a time: CPython's sysconfig fills its table of variables without a lock (3.10 to 3.13)."""
    from uv import find_uv_bin

    try:
        with _ONE:
            return os.fspath(find_uv_bin())
    except FileNotFoundError as error:
        raise CannotTell(
            Words("uv, which resolves and installs, is not here", "缺少负责解析与安装的 uv"),
            why=same(str(error).splitlines()[0] if str(error) else "find_uv_bin"),
            next=Words("`python -m pip install -U uv` into the environment of firstlight",
                       "请在 firstlight 所在环境中执行 `python -m pip install -U uv`"),
        ) from error  # fmt: skip


def _is_credential(name: str) -> bool:
    """Of a named index. UV_INDEX_URL and UV_INDEX_STRATEGY look like it and would undo what we decided."""
    return name.startswith("UV_INDEX_") and name.endswith(("_USERNAME", "_PASSWORD"))


def environment(
    sources: Sources, links: Sequence[str], environ: Mapping[str, str], *, planning: bool
) -> dict[str, str]:
    """Variables for uv. Indices go here rather than into the arguments: their URLs may hold credentials, and
    arguments can be read by every user of the machine."""
    kept = {
        name: value for name, value in environ.items()
        if (not name.startswith("UV_") or name in KEPT or _is_credential(name))
        and name not in ("VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONHOME", "PYTHONPATH")
    }  # fmt: skip
    urls = [one.url for one in sources.default_indices]
    said = {
        "UV_DEFAULT_INDEX": urls[-1] if urls else "",
        "UV_INDEX": " ".join(urls[:-1]),
        "UV_FIND_LINKS": ",".join(links),
        "UV_INSECURE_HOST": " ".join(sources.trusted_hosts),
        "SSL_CERT_FILE": sources.cert or "",
        "SSL_CLIENT_CERT": sources.client_cert or "",
    }
    proxy = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), sources.proxy or "")
    fast = {"UV_HTTP_RETRIES": "0", "UV_HTTP_TIMEOUT": HTTP_SECONDS, "RUST_LOG": LOG} if planning else {}
    return {**kept, **{name: value for name, value in {**said, **proxy}.items() if value}, **fast}


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)

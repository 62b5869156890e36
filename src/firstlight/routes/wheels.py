"""Drives uv: resolves, makes environments, installs. The only place that knows its command line."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from urllib.parse import quote

import msgspec

from ..catalog.model import Metadata
from ..errors import CannotTell
from ..host.model import Outcome
from ..project.model import Source, Sources
from ..project.urls import local_path, without_credentials
from ..words import Words, same
from .interpreters import Interpreter, tags
from .model import Because, Wheel
from .platforms import uv_platform
from .pylock import named, wheels_of
from .refusals import LOG, refusal
from .uv_project import page_of, project_text, requirements_of
from .wheelhouse import HeldWheel, is_build, wheels_in

PLAN_SECONDS = 120.0
"""Longest wait for one resolution. Metadata of a few dozen packages is fetched, no wheel."""
INSTALL_SECONDS = 86_400.0
"""Gigabytes over a slow line take hours; uv itself gives up where nothing comes any more."""
HTTP_SECONDS = "10"
"""A host that does not answer for so long is unreachable, while planning."""
KEPT = ("UV_CACHE_DIR", "UV_LINK_MODE", "UV_NO_CACHE", "UV_CONCURRENT_DOWNLOADS", "UV_CONCURRENT_INSTALLS",
        "UV_KEYRING_PROVIDER", "UV_HTTP_TIMEOUT", "UV_HTTP_RETRIES", "UV_SYSTEM_CERTS", "UV_NATIVE_TLS",
        "UV_INSECURE_HOST")  # fmt: skip
"""uv's variables that say how, not what. What to take is said by us, so that there is one precedence."""


NOTHING: Mapping[str, str] = MappingProxyType({})

NO_PLACES: Mapping[str, Source] = MappingProxyType({})

_ONE = threading.Lock()


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One resolution."""

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
    torch: str
    """Requirement of torch."""
    packages: tuple[str, ...]
    """The user's requirements."""
    names: tuple[str, ...] = ()
    """Further requirements that must come from the route's own index."""
    sdists: tuple[Metadata, ...] = ()
    """Of packages that the index publishes as sdists only."""
    constraints: tuple[str, ...] = ()
    """Requirements that limit versions; where files come from is not theirs to say."""
    local_first: bool = False
    """The main index cannot be reached: the user's further indices on this disk are asked before it."""
    hashes: bool = True
    """False: the index states none for some files, and uv would fetch each of them whole to take it. The answer then
    has files without a hash, sizes or addresses: only names and versions."""


class Refused(msgspec.Struct, frozen=True):
    """uv's no, as a chain of reasons."""

    because: tuple[Because, ...]


def resolve(
    request: Request, folder: str, family: Sequence[str], elsewhere: Mapping[str, Source]
) -> tuple[Wheel, ...] | Refused:
    """One run of uv: every wheel of the environment with its hash, nothing built or installed. `family`: requirements
    that the route's own index alone serves; `elsewhere`: for each name that the main index lacks, the one that is
    asked for it instead. `folder` takes what uv reads and writes."""
    # under no-index there is no second place in which a name could be confused: all comes from find-links
    alone = request.sources.no_index
    location = _location(request, folder, alone=alone)
    requirements = [*requirements_of(request.torch, request.packages, family), *elsewhere]
    project, output = os.path.join(folder, "pyproject.toml"), os.path.join(folder, "pylock.toml")
    if not request.hashes:
        output = os.path.join(folder, "answer.txt")
    # the installer's own default index has no address that we could name: it is then the only index, for all names
    sourced = [] if alone or not location else [bare(one) for one in family]
    text = project_text(
        requirements, sourced, location, flat=request.flat, python=request.python.version, sdists=request.sdists,
        elsewhere=elsewhere,
    )  # fmt: skip
    write_text(project, text)
    links = [location] if alone else []
    outcome = uv(_compile(request, project, output), rest(request), PLAN_SECONDS, links=links, planning=True)
    if outcome.code != 0:
        return Refused(refusal(outcome.stderr, request.name, timed_out=outcome.timed_out))
    with open(output, encoding="utf-8") as file:
        found = file.read()
    if not request.hashes:
        return tuple(_from(elsewhere.get(one.name), one) for one in named(found, request.name))
    wheels = wheels_of(found, tags(request.python.version, request.arch, request.libc), _names(request, location))
    return tuple(msgspec.structs.replace(one, source=request.name) if one.name in sourced else one for one in wheels)


def _from(source: Source | None, wheel: Wheel) -> Wheel:
    return msgspec.structs.replace(wheel, source=source.name) if source else wheel


def exactly(
    requirements: Sequence[str],
    request: Request,
    folder: str,
    elsewhere: Mapping[str, Source] = NO_PLACES,
    *,
    deep: bool = False,
) -> tuple[Wheel, ...] | Refused:
    """The files of just these, and with `deep` of what they need, from where all but the torch family comes from."""
    asked, output = os.path.join(folder, "pyproject.toml"), os.path.join(folder, "pylock.exactly.toml")
    text = project_text(requirements, [], "", flat=False, python=request.python.version, elsewhere=elsewhere)
    write_text(asked, text)
    argv = _compile(msgspec.structs.replace(request, hashes=True, sdists=()), asked, output)
    outcome = uv([*argv, *([] if deep else ["--no-deps"])], rest(request), PLAN_SECONDS, planning=True)
    if outcome.code != 0:
        return Refused(refusal(outcome.stderr, request.name, timed_out=outcome.timed_out))
    with open(output, encoding="utf-8") as file:
        found = file.read()
    return wheels_of(found, tags(request.python.version, request.arch, request.libc), _names(request, request.location))


def bare(requirement: str) -> str:
    """Its name."""
    return requirement.partition("[")[0]


def rest(request: Request) -> Sources:
    """Where all but the torch family comes from: the main index alone. A name that it has is looked up nowhere else, so
    that no other index can offer a newer one (dependency confusion)."""
    extra = extras_of(request) if request.local_first else ()
    return msgspec.structs.replace(request.sources, default_indices=(*extra, *request.sources.default_indices[-1:]))


def extras_of(request: Request) -> tuple[Source, ...]:
    """The user's further indices on this disk, but the route's own."""
    further = [one for one in request.sources.default_indices[:-1] if one.url != request.location]
    return tuple(one for one in further if local_path(one.url) is not None)


def main_of(request: Request) -> Source | None:
    """The main index; None under no-index."""
    return next(iter(request.sources.default_indices[-1:]), None)


def further_of(request: Request) -> tuple[Source, ...]:
    """Places of the user that are asked for what the main index does not have."""
    return (*request.sources.default_indices[:-1], *request.sources.further, *request.sources.wheelhouses)


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
    write_text(page, page_of(list(dict.fromkeys(paths))))
    return f"file://{page}"


def _names(request: Request, location: str) -> dict[str, str]:
    places = (*request.sources.default_indices, *request.sources.further, *request.sources.wheelhouses)
    found = {without_credentials(source.url): source.name for source in places}
    default = request.sources.default_indices[-1].name if request.sources.default_indices else request.name
    return {**found, "": default, location: request.name, without_credentials(request.location): request.name}


def _compile(request: Request, project: str, output: str) -> list[str]:
    form = "pylock.toml" if request.hashes else "requirements.txt"
    argv = ["pip", "compile", "--quiet", *only_wheels([one.name for one in request.sdists]), "--no-header",
            "--no-annotate", "--format", form, "--output-file", output]  # fmt: skip
    if request.foreign:
        platform = uv_platform(request.arch, request.libc)
        argv += ["--python-version", request.python.version, *(["--python-platform", platform] if platform else [])]
    if request.sources.no_index:
        argv += ["--no-index"]
    if request.constraints:
        limits = os.path.join(os.path.dirname(output), "constraints.txt")
        write_text(limits, "\n".join(request.constraints) + "\n")
        argv += ["--constraint", limits]
    return [*argv, "--python", _runnable(request), project]


def _runnable(request: Request) -> str:
    """Naming one spares uv a search over PATH, where each shim costs a second."""
    import sys

    return sys.executable if request.foreign or request.python.path is None else request.python.path


def make_environment(python: str, folder: str, sources: Sources, *, held: Sequence[int] = ()) -> Outcome:
    """An empty virtual environment of exactly this interpreter, in a folder that may be there already. `held`: handles
    of a lock that uv holds too, should it outlive us."""
    # relocatable: its scripts name no path, so that they are the same in every project
    argv = ["venv", "--quiet", "--no-project", "--clear", "--relocatable", "--python", python, folder]
    return uv(argv, sources, 120.0, held=held)


def install(
    python: str,
    pylock: str,
    sources: Sources,
    *,
    offline: bool,
    sdists: Sequence[str] = (),
    build_constraints: str | None = None,
    settings: str | None = None,
    held: Sequence[int] = (),
) -> Outcome:
    """Make the environment of `python` hold what `pylock` names, each file checked against its hash. Only `sdists`
    are built, with what the file `build_constraints` pins, and the variables that uv's `settings` file sets. `held`:
    as for `make_environment`."""
    argv = ["pip", "sync", "--quiet", "--require-hashes", "--preview-features", "pylock", "--python", python]
    argv += [*only_wheels(sdists), *(["--build-constraints", build_constraints] if build_constraints else [])]
    # all is named by its URL, so an index only lends its credentials here
    every = tuple(one for one in (*sources.torch_indices, *sources.default_indices) if one.kind == "index")
    lent = msgspec.structs.replace(sources, default_indices=every)
    # where none has any, nothing is looked up by name: not even what an sdist asks for besides what is pinned
    private = any(one.url != without_credentials(one.url) for one in every)
    argv += ["--no-index"] if sdists and not private else []
    argv += ["--offline"] if offline else []
    return uv([*argv, pylock], lent, INSTALL_SECONDS, settings=settings, held=held)


def only_wheels(but: Sequence[str] = ()) -> list[str]:
    """Nothing is built, except what is named: a package that is published as an sdist only."""
    return ["--only-binary", ":all:", *(part for name in but for part in ("--no-binary", name))]


def uv(
    argv: Sequence[str],
    sources: Sources,
    timeout: float,
    *,
    links: Sequence[str] = (),
    planning: bool = False,
    variables: Mapping[str, str] = NOTHING,
    settings: str | None = None,
    held: Sequence[int] = (),
) -> Outcome:
    """Run uv. Its own configuration files are left out: what they say came in through the project's sources."""
    from ..host.command import clean_environment, run

    offline = ["--offline"] if sources.offline and "--offline" not in argv and argv[0] != "venv" else []
    config = ["--config-file", settings] if settings else ["--no-config"]
    command = [_binary(), *argv, *offline, *config, "--no-progress", "--color", "never", "--no-python-downloads"]
    environ = environment(sources, links, clean_environment(), planning=planning)
    return run(command, timeout=timeout, env={**environ, **variables}, pass_fds=held)


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


def write_text(path: str, text: str) -> None:
    """One of the files that a run of uv reads."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)

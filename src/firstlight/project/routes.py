"""Routes that a user declares: `[[route]]` of a settings file -> DeclaredRoute."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec

from .model import Backend, DeclaredRoute, DeclaredTier, RouteKind
from .toml_file import bad_value
from .urls import label, slug

CLAIMABLE: tuple[DeclaredTier, ...] = ("community", "local")
BACKENDS: tuple[Backend, ...] = ("rocm", "cuda", "cpu")
GENERATED = ("wheelhouse", "pip-index", "uv-index", "pypi")
"""How names begin that we make ourselves for what pip's and uv's settings name."""
ROUTES_LIMIT = 100
TEXT_LIMIT = 4096

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=TEXT_LIMIT)]


class RouteSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[route]]`, as it is written."""

    name: Text
    kind: RouteKind
    url: Text
    tier: str = "local"
    backend: Backend | None = None
    targets: Annotated[tuple[Text, ...], msgspec.Meta(max_length=100)] = ()
    sha256: str | None = None
    licence: Text | None = None
    maintainer: Text | None = None
    recipe: Text | None = None
    build_minutes: Annotated[float, msgspec.Meta(gt=0, le=1e6)] | None = None
    homepage: Text | None = None


def check_routes(routes: Sequence[RouteSettings], origin: str) -> None:
    """What types alone do not say. Raises UnreadableInput that names the place, e.g. `route[1].tier`."""
    if len(routes) > ROUTES_LIMIT:
        raise bad_value(origin, "route", f"more than {ROUTES_LIMIT} routes")
    known = _built_in()
    for number, route in enumerate(routes):
        place = f"route[{number}]"
        _check_name(route.name, known, f"{place}.name", origin)
        if route.name in {other.name for other in routes[:number]}:
            raise bad_value(origin, f"{place}.name", f"`{route.name}` is declared twice here")
        _check_tier(route, f"{place}.tier", origin)
        _check_location(route, place, origin)
        _check_targets(route, f"{place}.targets", origin)
        _check_texts(route, place, origin)


def _check_name(name: str, known: frozenset[str], place: str, origin: str) -> None:
    if name != slug(name):
        raise bad_value(origin, place, f"`{name[:80]}`: expected small letters, digits and single hyphens, at most 60")
    ours = name.startswith(("pytorch-", "amd-")) and label(f"x://host/{name.partition('-')[2]}")
    if ours or name in known or any(name == one or name.startswith(f"{one}-") for one in GENERATED):
        raise bad_value(origin, place, f"`{name}` is the name of a built-in route; choose another")


def _built_in() -> frozenset[str]:
    """Names of routes that are known without any settings."""
    from ..knowledge.community import community_builds
    from ..knowledge.sources import builtin_indices

    return frozenset({one.name for one in builtin_indices()} | {one.name for one in community_builds()})


def _check_tier(route: RouteSettings, place: str, origin: str) -> None:
    if route.tier in CLAIMABLE:
        return
    if route.tier in ("vendor", "upstream", "distro"):
        why = (
            f"`{route.tier}` cannot be claimed: it says that the vendor, the project itself or a distribution answers "
            "for the files, which no settings file can promise; expected `community` or `local`"
        )
        raise bad_value(origin, place, why)
    raise bad_value(origin, place, f"`{route.tier[:80]}`: expected `community` or `local`")


def _check_location(route: RouteSettings, place: str, origin: str) -> None:
    far = "://" in route.url and not route.url.startswith("file:")
    if "\0" in route.url or (far and not route.url.startswith(("http://", "https://"))):
        raise bad_value(origin, f"{place}.url", "expected an http, https or file URL, or a path")
    if route.sha256 is not None and not _is_sha256(route.sha256):
        raise bad_value(origin, f"{place}.sha256", "expected 64 hexadecimal digits in small letters")
    if route.sha256 is not None and route.kind != "tarball":
        raise bad_value(
            origin, f"{place}.sha256", f"a route of kind {route.kind} is no single file that could have one"
        )
    if route.kind == "tarball" and far and route.sha256 is None:
        raise bad_value(origin, f"{place}.sha256", "required: a tarball from elsewhere is only taken by its sha256")
    if route.kind in ("folder", "build") and far:
        raise bad_value(origin, f"{place}.url", f"a route of kind {route.kind} is a folder on this machine")
    if route.kind == "image" and ("://" in route.url or not _has_digest(route.url)):
        raise bad_value(
            origin, f"{place}.url", "expected an image with its digest, NAME@sha256:...: a tag may be moved to another"
        )


def _has_digest(reference: str) -> bool:
    """`docker.io/somebody/image:tag@sha256:<64 hex>` (OCI image reference)."""
    name, at, digest = reference.rpartition("@")
    plain = bool(name) and all(sign.isascii() and (sign.isalnum() or sign in "._-/:[]") for sign in name)
    return bool(at) and plain and digest.startswith("sha256:") and _is_sha256(digest.removeprefix("sha256:"))


def _is_sha256(text: str) -> bool:
    return len(text) == 64 and all(sign in "0123456789abcdef" for sign in text)


def _check_targets(route: RouteSettings, place: str, origin: str) -> None:
    for number, target in enumerate(route.targets):
        plain = len(target) <= 40 and all(sign.isascii() and (sign.isalnum() or sign in "_-:+") for sign in target)
        if not plain or not target.startswith(("gfx", "sm_", "compute_")):
            raise bad_value(
                origin, f"{place}[{number}]", f"`{target[:80]}`: expected a target such as gfx1151, sm_90 or compute_90"
            )
        backend = "rocm" if target.startswith("gfx") else "cuda"
        mixed = target.startswith("gfx") != route.targets[0].startswith("gfx")
        if mixed or route.backend not in (None, backend):
            raise bad_value(
                origin,
                f"{place}[{number}]",
                f"{target} is no target of {route.backend or 'the same vendor as the first'}",
            )


def _check_texts(route: RouteSettings, place: str, origin: str) -> None:
    """They are shown on a terminal and written into locks: no control signs but the line breaks of a recipe."""
    for field in ("licence", "maintainer", "recipe", "homepage", "url"):
        text = getattr(route, field) or ""
        allowed = "\n\t" if field == "recipe" else ""
        if any(not sign.isprintable() and sign not in allowed for sign in text):
            raise bad_value(origin, f"{place}.{field}", "holds control signs")


def placed(routes: Iterable[RouteSettings], folder: str) -> tuple[RouteSettings, ...]:
    """Relative paths are meant from the file's folder; an image is no path."""
    return tuple(one if one.kind == "image" else _placed(one, folder) for one in routes)


def _placed(route: RouteSettings, folder: str) -> RouteSettings:
    if "://" in route.url or route.url.startswith(("file:", "~")):
        return route
    return msgspec.structs.replace(route, url=os.path.join(folder, route.url))


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """The routes of one settings file."""

    origin: str
    """The file, as errors name it."""
    routes: tuple[RouteSettings, ...]


def declared(files: Iterable[Origin], sources: Iterable[str]) -> tuple[DeclaredRoute, ...]:
    """In falling precedence; the first to name one wins. `sources`: names that are taken. Raises UnreadableInput for a
    name that a source has, too: a lock could not tell the two apart."""
    taken = frozenset(sources)
    found: dict[str, DeclaredRoute] = {}
    for file in files:
        for number, route in enumerate(file.routes):
            place = f"route[{number}].name"
            clash = _clash(route.name, taken) or _clash(route.name, frozenset(found) - {route.name})
            if clash:
                raise bad_value(file.origin, place, f"`{route.name}` and `{clash}` could not be told apart; rename one")
            found.setdefault(route.name, _declared(route, file.origin))
    return tuple(found.values())


def _clash(name: str, taken: frozenset[str]) -> str | None:
    """Name of another that leads to a route of the same name: a folder with several backends gives NAME-BACKEND."""
    longer = (f"{name}-{backend}" for backend in BACKENDS)
    shorter = (name.removesuffix(f"-{backend}") for backend in BACKENDS if name.endswith(f"-{backend}"))
    return next((one for one in (name, *longer, *shorter) if one in taken), None)


def _declared(route: RouteSettings, origin: str) -> DeclaredRoute:
    fields = {key: value for key, value in msgspec.structs.asdict(route).items() if key != "tier"}
    tier: DeclaredTier = "community" if route.tier == "community" else "local"
    return DeclaredRoute(**fields, tier=tier, declared_in=_shown(origin))


def _shown(origin: str) -> str:
    """`firstlight.toml`, `pyproject.toml`, `config.toml`: never the folder, which is of one machine alone."""
    return os.path.basename(origin.removesuffix(": tool.firstlight"))

"""An apt source in a file of our own (deb822, sources.list(5))."""

from __future__ import annotations

from ...causes.changes import Source
from .file_step import FileStep
from .ground import Ground
from .keyring import FOLDERS
from .names import ARCHITECTURE, SLUG, URI, WORD, all_fit, fits, path_below, refused

FOLDER = "/etc/apt/sources.list.d"


def step(ground: Ground, change: Source) -> FileStep:
    """Raises UnreadableInput."""
    made = FileStep(ground, "source", path_of(change), stanza(change).encode())
    made.turn, made.back = 1, 21
    return made


def path_of(change: Source) -> str:
    """Where the file lies. Raises UnreadableInput."""
    return f"{FOLDER}/firstlight-{fits(SLUG, change.name, 'source name')}.sources"


def stanza(change: Source) -> str:
    """The file's text. Raises UnreadableInput."""
    if not change.uris or not change.suites:
        raise refused("source name", change.name)
    fields = {
        "Types": ("deb",),
        "URIs": all_fit(URI, change.uris, "address of a repository"),
        "Suites": all_fit(rf"{WORD}|\./", change.suites, "suite"),
        "Components": all_fit(WORD, change.components, "component"),
        "Architectures": all_fit(ARCHITECTURE, change.architectures, "architecture"),
        "Signed-By": (path_below(change.signed_by, FOLDERS, "keyring"),),
    }
    return "".join(f"{name}: {' '.join(values)}\n" for name, values in fields.items() if values)

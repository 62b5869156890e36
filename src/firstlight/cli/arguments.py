"""Verbs and their options as one table: the parser, the help and the completion scripts are made from it."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Option(NamedTuple):
    """One option."""

    flag: str
    """Long name, with its dashes."""
    short: str = ""
    metavar: str = ""
    """Empty for a switch."""
    choices: tuple[str, ...] = ()
    takes: Literal["", "file", "folder"] = ""
    """What a shell offers after it."""
    counted: bool = False
    required: bool = False
    bare: bool = False
    """Its value may be left out; then it is a switch."""
    repeated: bool = False
    """It may be given more than once; each value counts."""
    many: bool = False
    """Several values may follow it."""

    @property
    def name(self) -> str:
        """Name of the field it fills."""
        return self.flag[2:].replace("-", "_")

    @property
    def words(self) -> str:
        """Key of what the help says of it: one that may stand alone says more with its value."""
        return f"{self.flag} {self.metavar}" if self.bare else self.flag


class Positional(NamedTuple):
    """What stands without an option."""

    name: str
    metavar: str
    nargs: Literal["", "?", "*", "+", "..."]
    choices: tuple[str, ...] = ()
    takes: Literal["", "file"] = ""
    """What a shell offers in its place."""


class Verb(NamedTuple):
    """One verb: its options beside the common ones."""

    name: str
    options: tuple[Option, ...] = ()
    positional: Positional | None = None


HELP = Option("--help", "-h")
VERSION = Option("--version")
COMMON = (
    HELP,
    Option("--json"),
    Option("--lang", metavar="LANG", choices=("en", "zh")),
    Option("--quiet", "-q"),
    Option("--verbose", "-v", counted=True),
)

_HOST = Option("--host", metavar="HOST", takes="file")
_PROJECT = Option("--project", metavar="DIR", takes="folder")
_BACKEND = Option("--backend", metavar="BACKEND", choices=("rocm", "cuda", "cpu"))
_OFFLINE = Option("--offline")
_OFFLINE_FROM = Option("--offline", metavar="DIR", takes="folder", bare=True)
_YES = Option("--yes", "-y")
_WANTED = (
    _BACKEND,
    Option("--torch", metavar="RANGE"),
    Option("--python", metavar="PYTHON", takes="file"),
    Option("--policy", metavar="POLICY", choices=("any", "production")),
    Option("--route", metavar="NAME"),
    _OFFLINE,
)
_LOCKING = (
    Option("--adopt"),
    Option("--environment", metavar="PATH", takes="file"),
    Option("--export", metavar="DIR", takes="folder"),
)
_CATALOGUE = Option("--export", metavar="FORMAT", choices=("json", "patterns"), bare=True)
_SYSTEM = (
    Option("--packages", metavar="NAME", repeated=True, many=True),
    Option("--release", metavar="RELEASE"),
    Option("--matrix"),
)
_COMMAND = Positional("command", "CMD", "...")

NOUNS = (
    "facts", "doctor", "plan", "matrix", "lock", "sync", "verify", "drift", "rollback", "rollback-system", "export",
    "up", "capture", "inspect", "explain", "causes", "catalogue", "error", "host", "schema", "nouns", "completion",
)  # fmt: skip
SHELLS = ("bash", "zsh", "fish")

VERBS = (
    Verb("up", (_HOST, _PROJECT, *_WANTED, _YES), _COMMAND),
    Verb("facts", (_HOST, _PROJECT)),
    Verb("doctor", (_HOST, _PROJECT, Option("--fix", metavar="ID", bare=True), _YES)),
    Verb("plan", (_HOST, _PROJECT, *_WANTED, Option("--all"), Option("--why", metavar="ROUTE"), *_SYSTEM)),
    Verb("lock", (_PROJECT, *_WANTED, *_LOCKING, _YES)),
    Verb("sync", (_PROJECT, _BACKEND, _OFFLINE_FROM, Option("--dry-run"))),
    Verb("verify", (_PROJECT, _BACKEND), _COMMAND),
    Verb("drift", (_HOST, _PROJECT, _BACKEND, Option("--deep"))),
    Verb("rollback", (_PROJECT, Option("--system"), _YES)),
    Verb("capture", (Option("--output", "-o", metavar="FILE", takes="file", required=True), _PROJECT)),
    Verb(
        "inspect",
        (Option("--for", metavar="TARGET", repeated=True), _HOST, _PROJECT),
        Positional("files", "FILE", "+", takes="file"),
    ),
    Verb("explain", (Option("--here"), Option("--report")), Positional("text", "FILE", "?", takes="file")),
    Verb("causes", (_CATALOGUE,), Positional("query", "show ID", "*")),
    Verb("schema", (), Positional("noun", "NOUN", "?", NOUNS)),
    Verb("completion", (), Positional("shell", "SHELL", "", SHELLS)),
)


def find(name: str) -> Verb | None:
    """The verb of that name."""
    return next((verb for verb in VERBS if verb.name == name), None)

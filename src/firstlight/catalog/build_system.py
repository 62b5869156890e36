"""What an sdist says that it is built with."""

from __future__ import annotations

from ..errors import UnreadableInput
from ..project.toml_file import parse_toml
from .archives import member_of_sdist
from .trouble import Failed, damaged, quoted

FALLBACK = ("setuptools>=40.8.0",)
"""For an sdist without a pyproject.toml, or one that does not say (PEP 517, PEP 518)."""
MOST = 100
"""Requirements."""


def build_requires(data: bytes, filename: str) -> tuple[str, ...]:
    """`build-system.requires` of its pyproject.toml. Raises Failed for a file that is no TOML, or says it wrongly."""
    found = member_of_sdist(data, filename, "pyproject.toml")
    if found is None:
        return FALLBACK
    try:
        table = parse_toml(found, "pyproject.toml")
    except UnreadableInput as error:
        raise damaged("its pyproject.toml is no TOML", "其 pyproject.toml 不是 TOML") from error
    system = table.get("build-system")
    said = system.get("requires") if isinstance(system, dict) else None
    return FALLBACK if said is None else _checked(said)


def _checked(said: object) -> tuple[str, ...]:
    from packaging.requirements import InvalidRequirement, Requirement

    wrong = quoted(str(said)[:80])
    if not isinstance(said, list) or len(said) > MOST or not all(isinstance(one, str) for one in said):
        raise _not_requirements(wrong)
    try:
        return tuple(str(Requirement(one)) for one in said)
    except InvalidRequirement as error:
        raise _not_requirements(wrong) from error


def _not_requirements(what: str) -> Failed:
    return damaged(
        f"its build-system.requires is {what}, which are no requirements",
        f"其 build-system.requires 为 {what}，不是依赖说明",
    )

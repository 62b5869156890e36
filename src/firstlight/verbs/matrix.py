"""The vendors' releases against the distributions' releases."""

from __future__ import annotations

import msgspec

from ..routes.system.matrix import Matrix, State, Told
from ..words import Lang
from .answer import Answer


class MatrixRow(msgspec.Struct, frozen=True, kw_only=True):
    """One release of a vendor; with an empty maker, what the distribution offers itself."""

    name: str
    maker: str
    release: str


class MatrixColumn(msgspec.Struct, frozen=True, kw_only=True):
    """One release of a distribution."""

    codename: str
    id: str
    version: str | None


class MatrixCell(msgspec.Struct, frozen=True, kw_only=True):
    """One pair. `told`: `read` from the indices themselves, `known` from `source`, or `unknown`."""

    row: str
    column: str
    state: State
    told: Told
    source: str
    text: str


class MatrixAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.matrix/1"):
    """All pairs, row by row."""

    architecture: str
    rows: tuple[MatrixRow, ...]
    columns: tuple[MatrixColumn, ...]
    cells: tuple[MatrixCell, ...]


def answer(matrix: Matrix, architecture: str, lang: Lang) -> MatrixAnswer:
    """The matrix with its words in one language."""
    return MatrixAnswer(
        architecture=architecture,
        rows=tuple(MatrixRow(name=one.name, maker=one.maker, release=one.release) for one in matrix.rows),
        columns=tuple(MatrixColumn(codename=one.codename, id=one.id, version=one.version) for one in matrix.columns),
        cells=tuple(
            MatrixCell(
                row=one.row, column=one.column, state=one.state, told=one.told, source=one.source,
                text=one.text.say(lang),
            )
            for one in matrix.cells
        ),
    )  # fmt: skip

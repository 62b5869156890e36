"""Differences and rollbacks made by hand, for tests of schemas and words."""

from __future__ import annotations

from typing import Literal

import msgspec

from firstlight.facts.model import Facts
from firstlight.lockfile.build import Build
from firstlight.lockfile.difference import Checked, Difference, DifferenceKind, Drift
from firstlight.lockfile.drift_environment import told
from firstlight.lockfile.drift_host_words import UNKNOWN, driver_effect, gpus_effect
from firstlight.lockfile.drift_words import DISTRIBUTIONS, FILES, VARIABLE, Effect
from firstlight.verbs import drift
from firstlight.verbs.drift import DriftAnswer
from firstlight.verbs.rollback import ChangeAnswer, RollbackAnswer
from firstlight.words import Lang, Words
from tests.routes.fake_facts import machine

AT = 1_790_000_000.0
BUILD = Build("rocm", "2.14.0+rocm7.2", "7.2", ())
NOT_CAPTURED = Words("a recorded machine: only the host was compared", "这是录制的机器：只对比了主机")
NAME = "rocm-0123456789abcdef.1"
CHECKED = Checked(conditions=5, variables=1, distributions=27, files=15024, hashed=3)


def difference(  # noqa: PLR0917 - as a row of a table
    kind: DifferenceKind, what: str, effect: Effect, lock: str | None, host: str | None, since: float | None = None
) -> Difference:
    return told(kind, what, effect, lock=lock, host=host, since=since)


def of_torch(
    kind: DifferenceKind, path: str, lock: str | None, host: str | None, *, shared: bool = False
) -> Difference:
    severity, words = FILES[kind]
    plain = difference(kind, path, (severity, words.fill(name="torch", why="")), lock, host, AT)
    return msgspec.structs.replace(plain, of="torch", shared=shared)


def several(facts: Facts) -> tuple[Difference, ...]:
    """One of many kinds."""
    code = gpus_effect(("gfx803",), ("gfx803",), BUILD, facts)
    digests = f"sha256:{'ab' * 32}", f"sha256:{'cd' * 32}"
    return (
        difference("gpus", "gpus", code, "gfx1100", "gfx803"),
        difference("distribution-version", "numpy", DISTRIBUTIONS["distribution-version"], "2.3.0", "1.26.4", AT),
        of_torch("file-changed", "torch/nn/functional.py", *digests, shared=True),
        difference("variable", "ROCR_VISIBLE_DEVICES", VARIABLE, "0", None),
        difference("distribution-extra", "pip", DISTRIBUTIONS["distribution-extra"], None, "26.1", AT),
        difference("driver", "driver", driver_effect("6.16.13", BUILD), "6.16.6", "6.16.13"),
        not_told(),
    )


def not_told() -> Difference:
    why = "not-captured: /proc/version"
    words = UNKNOWN[0], UNKNOWN[1].fill(why=why)
    return msgspec.structs.replace(difference("kernel", "kernel", words, "6.8.0-45-generic", None), unknown=why)


def drift_answer(lang: Lang, name: Literal["differs", "same", "unsure", "many"] = "differs") -> DriftAnswer:
    if name == "same":
        return drift.answer("rocm", NAME, Drift(differences=(), checked=CHECKED), lang)
    if name == "unsure":
        blind = Drift(differences=(not_told(),), checked=Checked(conditions=4))
        return drift.answer("rocm", None, blind, lang, NOT_CAPTURED)
    if name == "many":
        gone = tuple(of_torch("file-missing", f"torch/m{number}.py", "file", None) for number in range(40))
        return drift.answer("rocm", NAME, Drift(differences=gone, left_out=2, checked=CHECKED), lang)
    return drift.answer("rocm", NAME, Drift(differences=several(machine()), checked=CHECKED), lang)


def rollback_answer(*, first: bool = False) -> RollbackAnswer:
    changes = [ChangeAnswer(name="torch", before="2.14.0+cpu", after="2.13.0+cpu")]
    changes += [ChangeAnswer(name=f"package-{number}", before="1.0", after=None) for number in range(14)]
    return RollbackAnswer(
        left="cpu-fedcba9876543210.1",
        to=None if first else "cpu-0123456789abcdef.1",
        python=None if first else "/home/alice/p/.firstlight/env/bin/python",
        changes=() if first else tuple(changes),
    )

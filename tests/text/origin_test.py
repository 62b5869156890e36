"""Who answers for an environment stands in what people read: in the lock's words and in sync's."""

from __future__ import annotations

import msgspec
import pytest

from firstlight.lockfile.model import HostConditions
from firstlight.routes.model import Provenance
from firstlight.text import lock, sync
from firstlight.verbs.lock import LockAnswer, LockedBackend
from firstlight.verbs.sync import StepAnswer, SyncAnswer
from firstlight.words import Lang

from ..snapshots.driver import drawn

SAID = Provenance(declared_in="firstlight.toml", maintainer="A. Somebody", licence="BSD-3-Clause")
LOCKED = LockedBackend(
    backend="rocm", route="mine", tier="community", python="3.12", pylock="pylock.rocm.toml", pylock_sha256="a" * 64,
    variables={}, source="mine", provenance=SAID,
)  # fmt: skip
TIER = {"en": "community", "zh": "社区"}


def frozen(one: LockedBackend) -> LockAnswer:
    return LockAnswer(
        path="/p/firstlight.lock", backend="rocm", goal={}, host=HostConditions(arch="x86_64", targets=()),
        backends=(one,),
    )  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_lock_tells_tier_and_maintainer(lang: Lang) -> None:
    text = drawn(lock.lines(frozen(LOCKED), lang))
    assert TIER[lang] in text
    assert "A. Somebody" in text
    assert "BSD-3-Clause" in text
    bare = msgspec.structs.replace(LOCKED, provenance=Provenance(declared_in="config.toml"))
    text = drawn(lock.lines(frozen(bare), lang))
    assert {"en": "nobody by name", "zh": "未具名者"}[lang] in text


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("state", ["done", "todo", "right"])
def test_sync_tells_the_tier(lang: Lang, state: str) -> None:
    step = StepAnswer(kind="install", subject="x", state=state, ms=1.0)  # type: ignore[arg-type]
    answer = SyncAnswer(backend="rocm", python="/p/env/bin/python", steps=(step,), route="mine", tier="community")
    text = drawn(sync.lines(answer, lang))
    assert "mine" in text
    assert TIER[lang] in text

"""Questions asked at the same time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Thread

THREADS = 16


def in_parallel(tasks: Sequence[Callable[[], object]], threads: int = THREADS) -> None:
    """Run every task; raises the first error of any once all have ended. The threads do not keep the program alive:
    Ctrl-C ends it at once."""
    left = list(reversed(tasks))
    errors: list[BaseException] = []

    def work() -> None:
        while not errors:
            try:
                task = left.pop()
            except IndexError:
                return
            try:
                task()
            except BaseException as error:  # noqa: BLE001 - handed to the caller below
                errors.append(error)

    workers = [Thread(target=work, daemon=True) for _ in range(min(threads, len(tasks)))]
    for one in workers:
        one.start()
    for one in workers:
        one.join()
    if errors:
        raise errors[0]

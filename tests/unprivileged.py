"""What an ordinary user may not do, also where the tests run as root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def nobody(folder: Path) -> Iterator[None]:
    """An unprivileged user, who may pass to `folder`."""
    if os.geteuid():
        yield
        return
    opened = [(above, above.stat().st_mode) for above in (folder, *folder.parents)]
    for above, mode in opened:
        above.chmod(mode | 0o011)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
        for above, mode in opened:
            above.chmod(mode & 0o7777)

"""A real environment with the CPU build of torch, made once and kept in the user's cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import uv

TAG = f"cp{sys.version_info[0]}{sys.version_info[1]}"


@pytest.fixture(scope="session")
def torch_python() -> str:
    """Path of a Python that has torch; skips where pip's configuration offers no wheel of its CPU build."""
    wheel = find_wheel()
    if wheel is None:
        pytest.skip(f"no CPU wheel of torch for {TAG} in the find-links of pip's configuration")
    return str(environment(wheel) / "bin" / "python")


def find_wheel() -> Path | None:
    """The newest CPU wheel of torch that fits this Python, in the folders that pip would look into."""
    fitting: list[Path] = []
    for link in pip_values("find-links"):
        folder = Path(unquote(urlsplit(link).path) if link.startswith("file:") else link)
        if folder.is_dir():
            fitting += folder.glob(f"torch-*+cpu-{TAG}-*{os.uname().machine}.whl")
    return max(fitting, key=lambda path: path.name, default=None)


def pip_values(option: str) -> list[str]:
    """All values of one option, of every section and the environment."""
    told = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False)
    values: list[str] = []
    for line in told.stdout.splitlines():
        key, _, value = line.partition("=")
        if key.rpartition(".")[2] == option:
            values += value.strip("'\"").replace("\\n", " ").split()
    return list(dict.fromkeys(values))


def environment(wheel: Path) -> Path:
    """The environment for this wheel and this Python: made aside and moved into place, so that none is half made."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "firstlight-tests"
    key = hashlib.sha256(f"{wheel}{wheel.stat().st_size}{sys.base_prefix}{sys.version}".encode()).hexdigest()[:12]
    place = cache / f"torch-{key}"
    if (place / "bin" / "python").exists():
        return place
    cache.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix="making-", dir=cache)) / "env"
    tool = uv.find_uv_bin()
    run(tool, "venv", "--quiet", "--relocatable", "--python", sys.executable, str(aside))
    indices = [f"--extra-index-url={url}" for url in pip_values("extra-index-url")]
    indices += [f"--index-url={url}" for url in pip_values("index-url")]
    run(tool, "pip", "install", "--quiet", "--python", str(aside / "bin" / "python"), *indices, str(wheel))
    try:
        aside.rename(place)
    except OSError:  # another run was faster
        assert (place / "bin" / "python").exists()
    shutil.rmtree(aside.parent, ignore_errors=True)
    return place


def run(*argv: str) -> None:
    """Skip, saying so, if the environment cannot be made."""
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no environment with torch: {done.stderr[-500:]}")

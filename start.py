#!/usr/bin/env python3
"""Set up firstlight beside this file and run it; needs Python 3.10 or later with pip, and nothing else.

    python3 start.py up       bring this machine from unknown to a verified training step
    python3 start.py test     run the project's checks and tests
    python3 start.py VERB ... any other verb of firstlight

Everything is installed into `.venv` here, never into the system's Python, so it also works where the
distribution refuses global installs (PEP 668). pip's own configuration (mirrors, proxies, certificates) is used.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence

HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(HERE, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
OLDEST = (3, 10)


def main(arguments: Sequence[str]) -> int:
    """Run one verb; returns its exit code."""
    if sys.version_info < OLDEST:
        return refuse(
            f"this is Python {sys.version.split()[0]}; firstlight needs 3.10 or later",
            "run it with a newer one, e.g. `python3.12 start.py up`",
        )
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0
    testing = arguments[0] == "test"
    if not prepare("requirements-dev.txt" if testing else "requirements.txt"):
        return 3
    if testing:
        return test(arguments[1:])
    return subprocess.call([os.path.join(VENV, "bin", "firstlight"), *arguments])


def prepare(requirements: str) -> bool:
    """Make `.venv` hold what `requirements` pins, and firstlight itself. False if pip could not."""
    stamp = os.path.join(VENV, f"{requirements}.stamp")
    wanted = digest(requirements, "pyproject.toml")
    if os.path.exists(PYTHON) and read(stamp) == wanted:
        return True
    say("setting up .venv (once)")
    if not usable() and not make_environment():
        return False
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pinned = [*pip, "--require-hashes", "-r", os.path.join(HERE, requirements)]
    # --no-deps: what firstlight needs is pinned, with hashes, in the requirements
    itself = [*pip, "--no-deps", "--editable", HERE]
    if not run(pinned) or not run(itself):
        return False
    # with PYTHONDONTWRITEBYTECODE set, an editable install would be compiled anew at each start
    run([PYTHON, "-m", "compileall", "-q", os.path.join(HERE, "src")])
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(wanted)
    return True


def usable() -> bool:
    """Whether `.venv` was made whole, by the Python that runs now: a set-up that was cut off leaves one without pip."""
    if not os.path.exists(PYTHON):
        return False
    version = f"import pip, sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    return subprocess.call([PYTHON, "-c", version], stderr=subprocess.DEVNULL) == 0


def make_environment() -> bool:
    """A virtual environment with pip, also where the distribution keeps `ensurepip` in a package of its own."""
    if not run([sys.executable, "-m", "venv", "--without-pip", "--clear", VENV]):
        return False
    found = subprocess.run(
        [PYTHON, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    # --target is exempt from PEP 668 and known to every pip
    return run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                "--target", found.stdout.strip(), "pip>=24.1"])  # fmt: skip


def test(arguments: Sequence[str]) -> int:
    """Lint, types, then the tests; the first failure ends it."""
    tool = os.path.join(VENV, "bin")
    checks = [
        [os.path.join(tool, "ruff"), "check", "."],
        [os.path.join(tool, "ruff"), "format", "--check", "."],
        [os.path.join(tool, "mypy")],
        [PYTHON, "-m", "pytest", *arguments],
    ]
    for command in checks:
        say(" ".join([os.path.basename(command[0]), *command[1:]]))
        code = subprocess.call(command, cwd=HERE)
        if code:
            return code
    return 0


def run(command: Sequence[str]) -> bool:
    """Whether the command went well; if not, it is shown so that it can be pasted."""
    # root is no risk here: all goes into .venv
    code = subprocess.call(command, env={**os.environ, "PIP_ROOT_USER_ACTION": "ignore"})
    if code:
        refuse(f"this failed with exit code {code}:\n  {' '.join(command)}", "mend what it says above, then run again")
    return code == 0


def refuse(what: str, next_step: str) -> int:
    """Say what is so and what to do; returns the exit code for wrong usage."""
    print(f"start.py: {what}\nnext: {next_step}", file=sys.stderr)
    return 2


def say(text: str) -> None:
    """One line of progress."""
    print(f"start.py: {text}", file=sys.stderr, flush=True)


def digest(*names: str) -> str:
    """Hash of files beside this one and of the Python that runs."""
    total = hashlib.sha256(sys.version.encode())
    for name in names:
        with open(os.path.join(HERE, name), "rb") as file:
            total.update(file.read())
    return total.hexdigest()


def read(path: str) -> str:
    """Content of a small file; empty if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

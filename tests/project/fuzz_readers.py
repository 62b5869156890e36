"""Mutates valid settings and feeds them to their readers; run under coverage by `fuzz_test.py`.

Prints how many were taken and how many were refused. Anything but a value or a FirstlightError is a bug.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from firstlight.errors import FirstlightError
from firstlight.project.load import load

ROUTES = (
    "[[route]]\nname = 'mine'\nkind = 'folder'\nurl = 'wheels'\ntier = 'community'\nbackend = 'rocm'\n"
    "targets = ['gfx906', 'gfx90a:xnack-']\nlicence = 'MIT'\nrecipe = 'make\\nmake'\nbuild_minutes = 3\n"
    f"[[route]]\nname = 'packed'\nkind = 'tarball'\nurl = 'https://h/t.tar'\nsha256 = '{'b' * 64}'\n"
)
FILES = {
    "etc/xdg/pip/pip.conf": "[global]\nconstraint = /c.txt\ncert = /ca.pem\n[install]\nno-index = no\n",
    "etc/pip.conf": "[global]\ntimeout = 5\n[DEFAULT]\nproxy = http://p:1\n",
    "home/.pip/pip.conf": "[global]\nindex-url = https://u:pw@a.example/simple\n",
    "home/.config/pip/pip.conf": "[global]\nextra-index-url =\n    https://a/whl/cu1\n    https://b\nfind-links: /w\n",
    "venv/pip.conf": "[install]\ntrusted-host = h\n",
    "home/.config/uv/uv.toml": '[[index]]\nname = "m"\nurl = "https://y"\n[[index]]\nurl = "/f"\nformat = "flat"\n'
    '[pip]\nfind-links = ["/p"]\nno-index = false\n',
    "etc/uv/uv.toml": 'index-url = "https://z"\nextra-index-url = ["https://q"]\n',
    "home/.config/firstlight/config.toml": "offline = false\nmegabits = 100\nconstraints = ['c.txt', '/d.txt']\n"
    "[[route]]\nname = 'theirs'\nkind = 'image'\nurl = 'docker.io/a/b:c@sha256:" + "a" * 64 + "'\n",
    "p/firstlight.toml": ROUTES + '[goal]\npython = "v/python"\nbackend = "cpu"\n'
    'torch = ">=2"\npackages = ["numpy>=1; python_version>\'3\'"]\n'
    '[[source]]\nname = "pytorch-cpu"\nurl = "https://x"\n',
    "p/pyproject.toml": '[tool.firstlight.goal]\npolicy = "any"\n',
}
VARIABLES = {
    "PIP_FIND_LINKS": "/v /w", "PIP_NO_INDEX": "0", "UV_INDEX": "n=https://i https://j", "UV_DEFAULT_INDEX": "https://d",
    "UV_FIND_LINKS": "/a,/b", "UV_CONSTRAINT": "/k", "FIRSTLIGHT_TORCH": ">=2.1", "FIRSTLIGHT_OFFLINE": "1",
    "FIRSTLIGHT_SOURCE_X": "https://x", "FIRSTLIGHT_PACKAGES": "numpy scipy", "FIRSTLIGHT_PYTHON": "3.12",
    "FIRSTLIGHT_MEGABITS": "80", "FIRSTLIGHT_SOURCE_PYTORCH_ROCM7_2": "/mirror", "UV_NO_CONFIG": "0",
    "UV_CONFIG_FILE": "", "PIP_CONFIG_FILE": "", "XDG_CONFIG_HOME": "",
}  # fmt: skip
PIECES = [
    "[", "]", "=", "\n", "\0", "\ud800", '"', "é", "[global]\n", "[[source]]\n", "no-index = maybe\n", "{", "%(x)s",
    ":",    "[" * 200, "a = [\n" * 80, "1e400", "tier = 'vendor'\n", "kind = 'image'\n", "name = 'pypi'\n",
    "targets = ['sm_90']\n", "[[route]]\nname = 'packed'\nkind = 'build'\nurl = 'x'\n", "[tool]\nfirstlight = 3\n",
    "name = 1\n", "@",
]  # fmt: skip

VALUES = [
    "'vendor'", "'nobody'", "'image'", "'tarball'", "'index'", "'build'", "'cuda'", "['sm_90']", "['gfx9', 'sm_90']",
    "['!']", "'packed'", "'mine-rocm'", "'Big Name'", "'pypi'", "'pytorch-cpu'", "'https://h/x'", "'ftp://h'", "'~/x'",
    "'file:///x'", f"'{'c' * 64}'", "'a@sha256:1'", f"'a@sha256:{'d' * 64}'", "'" + "x" * 5000 + "'", '"\\u0007"', "-1",
    "0", "inf", "[]", "''", "{a = 1}", "'theirs'",
]  # fmt: skip
"""Put in the place of another: what one key takes, another may not."""


def swap(lines: list[str], chance: random.Random) -> str:
    """One value changed for another kind of value."""
    keyed = [number for number, line in enumerate(lines) if " = " in line]
    if not keyed:
        return "".join(lines)
    at = chance.choice(keyed)
    return "".join([*lines[:at], f"{lines[at].partition(' = ')[0]} = {chance.choice(VALUES)}\n", *lines[at + 1 :]])


def mutate(text: str, chance: random.Random) -> str:
    """One structural change: a piece in, a line out, doubled or moved, a value cut, a sign swapped, or nothing left."""
    lines = text.splitlines(keepends=True)
    place, at = chance.randrange(len(lines) or 1), chance.randrange(len(text) + 1)
    moved = chance.sample(lines, len(lines))
    return chance.choice([
        text[:at] + chance.choice(PIECES) + text[at:],
        "".join(lines[:place] + lines[place + 1 :]),
        "".join([*lines, *lines[place:]]),
        "".join(moved),
        swap(lines, chance),
        swap(lines, chance),
        text[:at],
        text.replace(chance.choice("=\"'[]:/ae"), chance.choice(PIECES), 1),
        "",
    ])  # fmt: skip


def lay_out(folder: Path, chance: random.Random) -> dict[str, str]:
    """Files, one or two of them mutated, and the variables that lead to them."""
    changed = set(chance.sample(sorted(FILES), chance.randrange(3)))
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if chance.random() < 0.15:
            path.unlink(missing_ok=True)
            continue
        new = mutate(text, chance) if name in changed else text
        if name == "p/firstlight.toml" and chance.random() < 0.3:  # the file with the most to say
            new = swap(new.splitlines(keepends=True), chance)
        path.write_bytes(new.encode("utf-8", "surrogatepass"))
    environ = {name: value for name, value in VARIABLES.items() if chance.random() < 0.4}
    if chance.random() < 0.3 and environ:
        name = chance.choice(sorted(environ))
        environ[name] = mutate(environ[name], chance)
    if chance.random() < 0.1:
        elsewhere = [("UV_NO_CONFIG", "1"), ("UV_CONFIG_FILE", str(folder / "etc/uv/uv.toml")),
                     ("PIP_CONFIG_FILE", "/dev/null"), ("PIP_CONFIG_FILE", str(folder / "etc/pip.conf")),
                     ("PIP_CONFIG_FILE", str(folder)), ("XDG_CONFIG_HOME", str(folder))]  # fmt: skip
        environ |= [chance.choice(elsewhere)]
    return {**environ, "HOME": str(folder / "home"), "VIRTUAL_ENV": str(folder / "venv")}


def main(rounds: int) -> None:
    """Deterministic: the seed is fixed."""
    chance = random.Random(20261201)
    taken = refused = 0
    with tempfile.TemporaryDirectory() as name:
        for number in range(rounds):
            folder = Path(name)
            environ = lay_out(folder, chance)
            if number == 5:
                (folder / "etc/pip.conf").write_bytes(b"#" * ((1 << 20) + 2))
            try:
                load(str(folder / "p"), environ=environ, etc=str(folder / "etc"))
                taken += 1
            except FirstlightError as error:
                if not error.what.zh or "pw@" in error.what.en:
                    raise RuntimeError(error.what.en) from error
                refused += 1
    sys.stdout.write(f"{taken} {refused}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))

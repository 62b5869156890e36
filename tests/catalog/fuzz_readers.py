"""Mutates valid pages, metadata and archives and feeds them to their readers; run under coverage by `fuzz_test.py`.

Prints how many were taken and how many were refused. Anything but a value or a Failed is a bug.
"""

from __future__ import annotations

import io
import json
import random
import sys
import time
import zipfile
from collections.abc import Callable
from typing import Any

from packaging.requirements import Requirement

from firstlight.catalog.archives import metadata_in_sdist, metadata_in_wheel
from firstlight.catalog.build_system import build_requires
from firstlight.catalog.core_metadata import read_metadata
from firstlight.catalog.filenames import project_of, version_of
from firstlight.catalog.model import IndexFile, Metadata
from firstlight.catalog.pages import read_page
from firstlight.catalog.trouble import Failed
from firstlight.catalog.windows import Window
from tests.catalog.distributions import METADATA, PKG_INFO, sdist, wheel

BASE = "https://index.example/whl/torch/"
DIGEST = "0123456789abcdef" * 4
FILES: list[dict[str, Any]] = [
    {"filename": f"torch-2.{number}.0+rocm10.1.0-cp312-cp312-linux_x86_64.whl", "url": f"../torch-2.{number}.whl",
     "hashes": {"sha256": DIGEST}, "requires-python": ">=3.10", "yanked": [False, "bad", True][number], "size": 10,
     "upload-time": "2026-11-02T03:04:05Z", "core-metadata": [{"sha256": DIGEST}, True, False][number]}
    for number in range(3)
]  # fmt: skip
PAGE: dict[str, Any] = {"meta": {"api-version": "1.1"}, "name": "torch", "versions": [], "files": FILES}
HTML = "".join(
    ["<!DOCTYPE html>\n<html><head>\n",
     '<meta name="pypi:repository-version" content="1.0">\n', '<base href="/whl/">\n',
     "<title>Links</title>\n<!-- made by hand -->\n", "<script>var a = '<a href=x>'</script>\n"]
    + [f'<a href="torch-2.{number}%2Bcpu-cp312-cp312-linux_x86_64.whl#sha256={DIGEST}" data-yanked="x &amp; y" '
       f"data-requires-python='&gt;=3' data-core-metadata=sha256={DIGEST}>torch</a><br />\n" for number in range(4)]
    + ["<a href='torch-1.0.tar.gz' data-yanked>x</a>\n<a href='mailto:a@b'>m</a>\n<p title='>'></p></html>\n"]
)  # fmt: skip
WHEEL = wheel()
SDIST = sdist()
PYPROJECTS = (
    '[build-system]\nrequires = ["setuptools>=61", "wheel"]\n', "[project]\nname = 'rocm'\n",
    '[build-system]\nrequires = "setuptools"\n', "[build-system]\nrequires = [1]\n",
)  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, -1, 2**80, 1.5, "", "x", "é\u202e", [], {}, [[]], "javascript:x", "file:///x", "2.0",
    "1" * 5000, "https://u:p@h.example:99999/x", "//[", "http://h.example/x.whl", "\x00", {"sha256": 1},
    {"sha256": "beef"}, "evil", "torch-1.0.tar.gz", "torch-1-py3-none-any.whl", "torch-9" + "9" * 5000 + "-1-any.whl",
    "torch-9" + "9" * 5000 + ".tar.gz", "/", "%2e%2e%2f",
]  # fmt: skip
PIECES = [
    "<", ">", "<a ", "<!--", "-->", "'", '"', "=", "&#x41;", "&", "\0", "\ud800", "</a", "<script>", "<title>",
    "<base href=", "href=javascript:x ", "href='file:///x'", "#sha256=1", "data-yanked ", " " * 300,
    "<meta name=pypi:repository-version>", "Name: x\n", "Requires-Dist: (\n", "\n\n", " folded\n", ":\n", "no field\n",
    "Provides-Extra: a/b\n", "é", "Dynamic: Version\n", "Requires-Python: x\n", "Metadata-Version: x\n",
    "Requires-Dist: a\n" * 5001, "Version: 1!2\n",
    "torch", "-", "/", "\\", "?",
]  # fmt: skip


def mutate_text(text: str, chance: random.Random) -> str:
    """A piece in, a line out, doubled or moved, a cut, a sign swapped."""
    lines = text.splitlines(keepends=True)
    place, at = chance.randrange(len(lines) or 1), chance.randrange(len(text) + 1)
    return chance.choice([
        text[:at] + chance.choice(PIECES) + text[at:],
        text[:at] + chance.choice(PIECES) + text[at:],
        "".join(lines[:place] + lines[place + 1 :]),
        "".join([*lines, *lines[place:]]),
        "".join(chance.sample(lines, len(lines))),
        text[:at],
        text.replace(chance.choice("=\"'<>/:-\n"), chance.choice(PIECES), 1),
    ])  # fmt: skip


def mutate_json(value: Any, chance: random.Random) -> Any:
    """One value of the tree replaced, left out, renamed or doubled."""
    if isinstance(value, dict) and value and chance.random() < 0.85:
        key = chance.choice(list(value))
        changed = mutate_json(value[key], chance)
        rest = {name: inner for name, inner in value.items() if name != key}
        return chance.choice([{**rest, key: changed}] * 6 + [rest, {**rest, "x": changed}])
    if isinstance(value, list) and value and chance.random() < 0.85:
        at = chance.randrange(len(value))
        return [*value[:at], mutate_json(value[at], chance), *value[at + 1 :], *value[: chance.randrange(2)]]
    return chance.choice(VALUES)


def mutate_bytes(data: bytes, chance: random.Random) -> bytes:
    """A few bytes changed, a cut, or a stretch doubled; often near the end, where a zip has its directory."""
    changed = bytearray(data)
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(changed)) if chance.random() < 0.5 else len(changed) - 1 - chance.randrange(400)
        changed[at % len(changed)] = chance.choice([0, 1, 255, chance.randrange(256)])
    kept = bytes(changed)
    at = chance.randrange(len(kept))
    return chance.choice([kept, kept, kept, kept[:at], kept[:at] + kept[at - 40 :]])


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def json_page(chance: random.Random) -> object:
    body = json.dumps(mutate_json(PAGE, chance)).encode() if chance.random() < 0.97 else json.dumps(PAGE).encode()
    if chance.random() < 0.05:
        body = mutate_bytes(body, chance)
    kind = chance.choice(
        ["application/vnd.pypi.simple.v1+json"] * 8 + ["", "text/html", "application/vnd.pypi.simple.v2+json"]
    )
    return read_page(body, kind, BASE, "torch")


def html_page(chance: random.Random) -> object:
    text = HTML
    for _ in range(chance.randrange(4)):
        text = mutate_text(text, chance)
    kind = chance.choice(
        [
            "text/html",
            "text/html; charset=iso-8859-1",
            "application/octet-stream",
            "text/html; charset=zlib",
            "image/png",
        ]
    )
    base = chance.choice([BASE, BASE, "file:///srv/simple/torch/", "http://127.0.0.1:80/"])
    return read_page(encoded(text), kind, base, chance.choice(["torch", ""]))


def metadata_text(chance: random.Random) -> object:
    text = chance.choice([METADATA, METADATA.replace("\n", "\r\n"), PKG_INFO])
    for _ in range(chance.randrange(3)):
        text = mutate_text(text, chance)
    name, version = ("rocm", "10.1.0") if "Name: rocm" in text else ("torch", "2.14.0+rocm10.1.0")
    return read_metadata(encoded(text), name, version, source=chance.random() < 0.5)


def archived_wheel(chance: random.Random) -> object:
    whole = mutate_bytes(WHEEL, chance) if chance.random() < 0.9 else WHEEL
    window = Window(len(whole), lambda at, length: whole[at : at + length])
    return metadata_in_wheel(window, "torch", "2.14.0+rocm10.1.0")


def archived_sdist(chance: random.Random) -> object:
    import gzip

    tar = gzip.decompress(SDIST)
    if chance.random() < 0.1:
        packed = io.BytesIO(mutate_bytes(WHEEL, chance))
        return metadata_in_sdist(packed.getvalue(), "rocm-10.1.0.zip")
    if chance.random() < 0.2:
        return metadata_in_sdist(mutate_bytes(SDIST, chance), "rocm-10.1.0.tar.gz")
    return metadata_in_sdist(gzip.compress(mutate_bytes(tar, chance), 1), "rocm-10.1.0.tar.gz")


def built_with(chance: random.Random) -> object:
    import gzip

    text = chance.choice(PYPROJECTS)
    if chance.random() < 0.7:
        text = mutate_text(text, chance)
    whole = sdist(pyproject=text)
    if chance.random() < 0.1:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(chance.choice(["rocm-10.1.0/pyproject.toml", "pyproject.toml"]), encoded(text))
        return build_requires(packed.getvalue(), "rocm-10.1.0.zip")
    if chance.random() < 0.3:
        whole = gzip.compress(mutate_bytes(gzip.decompress(whole), chance), 1)
    return build_requires(whole, "rocm-10.1.0.tar.gz")


def file_name(chance: random.Random) -> object:
    name = chance.choice(
        ["torch-2.0+cpu-1-cp312-cp312-manylinux_2_28_x86_64.whl", "a-b-1.0.post1.tar.gz", "a_b-1!2.zip"]
    )
    for _ in range(chance.randrange(3)):
        name = mutate_text(name, chance)
    project = project_of(name, chance.choice(["", "torch", "a-b"]))
    return version_of(name, project or "")


READERS: tuple[Callable[[random.Random], object], ...] = (
    json_page, json_page, html_page, html_page, metadata_text, archived_wheel, archived_sdist, built_with, file_name,
)  # fmt: skip


def right(value: object) -> bool:
    """What every answer promises."""
    if isinstance(value, Metadata):
        return bool(value.name and value.version)
    if not isinstance(value, tuple):
        return True
    if all(isinstance(one, str) for one in value):
        return all(Requirement(one).name for one in value)
    return all(
        isinstance(one, IndexFile) and project_of(one.filename) and one.url.startswith(("http", "file:"))
        and "@" not in one.url.split("/")[2] and (one.sha256 is None or len(one.sha256) == 64)
        for one in value
    )  # fmt: skip


def main(rounds: int) -> None:
    """Deterministic: the seed is fixed."""
    chance = random.Random(20261202)
    taken = refused = 0
    for number in range(rounds):
        start = time.perf_counter()
        try:
            if not right(READERS[number % len(READERS)](chance)):
                raise RuntimeError(number)
            taken += 1
        except Failed as failed:
            said = failed.about("x").text
            if failed.kind != "damaged-index" or not said.en.isprintable() or "{detail}" in said.zh:
                raise RuntimeError(said) from failed
            refused += 1
        if time.perf_counter() - start > 2:
            raise RuntimeError(number)
    sys.stdout.write(f"{taken} {refused}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))

"""Files that real locks and lists name, through both forms of page and back."""

from __future__ import annotations

import html
import json
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from packaging.utils import canonicalize_name, parse_sdist_filename, parse_wheel_filename

from firstlight.catalog.filenames import project_of, version_of
from firstlight.catalog.model import IndexFile
from firstlight.catalog.pages import read_page
from tests.catalog.server import HTML, JSON

tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
LOCKS = Path(__file__).resolve().parents[2].parent / "shared" / "fixtures" / "repos" / "locks"
PYLOCKS = sorted(LOCKS.glob("*.pylock.toml"))
BASE = "https://index.example/simple/p/"


def listed(path: Path) -> dict[str, list[IndexFile]]:
    """Files by project."""
    found: dict[str, list[IndexFile]] = defaultdict(list)
    for package in tomllib.loads(path.read_text())["packages"]:
        for file in [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]:
            name = file.get("name") or file["url"].rpartition("/")[2].partition("#")[0].replace("%2B", "+")
            found[package["name"]].append(file_of(name, file))
    return found


def file_of(name: str, file: dict[str, Any]) -> IndexFile:
    uploaded = str(file["upload-time"])[:10] if "upload-time" in file else None
    return IndexFile(
        filename=name, url=file["url"].partition("#")[0], sha256=file["hashes"]["sha256"], size=file.get("size"),
        uploaded=uploaded,
    )  # fmt: skip


@pytest.mark.skipif(not PYLOCKS, reason=f"{LOCKS} is not here")
@pytest.mark.parametrize("path", PYLOCKS, ids=lambda path: path.name)
def test_files_of_recorded_locks(path: Path) -> None:
    count = 0
    for project, files in listed(path).items():
        entries = [
            {"filename": one.filename, "url": one.url, "hashes": {"sha256": one.sha256}, "size": one.size,
             "upload-time": one.uploaded and f"{one.uploaded}T00:00:00Z"}
            for one in files
        ]  # fmt: skip
        page = {"meta": {"api-version": "1.4"}, "name": project, "files": entries, "versions": []}
        assert read_page(json.dumps(page).encode(), JSON, BASE, project) == tuple(files)
        links = "".join(f'<a href="{html.escape(one.url)}#sha256={one.sha256}">x</a>\n' for one in files)
        wanted = [(one.filename, one.url, one.sha256) for one in files]
        found = read_page(links.encode(), HTML, BASE, project)
        assert [(one.filename, one.url, one.sha256) for one in found] == wanted
        count += len(files)
    assert count > 0


def recorded_names() -> list[str]:
    path = LOCKS / "wheels.tsv"
    lines = path.read_text().splitlines()[1:] if path.exists() else []
    therock = LOCKS / "therock-python-wheels.json"
    targets = json.loads(therock.read_text())["targets"].values() if therock.exists() else []
    packages = [one["filename"] for target in targets for one in target["packages"].values()]
    pylocks = [one.filename for path in PYLOCKS for files in listed(path).values() for one in files]
    return sorted({*(line.split("\t")[0] for line in lines), *packages, *pylocks})


@pytest.mark.skipif(not LOCKS.exists(), reason=f"{LOCKS} is not here")
def test_projects_and_versions_of_recorded_names_are_those_that_packaging_reads() -> None:
    names = [name for name in recorded_names() if name.endswith((".whl", ".tar.gz"))]
    assert len(names) > 40
    for name in names:
        project, version = parse_wheel_filename(name)[:2] if name.endswith(".whl") else parse_sdist_filename(name)
        assert project_of(name) == canonicalize_name(project), name
        assert version_of(name, project) == str(version), name


@pytest.mark.parametrize(
    ("name", "expected", "project", "version"),
    [
        ("a-b-1.0.tar.gz", "a-b", "a-b", "1.0"),
        ("a-1-2.0.tar.gz", "a-1", "a-1", "2.0"),
        ("a-1-2.tar.gz", "a", "a", "1.post2"),
        ("a-1-2.tar.gz", "", "a-1", "2"),
        ("A.b__c-1.0+Local.1.zip", "", "a-b-c", "1.0+local.1"),
        ("a-1.0-1-py3-none-any.whl", "", "a", "1.0"),
        ("a-1.0-b1-py3-none-any.whl", "", None, None),
        ("-1.0-py3-none-any.whl", "", None, None),
        ("a_-1.0-py3-none-any.whl", "", None, None),
        ("é-1.0-py3-none-any.whl", "", None, None),
        ("a-1.0-py3-none-.whl", "", None, None),
        ("a-1.0-py3-none-a/b.whl", "", None, None),
        ("a-1.0-py3-no/ne-a$.whl", "", None, None),
        ("a-1.0-py3-none-any.whl.metadata", "", None, None),
        ("a" * 300 + "-1.0.tar.gz", "", None, None),
        ("a-1.0\u202e.tar.gz", "", None, None),
        ("a.tar.gz", "", None, None),
        (".tar.gz", "", None, None),
        ("", "", None, None),
    ],
)
def test_file_names(name: str, expected: str, project: str | None, version: str | None) -> None:
    assert project_of(name, expected) == project
    assert version_of(name, project or "") == version

"""Project pages in the forms that the vendors serve."""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Sequence
from urllib.parse import quote

from .distribution import SOURCE, Dist, content, metadata, sha256
from .places import Form

JSON_TYPE = "application/vnd.pypi.simple.v1+json"
HTML_TYPE = "text/html"


def page(form: Form, project: str, files: Sequence[Dist], root: str, accept: str) -> tuple[str, bytes]:
    """(content type, body). `root`: path under which the index's files lie."""
    if form == "json" and JSON_TYPE in accept:
        return JSON_TYPE, json.dumps(_document(project, files, root)).encode()
    links = "\n".join(_link(form, one, root) for one in files)
    meta = '<meta name="pypi:repository-version" content="1.0">' if form in ("json", "pytorch") else ""
    title = f"<head>{meta}<title>Links for {project}</title></head>"
    return (
        HTML_TYPE,
        f"<!DOCTYPE html>\n<html>{title}<body>\n<h1>Links for {project}</h1>\n{links}\n</body></html>\n".encode(),
    )


def metadata_sha256(dist: Dist) -> str:
    return hashlib.sha256(metadata(dist).encode()).hexdigest()


def _link(form: Form, dist: Dist, root: str) -> str:
    # AMD's pages link beside themselves, PyTorch's from the root of the host
    start = "../" if form in ("amd", "bare") else f"{root}/"
    fragment = "" if form == "bare" else f"#sha256={sha256(dist)}"
    said = [f'href="{start}{quote(dist.filename)}{fragment}"']
    if form in ("json", "pytorch"):
        said.append(f'data-requires-python="{html.escape(dist.python)}"')
    if form in ("json", "pytorch") and dist.tag != SOURCE:
        stated = f"sha256={metadata_sha256(dist)}"
        said += [f'data-dist-info-metadata="{stated}"', f'data-core-metadata="{stated}"']
    if dist.yanked is not None:
        said.append(f'data-yanked="{html.escape(dist.yanked)}"')
    return f"<a {' '.join(said)}>{dist.filename}</a><br/>"


def _document(project: str, files: Sequence[Dist], root: str) -> dict[str, object]:
    return {
        "meta": {"api-version": "1.1", "_last-serial": 42},
        "name": project,
        "versions": sorted({one.version for one in files}),
        "files": [
            {
                "filename": one.filename, "url": f"{root}/{quote(one.filename)}", "hashes": {"sha256": sha256(one)},
                "size": len(content(one)), "upload-time": one.uploaded, "requires-python": one.python,
                "yanked": False if one.yanked is None else one.yanked or True,
                "core-metadata": {"sha256": metadata_sha256(one)},
                "data-dist-info-metadata": {"sha256": metadata_sha256(one)},
            }
            for one in files
        ],
    }  # fmt: skip

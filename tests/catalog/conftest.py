"""Each test has a server, and an environment without the settings of whoever runs it."""

from __future__ import annotations

import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from firstlight.catalog.index import Catalog
from firstlight.catalog.model import IndexFile, Metadata, Page, Trouble, TroubleKind
from firstlight.project.model import Sources
from tests.catalog.server import Server, serving

Make = Callable[..., Catalog]


class Authority(NamedTuple):
    """A certificate for 127.0.0.1 that vouches for itself."""

    bundle: Path
    context: ssl.SSLContext


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name in ("NETRC", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as one:
        yield one


@pytest.fixture
def catalog(tmp_path: Path) -> Make:
    """A catalog with an empty memory; all of one test share the cache on disk."""

    def make(**settings: object) -> Catalog:
        sources = Sources(default_indices=(), wheelhouses=(), torch_indices=(), **settings)  # type: ignore[arg-type]
        return Catalog(sources, str(tmp_path / "cache" / "catalog"))

    return make


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    folder = tmp_path_factory.mktemp("tls")
    key, bundle = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
         "30", "-keyout", str(key), "-out", str(bundle), "-subj", "/CN=loopback", "-addext",
         "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(bundle, key)
    return Authority(bundle, context)


@pytest.fixture
def secure(authority: Authority) -> Iterator[Server]:
    with serving(authority.context) as one:
        yield one


def page(answer: Page | Trouble) -> Page:
    assert isinstance(answer, Page), answer
    return answer


def metadata(answer: Metadata | Trouble) -> Metadata:
    assert isinstance(answer, Metadata), answer
    return answer


def trouble(answer: object, kind: TroubleKind) -> Trouble:
    """The trouble, whose words are there in both languages and show no secret."""
    assert isinstance(answer, Trouble), answer
    assert answer.kind == kind, answer
    assert answer.text.en != answer.text.zh
    for text in (answer.subject, answer.text.en, answer.text.zh):
        assert text
        assert "{" not in text
        assert "s3cr3t" not in text
    return answer


def names(answer: Page | Trouble) -> list[str]:
    return [file.filename for file in page(answer).files]


def wheel_at(
    url: str, filename: str = "torch-2.14.0+rocm10.1.0-cp312-cp312-linux_x86_64.whl", **said: object
) -> IndexFile:
    return IndexFile(filename=filename, url=url, **said)  # type: ignore[arg-type]

"""Settings of the network: credentials, proxies, certificates, redirects, and what can go wrong on the way."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path

import pytest

from firstlight.catalog import fetch, freshness
from firstlight.catalog.address import parse
from firstlight.catalog.index import Catalog
from firstlight.catalog.model import Page, Trouble
from firstlight.catalog.proxies import proxy_for
from firstlight.project.model import Source, Sources
from tests.catalog.conftest import Authority, Make, names, page, trouble, wheel_at
from tests.catalog.pages_test import listed
from tests.catalog.server import HTML, JSON, Server, Told, failing, in_turn, kept, moved, packed, serving, told

WHEEL = "torch-2.14.0-cp312-cp312-linux_x86_64.whl"
PAGE = f"<a href='{WHEEL}#sha256={'0' * 64}'>x</a>"
AT = "/simple/torch/"


def basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def test_what_is_asked(server: Server, catalog: Make) -> None:
    server.routes[AT] = packed(PAGE.encode())
    assert names(catalog().page(server.url(), "torch")) == [WHEEL]
    sent = server.asked[0].headers
    assert sent["user-agent"].startswith("firstlight/")
    assert sent["accept"].startswith("application/vnd.pypi.simple.v1+json, ")
    assert "authorization" not in sent


def test_chunked_answers(server: Server, catalog: Make) -> None:
    body = (
        b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (PAGE[:9].encode(), PAGE[9:].encode())) + b"0\r\n\r\n"
    )
    server.routes[AT] = told(body, HTML, Transfer_Encoding="chunked")
    assert names(catalog().page(server.url(), "torch")) == [WHEEL]


def private(wanted: str, body: str = PAGE):  # type: ignore[no-untyped-def]  # noqa: ANN201
    return lambda asked: (
        Told(200, body.encode(), {"Content-Type": HTML}) if asked.headers.get("authorization") == wanted else Told(401)
    )


@pytest.mark.parametrize(
    ("written", "user", "password"),
    [
        ("alice:s3cr3t", "alice", "s3cr3t"),
        ("al%40ice:s3%3Acr3t%2F", "al@ice", "s3:cr3t/"),
        ("s3cr3t-token", "s3cr3t-token", ""),
        ("__token__:%C3%A9", "__token__", "é"),
    ],
)
def test_credentials_of_the_address(written: str, user: str, password: str, server: Server, catalog: Make) -> None:
    server.routes[AT] = private(basic(user, password))
    one = catalog()
    (file,) = page(one.page(server.url(user=written), "torch")).files
    assert file.url == server.url(f"{AT}{WHEEL}")
    trouble(catalog().page(server.url(user="bob:s3cr3t-no"), "numpy"), "not-there")
    server.routes["*"] = failing(401)
    said = trouble(catalog().page(server.url(user="bob:s3cr3t-no"), "scipy"), "denied")
    assert said.subject == server.url("/simple/scipy/")


def test_credentials_of_an_index_hold_for_its_files_and_for_no_other_host(
    server: Server, catalog: Make, tmp_path: Path
) -> None:
    with serving() as other:
        links = f"<a href='{WHEEL}'></a><a href='{other.url('/a-1-py3-none-any.whl')}'></a>"
        server.routes["/simple/"] = private(basic("alice", "s3cr3t"), links)
        one = catalog()
        first, second = page(one.links(server.url(user="alice:s3cr3t"))).files
        trouble(one.fetch(first, str(tmp_path / "x")), "not-there")
        trouble(one.fetch(second, str(tmp_path / "x")), "not-there")
        assert server.asked[-1].headers["authorization"] == basic("alice", "s3cr3t")
        assert "authorization" not in other.asked[0].headers


def test_credentials_of_the_settings_are_known_from_the_start(server: Server, tmp_path: Path) -> None:
    """A page from the cache names a file without them."""
    source = Source(name="mine", url=server.url(user="alice:s3cr3t"), kind="index", origin="flag")
    one = Catalog(Sources(default_indices=(source,), wheelhouses=(), torch_indices=()), str(tmp_path / "c"))
    one.fetch(wheel_at(server.url("/files/x.whl")), str(tmp_path / "x"))
    assert server.asked[0].headers["authorization"] == basic("alice", "s3cr3t")


def test_of_two_indices_on_one_host_the_nearer_counts(server: Server, catalog: Make, tmp_path: Path) -> None:
    one = catalog()
    one.page(server.url("/a/simple/", user="alice:1"), "torch")
    one.page(server.url("/b/simple/", user="bob:2"), "torch")
    one.fetch(wheel_at(server.url("/b/files/x.whl")), str(tmp_path / "x"))
    one.fetch(wheel_at(server.url("/a/files/x.whl")), str(tmp_path / "x"))
    assert [asked.headers["authorization"] for asked in server.asked[-2:]] == [basic("bob", "2"), basic("alice", "1")]


def test_netrc(server: Server, catalog: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server.routes[AT] = private(basic("carol", "s3cr3t"))
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".netrc").write_text("machine 127.0.0.1 login carol password s3cr3t\n")
    assert names(catalog().page(server.url(), "torch")) == [WHEEL]
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login dave password s3cr3t\ndefault login x password s3cr3t\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    catalog().page(server.url("/other/"), "torch")
    assert server.asked[-1].headers["authorization"] == basic("dave", "s3cr3t")
    catalog().page(server.url("/other/", user="erin:9"), "numpy")
    assert server.asked[-1].headers["authorization"] == basic("erin", "9"), "the address counts more"


@pytest.mark.parametrize(
    "text",
    ["default login x password s3cr3t", "machine", "\0", "machine h login é", "machine 127.0.0.2 login a password b"],
)
def test_a_netrc_that_says_nothing_of_the_host(
    text: str, server: Server, catalog: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_bytes(text.encode("latin-1"))
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    trouble(catalog().page(server.url(), "torch"), "not-there")
    assert "authorization" not in server.asked[0].headers


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_links_are_relative_to_where_a_redirect_leads(status: int, server: Server, catalog: Make) -> None:
    server.routes[AT] = moved("/mirror/torch/", status)
    server.routes["/mirror/torch/"] = told(PAGE)
    (file,) = page(catalog().page(server.url(user="alice:s3cr3t"), "torch")).files
    assert file.url == server.url(f"/mirror/torch/{WHEEL}")
    assert [one.headers["authorization"] for one in server.asked] == [basic("alice", "s3cr3t")] * 2
    assert server.connections == 1


def test_a_redirect_to_another_host_gets_no_credentials(
    server: Server, catalog: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine localhost login carol password s3cr3t\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with serving() as other:
        other.routes[AT] = kept(PAGE)
        for number, place in enumerate(
            (other.url(AT), other.url(AT, host="localhost"), server.url(AT, host="localhost"))
        ):
            server.routes["/simple/torch/"] = moved(place)
            catalog().page(server.url(f"/{'../' * 0}simple/", user=f"alice:s3cr3t{number}"), "torch")
            server.routes[f"/s{number}/torch/"] = moved(place)
            catalog().page(server.url(f"/s{number}/", user="alice:s3cr3t"), "torch")
        assert other.asked
        assert all("authorization" not in one.headers for one in other.asked)
        assert all(
            "authorization" not in one.headers for one in server.asked if one.headers["host"].startswith("localhost")
        )


@pytest.mark.parametrize(
    ("target", "kind", "wrong"),
    [
        ("file:///etc/passwd", "damaged-index", "not on the network"),
        ("ftp://127.0.0.1/", "damaged-index", "not on the network"),
        ("http://[", "damaged-index", "no address"),
        ("/simple/torch/", "server-error", "redirects without end"),
        ("#x", "damaged-index", "no address"),
    ],
)
def test_redirects_that_lead_nowhere(target: str, kind: str, wrong: str, server: Server, catalog: Make) -> None:
    server.routes[AT] = moved(target)
    assert wrong in trouble(catalog().page(server.url(), "torch"), kind).text.en  # type: ignore[arg-type]
    assert len(server.asked) <= 10


def test_a_login_page_is_no_index(server: Server, catalog: Make) -> None:
    with serving() as portal:
        server.routes[AT] = moved(portal.url("/login", host="localhost"))
        portal.routes["/login"] = told("<form><a href='/help'>Help</a></form>")
        said = trouble(catalog().page(server.url(), "torch"), "damaged-index")
        assert "login page" in said.text.en
    server.routes["/simple/empty/"] = told("<!DOCTYPE html><html></html>")
    assert names(catalog().page(server.url(), "empty")) == []


def test_a_redirect_out_of_tls_is_refused(server: Server, secure: Server, authority: Authority, catalog: Make) -> None:
    secure.routes[AT] = moved(server.url(AT))
    said = trouble(catalog(cert=str(authority.bundle)).page(secure.url(), "torch"), "damaged-index")
    assert "redirects from TLS" in said.text.en
    assert server.asked == []
    server.routes[AT] = moved(secure.url(AT))
    secure.routes[AT] = told(PAGE)
    assert names(catalog(cert=str(authority.bundle)).page(server.url(), "torch")) == [WHEEL]


def test_certificates(
    secure: Server, authority: Authority, catalog: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secure.routes[AT] = told(PAGE)
    said = trouble(catalog().page(secure.url(), "torch"), "bad-certificate")
    assert "self-signed certificate" in said.text.en.replace("self signed", "self-signed")
    assert secure.asked == []
    assert names(catalog(cert=str(authority.bundle)).page(secure.url(), "torch")) == [WHEEL]
    wrong_name = catalog(cert=str(authority.bundle)).page(secure.url(host="localhost"), "torch")
    assert "localhost" in trouble(wrong_name, "bad-certificate").text.en
    for variable in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
        monkeypatch.setenv(variable, str(authority.bundle))
        assert names(catalog().page(secure.url(), "torch")) == [WHEEL]
        monkeypatch.delenv(variable)
    (tmp_path / "junk.pem").write_text("junk")
    for bundle in (tmp_path / "none.pem", tmp_path / "junk.pem", tmp_path):
        said = trouble(catalog(cert=str(bundle)).page(secure.url("/fresh/"), "torch"), "bad-certificate")
    trouble(catalog(client_cert="/nowhere.pem").page(secure.url("/fresh/"), "torch"), "bad-certificate")


@pytest.mark.parametrize("form", ["{host}", "{host}:{port}"])
def test_trusted_hosts_are_not_verified_and_others_are(
    form: str, secure: Server, authority: Authority, catalog: Make
) -> None:
    secure.routes[AT] = told(PAGE)
    trusted = form.format(host="127.0.0.1", port=secure.port)
    assert names(catalog(trusted_hosts=(trusted,)).page(secure.url(), "torch")) == [WHEEL]
    with serving(authority.context) as other:
        one = catalog(trusted_hosts=("other.example", f"127.0.0.1:{secure.port}", "localhost:1"))
        assert names(one.page(secure.url("/simple"), "torch")) == [WHEEL]
        trouble(one.page(other.url(), "torch"), "bad-certificate")


def test_proxies(
    server: Server, secure: Server, authority: Authority, catalog: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as proxy:
        proxy.routes["http://index.example/simple/torch/"] = told(PAGE)
        through = proxy.url("", user="alice:s3cr3t")
        assert names(catalog(proxy=through).page("http://index.example/simple", "torch")) == [WHEEL]
        assert proxy.asked[-1].headers["proxy-authorization"] == basic("alice", "s3cr3t")
        secure.routes[AT] = told(PAGE)
        one = catalog(proxy=through.removeprefix("http://"), cert=str(authority.bundle))
        assert names(one.page(secure.url(), "torch")) == [WHEEL]
        assert (proxy.asked[-1].method, proxy.asked[-1].path) == ("CONNECT", f"127.0.0.1:{secure.port}")
        assert "proxy-authorization" not in secure.asked[-1].headers
        monkeypatch.setenv("HTTP_PROXY", proxy.url(""))
        proxy.routes["*"] = failing(407)
        trouble(catalog().page("http://other.example/simple", "torch"), "denied")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        server.routes[AT] = told(PAGE)
        assert names(catalog().page(server.url(), "torch")) == [WHEEL]
    gone = trouble(catalog(proxy=through).page("http://index.example/x", "torch"), "unreachable")
    assert "the proxy: Connection refused" in gone.text.en
    trouble(catalog(proxy="http://[").page("http://index.example/x", "torch"), "unreachable")
    trouble(catalog(proxy="socks5://127.0.0.1:1").page("http://index.example/x", "torch"), "unreachable")


@pytest.mark.parametrize(
    ("url", "environ", "wanted"),
    [
        ("http://a.example/", {}, None),
        ("http://a.example/", {"http_proxy": "p:1"}, "http://p:1"),
        ("https://a.example/", {"http_proxy": "p:1"}, None),
        ("https://a.example/", {"HTTPS_PROXY": "https://p:1", "https_proxy": ""}, "https://p:1"),
        ("https://a.example/", {"ALL_PROXY": "p:1"}, "http://p:1"),
        ("http://a.example/", {"http_proxy": "p", "no_proxy": "*"}, None),
        ("http://a.example/", {"http_proxy": "p", "no_proxy": "b.example, EXAMPLE"}, None),
        ("http://a.example/", {"http_proxy": "p", "no_proxy": ".a.example"}, None),
        ("http://xa.example/", {"http_proxy": "p", "no_proxy": "a.example"}, "http://p"),
        ("http://a.example/", {"http_proxy": "p", "no_proxy": "a.example:80"}, None),
        ("http://a.example:81/", {"http_proxy": "p", "NO_PROXY": "a.example:80"}, "http://p"),
        ("http://10.1.2.3/", {"http_proxy": "p", "no_proxy": "10.0.0.0/8"}, None),
        ("http://11.1.2.3/", {"http_proxy": "p", "no_proxy": "10.0.0.0/8,x/y"}, "http://p"),
        ("http://a.example/", {"http_proxy": "p", "no_proxy": "10.0.0.0/8"}, "http://p"),
        ("http://[::1]:8/", {"http_proxy": "p", "no_proxy": "::1"}, None),
        ("http://[::1]:8/", {"http_proxy": "p", "no_proxy": "[::1]:9"}, "http://p"),
        ("http://a.example/", {"http_proxy": "p", "no_proxy": " , ."}, "http://p"),
    ],
)
def test_which_proxy(url: str, environ: dict[str, str], wanted: str | None) -> None:
    assert proxy_for(parse(url), None, environ) == wanted
    assert proxy_for(parse(url), "q:2", environ) == "http://q:2", "the user's own proxy holds for all, as with pip"


@pytest.mark.parametrize("fault", ["drop", "truncate"])
def test_a_dropped_connection_is_tried_once_more(fault: str, server: Server, catalog: Make) -> None:
    dropped = lambda _: Told(200, PAGE.encode(), {"Content-Type": HTML}, fault)  # type: ignore[arg-type] # noqa: E731
    server.routes[AT] = in_turn(dropped, told(PAGE))
    assert names(catalog().page(server.url(), "torch")) == [WHEEL]
    server.routes["/simple/numpy/"] = dropped
    assert "broke off" in trouble(catalog().page(server.url(), "numpy"), "unreachable").text.en
    assert server.paths() == [AT, AT, "/simple/numpy/", "/simple/numpy/"]


def test_silence_and_dripping_end(server: Server, catalog: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "PLANNING", 0.3)
    monkeypatch.setattr(fetch.Network.opened.__wrapped__, "__kwdefaults__", {"silence": 0.3})  # type: ignore[attr-defined]
    server.routes[AT] = lambda _: Told(fault="hang")
    assert "no answer in time" in trouble(catalog().page(server.url(), "torch"), "unreachable").text.en
    monkeypatch.setattr(fetch.Network.get, "__kwdefaults__", {"headers": None, "unpack": False, "seconds": 0.3})
    server.routes["/simple/numpy/"] = lambda _: Told(200, b"x" * 100, {"Content-Type": HTML}, "drip")
    assert "longer than" in trouble(catalog().page(server.url(), "numpy"), "unreachable").text.en


def test_a_host_that_does_not_answer_is_not_tried_for_every_page(catalog: Make) -> None:
    with serving() as gone:
        url = gone.url()
    one = catalog()
    assert "Connection refused" in trouble(one.page(url, "torch"), "unreachable").text.en
    with serving() as back:
        again = url.replace(url.split(":")[2].split("/")[0], str(back.port))
        assert isinstance(one.page(again, "torch"), Trouble)
    assert "Connection refused" in trouble(one.page(url, "numpy"), "unreachable").text.en


def test_names_that_do_not_resolve(catalog: Make) -> None:
    said = trouble(catalog().page("http://nowhere.invalid/simple/", "torch"), "unreachable")
    assert "does not resolve" in said.text.en
    trouble(catalog().page(f"http://{'a' * 70}.invalid/simple/", "torch"), "unreachable")
    trouble(catalog().page("http://é.example/simple/", "torch"), "damaged-index")


def test_object_stores_hide_what_they_do_not_have(server: Server, catalog: Make) -> None:
    denied = b"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>"
    server.routes["*"] = failing(403, denied)
    trouble(catalog().page(server.url(), "torch"), "not-there")
    server.routes["*"] = failing(403, b"", Server="AmazonS3")
    trouble(catalog().page(server.url("/2/"), "torch"), "not-there")
    trouble(catalog().page(server.url("/3/", user="alice:s3cr3t"), "torch"), "denied")


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (b"junk", "gzip"),
        (b"", "gzip"),
        (gzip.compress(b"x" * 9999)[:-9], "gzip"),
        (b"junk", "br"),
        (b"x", "gzip, gzip"),
    ],
)
def test_bodies_that_cannot_be_unpacked(body: bytes, encoding: str, server: Server, catalog: Make) -> None:
    server.routes[AT] = told(body, HTML, Content_Encoding=encoding)
    said = trouble(catalog().page(server.url(), "torch"), "damaged-index").text.en
    assert "cannot be unpacked" in said or "not asked for" in said


def test_answers_that_are_not_http(catalog: Make) -> None:
    import socket
    from threading import Thread

    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        for _ in range(3):
            one, _ = listener.accept()
            one.recv(1000)
            one.sendall(b"SSH-2.0-OpenSSH_9.6\r\n")
            one.close()

    thread = Thread(target=serve, daemon=True)
    thread.start()
    trouble(catalog().page(f"http://127.0.0.1:{listener.getsockname()[1]}/", "torch"), "unreachable")
    trouble(catalog().page(f"https://127.0.0.1:{listener.getsockname()[1]}/", "torch"), "unreachable")
    thread.join(5)
    listener.close()


def test_validators_that_cannot_be_sent_back_are_not_kept() -> None:
    said = freshness.validity({"etag": '"a\x01"', "last-modified": "é"}, 0.0)
    assert said.conditions() == {}


def test_an_answer_of_nothing_new_to_a_question_without_condition(server: Server, catalog: Make) -> None:
    server.routes[AT] = failing(304)
    assert not isinstance(catalog().page(server.url(), "torch"), Page)


def test_json_over_the_wire(server: Server, catalog: Make) -> None:
    server.routes[AT] = told(listed({"filename": WHEEL, "url": "x", "hashes": {}}), JSON)
    assert names(catalog().page(server.url(), "torch")) == [WHEEL]

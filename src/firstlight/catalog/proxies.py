"""Which proxy leads to a host, as pip and curl choose it."""

from __future__ import annotations

from collections.abc import Mapping

from .address import PORTS, Address


def proxy_for(address: Address, configured: str | None, environ: Mapping[str, str]) -> str | None:
    """The proxy's URL. One that the settings name holds for all hosts, as with pip; else `<scheme>_proxy` or
    `all_proxy`, but for the hosts of `no_proxy`."""
    if configured:
        return _with_scheme(configured)
    if _bypassed(address, _variable(environ, "no_proxy")):
        return None
    scheme = address.url.partition(":")[0]
    found = _variable(environ, f"{scheme}_proxy") or _variable(environ, "all_proxy")
    return _with_scheme(found) if found else None


def _variable(environ: Mapping[str, str], name: str) -> str:
    """Lower case first, as curl does."""
    return (environ.get(name) or environ.get(name.upper()) or "").strip()


def _with_scheme(proxy: str) -> str:
    return proxy if "://" in proxy else f"http://{proxy}"


def _bypassed(address: Address, listed: str) -> bool:
    port = address.origin.rpartition(":")[2]
    entries = (entry.strip().lower() for entry in listed.replace(" ", ",").split(","))
    return any(_fits(address.host, port, entry) for entry in entries if entry)


def _fits(host: str, port: str, entry: str) -> bool:
    """`*`, a host with all below it, `host:port`, an address, a network (`10.0.0.0/8`)."""
    if entry == "*":
        return True
    if "/" in entry:
        return _in_network(host, entry)
    name, colon, wanted = entry.rpartition(":")
    if colon and wanted.isdigit() and ":" not in name.strip("[]") and wanted != port:
        return False
    name = (name if colon and wanted.isdigit() and ":" not in name.strip("[]") else entry).strip("[]").lstrip("*.")
    return host == name or host.endswith(f".{name}")


def _in_network(host: str, entry: str) -> bool:
    from ipaddress import ip_address, ip_network

    try:
        return ip_address(host) in ip_network(entry, strict=False)
    except ValueError:
        return False


def trusts(address: Address, trusted: tuple[str, ...]) -> bool:
    """Whether the user wants no verification of this host (pip's `trusted-host`: a host, or host and port)."""
    port = int(address.origin.rpartition(":")[2])
    plain = f"[{address.host}]" if ":" in address.host else address.host
    names = {plain, address.host, f"{plain}:{port}"}
    return address.url.partition(":")[0] in PORTS and any(one.lower() in names for one in trusted)

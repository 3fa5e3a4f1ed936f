"""Addresses that a registry names, in a redirect or as its token server, to which this machine sends a request."""

from __future__ import annotations

import ipaddress
import socket

import urllib3

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def reason_against(url: str, registry: str, *, resolves: bool = True) -> str:
    """Why no request is sent to a URL that the registry on the host ``registry`` names; empty where it may be.

    HTTPS alone, never the link-local network (instance metadata), and an address that is not public only for a
    registry whose own address is not public. ``resolves``: False where a proxy looks up names.
    """
    target = urllib3.util.parse_url(url)  # as the request is sent
    host = (target.host or "").strip("[]")
    own, found = _addresses(registry, resolves=resolves), _addresses(host, resolves=resolves)
    is_this_machine = bool(found) and all(each.is_loopback for each in (*own, *found))
    if target.scheme != "https" and not (target.scheme == "http" and is_this_machine):
        return f"{target.scheme or 'it'} is not https"
    if any(each.is_link_local for each in found):
        return f"{host} is a link-local address"
    if all(each.is_global for each in own) and any(not each.is_global for each in found):
        return f"{host} is not a public address, and {registry} is one"
    return ""


def _addresses(host: str, *, resolves: bool) -> list[Address]:
    """Every address of a name; none for one that is not known, to which no request can be sent."""
    try:
        return [_mapped(ipaddress.ip_address(host.partition("%")[0]))]
    except ValueError:
        pass
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM) if resolves else []
    except (OSError, ValueError):  # ValueError: a label that is too long
        return []
    return [_mapped(ipaddress.ip_address(str(each[4][0]).partition("%")[0])) for each in found]


def _mapped(address: Address) -> Address:
    """An IPv4 address that is written as IPv6 is the IPv4 address."""
    return getattr(address, "ipv4_mapped", None) or address

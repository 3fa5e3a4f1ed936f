"""One bounded HTTP request to a registry."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.errors import ToolkitError

TIMEOUT_SECONDS = 5.0
"""For each answer. Digests are worth having, not worth waiting for."""

LOOPBACK = ("127.0.0.1", "localhost")
"""Registries on this machine speak plain HTTP, as docker and helm take it."""


class RegistryError(ToolkitError):
    """A registry did not tell. ``is_unreachable``: it gave no answer at all, and need not be asked again."""

    def __init__(self, message: str, *, is_unreachable: bool = False) -> None:
        super().__init__(message, hint="check the network, a proxy, and the name and version")
        self.is_unreachable = is_unreachable


class Answer(Struct, frozen=True):
    """``headers`` by name in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def base_url(host: str) -> str:
    """``https://HOST``; a registry on this machine speaks HTTP."""
    return f"{'http' if host.partition(':')[0] in LOOPBACK else 'https'}://{host}"


def get(url: str, *, accept: str, authorization: str | None = None, most_bytes: int) -> Answer:
    """Asks once. A refusal (401, 404, …) is an answer too. Raises ``RegistryError`` when there is none.

    ``authorization`` is for the first server alone: a redirect to a store elsewhere does not carry it along.
    """
    host = urllib.parse.urlsplit(url).hostname or ""
    request = urllib.request.Request(url, headers={"Accept": accept, "User-Agent": "neuron-cluster"})  # noqa: S310 - callers build http(s) only
    if authorization is not None:
        request.add_unredirected_header("Authorization", authorization)
    proxies = [urllib.request.ProxyHandler({})] if host in LOOPBACK else []
    try:
        with urllib.request.build_opener(*proxies).open(request, timeout=TIMEOUT_SECONDS) as answer:
            return _bounded(answer, host, most_bytes)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return _bounded(refusal, host, most_bytes)
    except (urllib.error.URLError, OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise RegistryError(f"{host} does not answer: {reason}", is_unreachable=True) from error


def _bounded(answer: http.client.HTTPResponse | urllib.error.HTTPError, host: str, most_bytes: int) -> Answer:
    try:
        body = answer.read(most_bytes + 1)
    except (OSError, http.client.HTTPException) as error:
        raise RegistryError(f"{host} broke off: {error}", is_unreachable=True) from error
    if len(body) > most_bytes:
        raise RegistryError(f"{host} answers with more than {most_bytes // 2**20} MiB")
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return Answer(answer.status or 0, headers, body)

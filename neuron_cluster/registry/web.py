"""One bounded HTTP request to a registry."""

from __future__ import annotations

import functools
import ssl
import urllib.parse
import urllib.request
from collections.abc import Mapping

import urllib3
from msgspec import Struct

from neuron_cluster.errors import ToolkitError
from neuron_cluster.registry.named_address import reason_against

TIMEOUT_SECONDS = 5.0
"""The limit of each response: a lock without a digest is better than a long wait."""

LOOPBACK = ("127.0.0.1", "localhost")
"""Registries on this machine use plain HTTP, as for docker and helm."""


CHUNK_BYTES = 2**16
MAX_REDIRECTS = 10
REDIRECTS = (301, 302, 303, 307, 308)


class RegistryError(ToolkitError):
    """A registry returned no digest. ``is_unreachable``: it did not respond, and is not queried again.

    ``is_missing``: it responded that it has no such repository or tag.
    """

    def __init__(self, message: str, *, is_unreachable: bool = False, is_missing: bool = False) -> None:
        super().__init__(message, hint="check the network, a proxy, and the name and version")
        self.is_unreachable = is_unreachable
        self.is_missing = is_missing


class Answer(Struct, frozen=True):
    """``headers`` by name in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def base_url(host: str) -> str:
    """``https://HOST``; ``http`` for a registry on this machine."""
    return f"{'http' if host.partition(':')[0] in LOOPBACK else 'https'}://{host}"


def get(url: str, *, accept: str, authorization: str | None = None, max_bytes: int) -> Answer:
    """Sends one request. An error status (401, 404, …) is a response too. Raises ``RegistryError`` without a response.

    ``authorization`` is sent only to the first server, not to the target of a redirect, which has to be one that a
    registry may name.
    """
    host = urllib.parse.urlsplit(url).hostname or ""
    headers = {"Accept": accept, "User-Agent": "neuron-cluster"}
    own = {} if authorization is None else {"Authorization": authorization}
    is_local = host in LOOPBACK
    try:
        for _ in range(MAX_REDIRECTS):
            response = _pool(None if is_local else _proxy(url)).request(
                "GET", url, headers=headers | own, redirect=False, retries=False, preload_content=False
            )
            target = response.headers.get("Location") if response.status in REDIRECTS else None
            if target is None:
                return _bounded(response, host, max_bytes)
            response.close()
            url, own = urllib.parse.urljoin(url, target), {}
            require_named(url, host)
    except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
        raise RegistryError(f"{host} does not respond: {_reason(error)}", is_unreachable=True) from error
    raise RegistryError(f"{host} redirects more than {MAX_REDIRECTS} times", is_unreachable=True)


def require_named(url: str, registry: str) -> None:
    """Raises ``RegistryError`` for a URL to which a registry may not send this machine."""
    try:
        reason = reason_against(url, registry, resolves=_proxy(url) is None)
    except (urllib3.exceptions.HTTPError, ValueError) as error:
        reason = str(error)
    if reason:
        raise RegistryError(f"{registry} names an address to which no request is sent: {reason}")


def _proxy(url: str) -> str | None:
    """From the environment (``HTTPS_PROXY``, ``NO_PROXY``), which urllib3 does not read."""
    parts = urllib.parse.urlsplit(url)
    return None if urllib.request.proxy_bypass(parts.netloc) else urllib.request.getproxies().get(parts.scheme)


@functools.cache
def _pool(proxy: str | None) -> urllib3.PoolManager:
    """One for all requests: a token and thirty manifests of one registry share a connection."""
    trust, timeout = ssl.create_default_context(), urllib3.Timeout(connect=TIMEOUT_SECONDS, read=TIMEOUT_SECONDS)
    if proxy is None:
        return urllib3.PoolManager(ssl_context=trust, timeout=timeout)
    address = proxy if "://" in proxy else f"http://{proxy}"
    sign_in = urllib.parse.unquote(urllib3.util.parse_url(address).auth or "")
    headers = urllib3.make_headers(proxy_basic_auth=sign_in) if sign_in else None
    return urllib3.ProxyManager(address, proxy_headers=headers, ssl_context=trust, timeout=timeout)


def _reason(error: Exception) -> object:
    """The error of the operating system or TLS, without the names of urllib3's objects."""
    return error.__cause__ or error.__context__ or error


def _bounded(response: urllib3.BaseHTTPResponse, host: str, max_bytes: int) -> Answer:
    body = bytearray()
    try:
        for chunk in response.stream(CHUNK_BYTES, decode_content=False):
            body += chunk
            if len(body) > max_bytes:
                break
    except (urllib3.exceptions.HTTPError, OSError) as error:
        response.close()
        raise RegistryError(f"the connection to {host} was interrupted: {error}", is_unreachable=True) from error
    if len(body) > max_bytes:
        response.close()
        raise RegistryError(f"{host} returned more than {max_bytes // 2**20} MiB")
    response.release_conn()
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Answer(response.status, headers, bytes(body))

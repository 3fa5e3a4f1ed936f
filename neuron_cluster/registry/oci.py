"""Digests from registries with the OCI distribution API and its token challenge.

No client library: two GET requests are enough.
Source: https://github.com/opencontainers/distribution-spec (pull, manifests);
https://distribution.github.io/distribution/spec/auth/token (challenge).
"""

from __future__ import annotations

import hashlib
import json
import re
import urllib.parse
from http import HTTPStatus

from neuron_cluster.registry.web import Answer, RegistryError, base_url, get, require_named

MANIFESTS = (
    "application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json, "
    "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json"
)
"""Lists first: the digest of a tag is that of the list, which nodes of every architecture pull."""

MANIFEST_BYTES = 4 * 2**20
"""The manifest size that registries must accept by the specification, and that most limit to."""

TOKEN_BYTES = 2**20


def manifest_digest(reference: str, *, authorization: str | None = None) -> str:
    """The current digest of ``HOST/NAME:TAG``. Raises ``RegistryError``.

    ``authorization`` is a whole header value, for registries with a sign-in of their own; others get an anonymous token
    when they ask for one.
    """
    host, _, rest = reference.partition("/")
    name, _, tag = rest.rpartition(":")
    if not (host and name and tag):
        raise RegistryError(f"{reference} is not HOST/NAME:TAG")
    url = f"{base_url(host)}/v2/{urllib.parse.quote(name)}/manifests/{urllib.parse.quote(tag)}"
    answer = get(url, accept=MANIFESTS, authorization=authorization, max_bytes=MANIFEST_BYTES)
    if answer.status == HTTPStatus.UNAUTHORIZED and authorization is None:
        token = _token(answer.headers.get("www-authenticate", ""), host)
        answer = get(url, accept=MANIFESTS, authorization=f"Bearer {token}", max_bytes=MANIFEST_BYTES)
    if answer.status != HTTPStatus.OK:
        is_missing = answer.status == HTTPStatus.NOT_FOUND
        raise RegistryError(f"{host} returned {answer.status} for {name}:{tag}", is_missing=is_missing)
    return _digest(answer, reference)


def _digest(answer: Answer, reference: str) -> str:
    """The digest of the bytes; raises an error where the registry returned another one."""
    digest = f"sha256:{hashlib.sha256(answer.body).hexdigest()}"
    claimed = answer.headers.get("docker-content-digest", digest)
    if claimed != digest:
        raise RegistryError(f"{reference}: the registry reports digest {claimed[:80]}, its manifest has {digest}")
    return digest


def _token(challenge: str, host: str) -> str:
    """An anonymous token from the server in the challenge."""
    parameters = dict(re.findall(r'([a-z]+)="([^"]*)"', challenge)) if challenge.lower().startswith("bearer ") else {}
    realm = parameters.pop("realm", "")
    if not realm.startswith(("https://", f"{base_url(host)}/")):  # a token must not travel in the clear
        raise RegistryError(f"{host} requires an authentication method that this command does not support")
    require_named(realm, urllib.parse.urlsplit(base_url(host)).hostname or host)
    query = urllib.parse.urlencode({key: parameters[key] for key in ("service", "scope") if key in parameters})
    answer = get(f"{realm}?{query}", accept="application/json", max_bytes=TOKEN_BYTES)
    try:
        answered = json.loads(answer.body) if answer.status == HTTPStatus.OK else {}
    except ValueError:
        answered = {}
    token = (answered.get("token") or answered.get("access_token")) if isinstance(answered, dict) else None
    if not isinstance(token, str) or not token.isascii() or not token.isprintable():
        raise RegistryError(f"{host} returned no token for an anonymous caller (status {answer.status})")
    return token

"""The secret of each local AWS that this process runs or has found: its clients sign with it, the server checks it.

A secret lives as long as its local AWS. It is handed on in variables and in a file that its owner alone reads, never in
the arguments of a process, which every user of the machine can see.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Final

UNKNOWN: Final = "unknown"
"""The secret of a client where none is known: the local AWS then answers that the signature does not match."""

_by_endpoint: dict[str, str] = {}


def new_secret() -> str:
    """A secret of 240 random bits, in letters that need no quoting."""
    return secrets.token_urlsafe(30)


def remember_secret(endpoint: str, secret: str) -> None:
    """From now on clients of this process sign with it at this endpoint."""
    _by_endpoint[endpoint] = secret


def forget_secret(endpoint: str) -> None:
    _by_endpoint.pop(endpoint, None)


def secret_of(endpoint: str) -> str:
    """The secret of the local AWS at this endpoint, or ``UNKNOWN``."""
    return _by_endpoint.get(endpoint, UNKNOWN)


def local_endpoint(url: str) -> str | None:
    """The endpoint of the local AWS of the URL, of those whose secret is known; None for another URL."""
    return next((known for known in _by_endpoint if url == known or url.startswith(f"{known}/")), None)


PROOF_PATH: Final = "/_neuron/proof"
_NONCE = re.compile(r"[0-9a-f]{32,128}")


def proof(secret: str, endpoint: str, nonce: str) -> str:
    """Holds for this endpoint alone, so that another server cannot pass on the question. No signature of a request
    is calculated in this way.
    """
    return hmac.new(secret.encode(), f"proof of {endpoint} for {nonce}".encode(), hashlib.sha256).hexdigest()


def is_nonce(text: str) -> bool:
    return _NONCE.fullmatch(text) is not None

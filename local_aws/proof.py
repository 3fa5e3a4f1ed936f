"""How a server shows that it knows the secret of a run, without telling it: before it is sent a template."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Final

PROOF_PATH: Final = "/_neuron/proof"
_NONCE = re.compile(r"[0-9a-f]{32,128}")


def proof(secret: str, endpoint: str, nonce: str) -> str:
    """Holds for this endpoint alone, so that another server cannot pass on the question. No signature of a request
    is calculated in this way.
    """
    return hmac.new(secret.encode(), f"proof of {endpoint} for {nonce}".encode(), hashlib.sha256).hexdigest()


def is_nonce(text: str) -> bool:
    return _NONCE.fullmatch(text) is not None

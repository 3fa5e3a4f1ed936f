"""The one ConfigMap that this Job may read and patch: the launcher's public key at its start, the result at its end."""

from __future__ import annotations

import json
import os
import ssl
import urllib.request
from collections.abc import Mapping
from pathlib import Path

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
TIMEOUT_SECONDS = 20


class ResultStore:
    """The ConfigMap ``name`` in the namespace of this pod. Both methods raise OSError when the API says no."""

    def __init__(self, name: str) -> None:
        host, port = os.environ["KUBERNETES_SERVICE_HOST"], os.environ["KUBERNETES_SERVICE_PORT"]
        namespace = (ACCOUNT / "namespace").read_text().strip()
        authority = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._url = f"https://{authority}/api/v1/namespaces/{namespace}/configmaps/{name}"
        self._tls = ssl.create_default_context(cafile=str(ACCOUNT / "ca.crt"))

    def read(self) -> dict[str, str]:
        """The keys and texts that it holds now."""
        data: dict[str, str] = self._call("GET", None).get("data") or {}
        return data

    def write(self, data: Mapping[str, str]) -> None:
        """Sets these keys; the others stay."""
        self._call("PATCH", json.dumps({"data": dict(data)}).encode())

    def _call(self, method: str, body: bytes | None) -> dict[str, dict[str, str]]:
        # The token is read for each call: the kubelet replaces it before it expires.
        headers = {
            "Authorization": f"Bearer {(ACCOUNT / 'token').read_text().strip()}",
            "Content-Type": "application/merge-patch+json",
        }
        request = urllib.request.Request(self._url, data=body, method=method, headers=headers)  # noqa: S310  https above
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS, context=self._tls) as answer:  # noqa: S310
            document: dict[str, dict[str, str]] = json.load(answer)
            return document

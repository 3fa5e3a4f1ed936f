"""The Kubernetes API as a pod with a mounted token calls it: ConfigMaps of its namespace, read and patched.

``urllib`` gets its answers from files that all pods share: there is no server, no TLS, and RBAC is not evaluated.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import re
import ssl
import urllib.request
import urllib.response
from email.message import Message
from pathlib import Path
from typing import Any

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
FOLDER = Path("/run/kubernetes")
CONFIG_MAP = re.compile(r"/api/v1/namespaces/[^/]+/configmaps/(?P<name>[^/]+)")
NOT_FOUND, NOT_ALLOWED, OK = 404, 405, 200


def answer(request: Any) -> tuple[int, dict[str, Any]]:
    found = CONFIG_MAP.fullmatch(request.selector)
    file = FOLDER / found["name"] if found else None
    if file is None or not file.exists():
        return NOT_FOUND, {"kind": "Status", "reason": "NotFound"}
    with file.open("r+", encoding="utf-8") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        data = json.load(opened)
        if request.get_method() == "PATCH":
            given = json.loads(request.data)["data"]
            data = {name: value for name, value in (data | given).items() if value is not None}
            opened.seek(0)
            opened.truncate()
            json.dump(data, opened)
        elif request.get_method() != "GET":
            return NOT_ALLOWED, {"kind": "Status", "reason": "MethodNotAllowed"}
    return OK, {"kind": "ConfigMap", "data": data}


def use() -> None:
    """From now on, for the host of KUBERNETES_SERVICE_HOST."""
    handler: Any = urllib.request.HTTPSHandler
    others, contexts = handler.https_open, ssl.create_default_context

    def https_open(self: Any, request: Any) -> Any:
        if request.host.rpartition(":")[0] != os.environ["KUBERNETES_SERVICE_HOST"]:
            return others(self, request)
        status, document = answer(request)
        response: Any = urllib.response.addinfourl(
            io.BytesIO(json.dumps(document).encode()), Message(), request.full_url, status
        )
        response.msg = document.get("reason", "OK")
        return response

    def context(*arguments: Any, cafile: str | None = None, **options: Any) -> Any:
        return contexts(*arguments, cafile=None if cafile == str(ACCOUNT / "ca.crt") else cafile, **options)

    handler.https_open = https_open
    modules: Any = ssl
    modules.create_default_context = context

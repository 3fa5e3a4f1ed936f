"""A Kubernetes API server that serves given objects to the real kubectl: discovery, lists, logs and merge patches."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import yaml

Body = dict[str, Any]
RESOURCES: Mapping[str, tuple[str, str, bool]] = {
    "pods": ("v1", "Pod", True),
    "events": ("v1", "Event", True),
    "persistentvolumeclaims": ("v1", "PersistentVolumeClaim", True),
    "nodes": ("v1", "Node", False),
    "deployments": ("apps/v1", "Deployment", True),
    "jobs": ("batch/v1", "Job", True),
    "cronjobs": ("batch/v1", "CronJob", True),
    "jobsets": ("jobset.x-k8s.io/v1alpha2", "JobSet", True),
    "leaderworkersets": ("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", True),
    "mpijobs": ("kubeflow.org/v2beta1", "MPIJob", True),
    "pytorchjobs": ("kubeflow.org/v1", "PyTorchJob", True),
    "workloads": ("kueue.x-k8s.io/v1beta2", "Workload", True),
    "localqueues": ("kueue.x-k8s.io/v1beta2", "LocalQueue", True),
    "clusterqueues": ("kueue.x-k8s.io/v1beta2", "ClusterQueue", False),
    "scaledobjects": ("keda.sh/v1alpha1", "ScaledObject", True),
}
"""Plural name to version, kind, and whether it is in a namespace."""


class FakeApiServer:
    """``without`` are API groups and versions that it does not serve, ``forbidden`` resources that the user may not
    list, ``may_not_create`` those that it may not create.

    ``documents`` are served by their path (``/apis/GROUP/VERSION/…``), in addition to objects; a function gets the
    path with its query. A tuple is an error: code, reason, message.
    """

    def __init__(
        self,
        objects: Iterable[Mapping[str, Any]],
        *,
        logs: Mapping[str, str] | None = None,
        without: Iterable[str] = (),
        forbidden: Iterable[str] = (),
        documents: Mapping[str, Any] | None = None,
        may_not_create: Iterable[str] = (),
        after_patch: Callable[[FakeApiServer, str], None] | None = None,
    ) -> None:
        self.objects: list[Body] = [dict(body) for body in objects]
        self.logs = dict(logs or {})
        self.patches: list[tuple[str, Body]] = []
        self.without, self.forbidden = set(without), set(forbidden)
        self.may_not_create = set(may_not_create)
        self.after_patch = after_patch
        self.documents = dict(documents or {})
        handler = type("Handler", (_Handler,), {"state": self})
        self.is_closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """``http://127.0.0.1:PORT``."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def kubeconfig(self, file: Path, cluster: str, context: str = "here") -> Path:
        """Writes a kubeconfig whose context names ``cluster``."""
        body = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": cluster, "cluster": {"server": self.url}}],
            "users": [{"name": "someone", "user": {}}],
            "contexts": [{"name": context, "context": {"cluster": cluster, "user": "someone"}}],
        }
        file.write_text(yaml.safe_dump(body))
        return file

    def versions(self) -> dict[str, list[str]]:
        """Group to its versions, the core group left out."""
        found: dict[str, list[str]] = {}
        of_documents = ("/".join(path.split("/")[2:4]) for path in self.documents)
        for version in (*(row[0] for row in RESOURCES.values()), *of_documents):
            group, slash, _ = version.partition("/")
            if slash and self.without.isdisjoint((group, version)) and version not in found.setdefault(group, []):
                found[group].append(version)
        return found

    def is_there(self, pod: str) -> bool:
        return any(body["metadata"]["name"] == pod for body in self.items("pods", None))

    def items(self, plural: str, namespace: str | None) -> list[Body]:
        kind = RESOURCES[plural][1]
        return [
            body
            for body in self.objects
            if body["kind"] == kind and namespace in (None, body["metadata"].get("namespace"))
        ]


def _merge(into: Body, patch: Mapping[str, Any]) -> None:
    for key, value in patch.items():
        if isinstance(value, dict):
            _merge(into.setdefault(key, {}), value)
        else:
            into[key] = value


class _Handler(BaseHTTPRequestHandler):
    state: FakeApiServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        parts = [part for part in urlsplit(self.path).path.split("/") if part]
        if self.path.partition("?")[0] in self.state.documents:
            found = self.state.documents[self.path.partition("?")[0]]
            body = found(self.path) if callable(found) else found
            if isinstance(body, tuple):
                self._send_status(*body)
            else:
                self._send(body)
        elif parts == ["api"]:
            self._send({"kind": "APIVersions", "versions": ["v1"]})
        elif parts == ["apis"]:
            self._send({"kind": "APIGroupList", "apiVersion": "v1", "groups": self._groups()})
        elif parts == ["api", "v1"] or self._is_version("/".join(parts[1:])):
            self._send(self._resources("/".join(parts[1:])))
        elif parts[-1] == "log":
            self._send_log(parts[-2])
        else:
            self._send_objects(parts)

    def do_POST(self) -> None:
        """A SelfSubjectAccessReview, which kubectl sends as protobuf."""
        review = self.rfile.read(int(self.headers["Content-Length"]))
        is_allowed = not any(name.encode() in review for name in self.state.may_not_create)
        kind = {"kind": "SelfSubjectAccessReview", "apiVersion": "authorization.k8s.io/v1"}
        self._send({**kind, "spec": {}, "status": {"allowed": is_allowed}}, 201)

    def do_PATCH(self) -> None:
        plural, name = self.path.partition("?")[0].split("/")[-2:]
        patch = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = next(each for each in self.state.items(plural, None) if each["metadata"]["name"] == name)
        _merge(body, patch)
        self.state.patches.append((f"{plural}/{name}", patch))
        self._send(body)
        if self.state.after_patch is not None:
            self.state.after_patch(self.state, f"{plural}/{name}")

    def _is_version(self, name: str) -> bool:
        return any(name in versions for versions in self.state.versions().values())

    def _groups(self) -> list[Body]:
        return [
            {
                "name": group,
                "versions": [{"groupVersion": each, "version": each.partition("/")[2]} for each in versions],
                "preferredVersion": {"groupVersion": versions[0], "version": versions[0].partition("/")[2]},
            }
            for group, versions in self.state.versions().items()
        ]

    def _resources(self, version: str) -> Body:
        named = [
            {"name": plural, "singularName": kind.lower(), "kind": kind, "namespaced": spaced, "verbs": ["get", "list"]}
            for plural, (of_version, kind, spaced) in RESOURCES.items()
            if of_version == version
        ]
        return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version, "resources": named}

    def _send_objects(self, parts: list[str]) -> None:
        """``[…, namespaces, NS, pods]``, and the same with a name."""
        plural = parts[-1] if parts[-1] in RESOURCES else parts[-2]
        if plural not in RESOURCES:  # kubectl looks for the namespace of an object that it does not find
            self._send_status(404, "NotFound", f"{self.path} not found")
            return
        version, kind, _ = RESOURCES[plural]
        if plural in self.state.forbidden:
            message = f'{plural} is forbidden: User "someone" cannot list resource "{plural}"'
            self._send_status(403, "Forbidden", message)
            return
        namespace = parts[parts.index("namespaces") + 1] if "namespaces" in parts else None
        found = self.state.items(plural, namespace)
        if parts[-1] == plural:
            self._send({"kind": f"{kind}List", "apiVersion": version, "metadata": {}, "items": found})
            return
        named = [body for body in found if body["metadata"]["name"] == parts[-1]]
        if named:
            self._send(named[0])
        else:
            self._send_status(404, "NotFound", f'{plural} "{parts[-1]}" not found')

    def _send_log(self, pod: str) -> None:
        if pod in self.state.logs and "follow=true" in self.path:
            self.send_response(200)
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(self.state.logs[pod].encode())
            self.wfile.flush()
            while self.state.is_there(pod) and not self.state.is_closing.wait(0.02):
                pass
        elif pod in self.state.logs:
            self._write(200, self.state.logs[pod].encode(), "text/plain")
        else:
            self._send_status(400, "BadRequest", f'container "trainer" in pod "{pod}" is waiting to start')

    def _send_status(self, code: int, reason: str, message: str) -> None:
        body = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "message": message}
        self._send({**body, "code": code}, code)

    def _send(self, body: Body, code: int = 200) -> None:
        self._write(code, json.dumps(body).encode(), "application/json")

    def _write(self, code: int, content: bytes, kind: str) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Nothing on standard error."""

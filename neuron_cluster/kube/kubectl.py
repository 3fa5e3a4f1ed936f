"""The kubectl command: reads objects and logs of a cluster, and changes an object."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from neuron_cluster.errors import ToolkitError

REQUEST_SECONDS, CALL_SECONDS = 30, 120
"""The limits of one request to the API server, and of a call, which logs in first."""
_FORBIDDEN = re.compile(r"^Error from server \(Forbidden\): (.*)$", re.MULTILINE)
_OTHER = re.compile(r"^(?:Error from server \((?!Forbidden).*|error: .*|Unable to connect .*)$", re.MULTILINE)

Object = Mapping[str, Any]


class KubectlError(ToolkitError):
    """kubectl failed; the message is its standard error."""


class Read(Struct, frozen=True):
    """Objects of a cluster; ``forbidden`` has the API server's words on those that the user may not read."""

    objects: tuple[Object, ...]
    forbidden: tuple[str, ...] = ()


class Kubectl(Struct, frozen=True):
    """One kubectl binary and one context. ``kubeconfig`` None: kubectl's default."""

    binary: Path
    context: str
    kubeconfig: Path | None = None

    def command(self, *arguments: str) -> list[str]:
        """The arguments of a process."""
        own = [] if self.kubeconfig is None else ["--kubeconfig", str(self.kubeconfig)]
        return [str(self.binary), "--context", self.context, *own, *arguments]

    def groups(self) -> frozenset[str]:
        """The API groups that the cluster serves, and their versions: ``batch``, ``batch/v1``.

        Raises ``KubectlError``.
        """
        listed = json.loads(self._run("get", "--raw", "/apis", f"--request-timeout={REQUEST_SECONDS}s"))
        groups = listed.get("groups") or ()
        versions = (version for group in groups for version in group.get("versions") or ())
        return frozenset(
            (*(str(group.get("name")) for group in groups), *(str(each.get("groupVersion")) for each in versions))
        )

    def get(self, resources: Iterable[str], namespace: str | None) -> Read:
        """All objects of these resources (``pods``, ``jobsets.jobset.x-k8s.io``); None: of all namespaces.

        One call, because each one logs in. Raises ``KubectlError`` where another thing than permission is missing.
        """
        where = ["--all-namespaces"] if namespace is None else ["--namespace", namespace]
        arguments = ["get", ",".join(resources), *where, "--output", "json", f"--request-timeout={REQUEST_SECONDS}s"]
        run = self._process(*arguments)
        other = _OTHER.search(run.stderr)
        forbidden = tuple(dict.fromkeys(_FORBIDDEN.findall(run.stderr)))
        if run.returncode != 0 and (other or not forbidden):
            raise self._error(run.stderr)
        return Read(tuple(json.loads(run.stdout)["items"]) if run.stdout.strip() else (), forbidden)

    def patch(self, resource: str, name: str, namespace: str, body: Object) -> None:
        """Merges ``body`` into the object. Raises ``KubectlError``."""
        self._run("patch", resource, name, "--namespace", namespace, "--type", "merge", "--patch", json.dumps(body))

    def may(self, verb: str, resource: str, namespace: str) -> bool | None:
        """Whether the user of the context may (``jobs.batch``); None where the API server gives no answer."""
        run = self._process("auth", "can-i", verb, resource, "--namespace", namespace)
        answers = {"yes": True, "no": False}
        return next((answers[word] for word in run.stdout.split() if word in answers), None)

    def raw(self, path: str) -> Any:
        """The JSON document at a path of the API server; None where there is none, or it may not be read."""
        run = self._process("get", "--raw", path, f"--request-timeout={REQUEST_SECONDS}s")
        return json.loads(run.stdout) if run.returncode == 0 else None

    def document(self, path: str) -> Any:
        """As ``raw``. Raises ``KubectlError`` for what is not there, may not be read, or is not JSON."""
        read = self._run("get", "--raw", path, f"--request-timeout={REQUEST_SECONDS}s")
        try:
            return json.loads(read)
        except ValueError as error:
            raise KubectlError(f"the API server has no JSON at {path.partition('?')[0]}") from error

    def stream(self, *arguments: str) -> int:
        """Runs kubectl on this process's own streams and returns its exit status; -13 where the reader ended first.

        An interruption ends it, too. Raises ``KubectlError`` where it cannot be run.
        """
        try:
            process = subprocess.Popen(self.command(*arguments), stdin=subprocess.DEVNULL)  # noqa: S603 - this binary
        except OSError as error:
            raise KubectlError(f"{self.binary} cannot be run: {error.strerror}") from error
        try:
            return process.wait()
        finally:
            process.terminate()
            process.wait()

    def log(self, pod: str, namespace: str, *filters: str) -> str | None:
        """The log of the pod's default container (``--tail=20``); None where there is none to read."""
        run = self._process("logs", pod, "--namespace", namespace, *filters)
        return run.stdout if run.returncode == 0 else None

    def _run(self, *arguments: str) -> str:
        run = self._process(*arguments)
        if run.returncode != 0:
            raise self._error(run.stderr)
        return run.stdout

    def _process(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """With the user's environment variables, which the kubeconfig's login may use."""
        try:
            return subprocess.run(  # noqa: S603 - this binary alone, without a shell
                self.command(*arguments),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                encoding="utf-8",
                errors="replace",
                timeout=CALL_SECONDS,
            )
        except OSError as error:
            raise KubectlError(f"{self.binary} cannot be run: {error.strerror}") from error
        except subprocess.TimeoutExpired as error:
            raise KubectlError(f"kubectl did not finish within {error.timeout:g} seconds") from error

    def _error(self, stderr: str) -> KubectlError:
        hint = f"to check the connection and the login: kubectl --context {self.context} auth whoami"
        return KubectlError(f"kubectl failed: {stderr.strip() or 'without a message'}", hint=hint)

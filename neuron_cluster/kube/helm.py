"""The helm command: renders and lints a chart on this machine, without a cluster; installs a release."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from local_kubernetes.model.manifests import UnreadableManifest, read_manifests
from neuron_cluster.errors import ToolkitError

COLLECTED_RARELY = {"GOGC": "800"}
"""Go's garbage collector is a fifth of a render's processor time; this starts it at 36 MB of heap, not at 4."""

TIMEOUT_SECONDS = 60
"""The limit of a render that hangs: one usually ends within a tenth of a second."""
INSTALL_TIMEOUT_SECONDS = 300
"""The limit of a call to a cluster. helm does not wait for pods, which may have to wait for nodes."""


class HelmError(ToolkitError):
    """helm failed; the message is its standard error."""


class Target(Struct, frozen=True):
    """A release in a cluster. ``kubeconfig`` None: helm's default."""

    chart: Path
    release: str
    namespace: str
    context: str
    kubeconfig: Path | None

    def arguments(self) -> list[str]:
        """The input of helm, without the values."""
        own = [] if self.kubeconfig is None else ["--kubeconfig", str(self.kubeconfig)]
        where = ["--namespace", self.namespace, "--kube-context", self.context, *own]
        return ["upgrade", "--install", self.release, str(self.chart), *where]


class Helm(Struct, frozen=True):
    """One helm binary, which runs without the user's configuration, plug-ins and cluster."""

    binary: Path

    def template(
        self, chart: Path, release: str, namespace: str, values: Mapping[str, Any], kube_version: str | None
    ) -> tuple[Mapping[str, Any], ...]:
        """The chart's objects, hooks and CRDs included, for a cluster of this Kubernetes version (``1.35``); None: the
        version that helm uses by default.

        Raises ``HelmError`` when helm rejects chart or values, and when its output is not YAML.
        """
        text = self.template_text(chart, release, namespace, values, kube_version)
        try:
            return read_manifests(text)
        except UnreadableManifest as error:
            raise HelmError(str(error)) from error

    def template_text(
        self, chart: Path, release: str, namespace: str, values: Mapping[str, Any], kube_version: str | None
    ) -> str:
        """The same as helm prints it: YAML with comments. Raises ``HelmError``."""
        arguments = ["template", release, str(chart), "--namespace", namespace, "--include-crds"]
        version = [] if kube_version is None else ["--kube-version", kube_version]
        return self._run([*arguments, *version], values)

    def notes(self, chart: Path, release: str, namespace: str, values: Mapping[str, Any]) -> str:
        """The rendered NOTES.txt, for the Kubernetes version that this helm was built with.

        Raises ``HelmError``, also when the chart does not support that Kubernetes version.
        """
        arguments = ["install", release, str(chart), "--namespace", namespace, "--dry-run=client"]
        return self._run(arguments, values).partition("\nNOTES:\n")[2]

    def lint(self, chart: Path, values: Mapping[str, Any], kube_version: str) -> None:
        """Raises ``HelmError`` when ``helm lint --strict`` has an error or a warning."""
        self._run(["lint", str(chart), "--strict", "--quiet", "--kube-version", kube_version], values)

    def install(self, target: Target, values: Mapping[str, Any]) -> str:
        """Installs or upgrades a release in a cluster, and returns helm's output.

        Unlike the others this runs with the user's environment variables, which the kubeconfig's login may use. Raises
        ``HelmError``.
        """
        try:
            return self._run(target.arguments(), values, in_cluster=True)
        except HelmError as error:
            hint = f"to see its objects: kubectl --context {target.context} -n {target.namespace} get all,events"
            raise HelmError(error.message.removeprefix("Error: "), hint=hint) from error

    def uninstall(self, release: str, namespace: str, context: str, kubeconfig: Path | None) -> str:
        """Removes a release from a cluster, and returns helm's output. Raises ``HelmError``."""
        own = [] if kubeconfig is None else ["--kubeconfig", str(kubeconfig)]
        where = ["--namespace", namespace, "--kube-context", context, *own]
        return self._run(["uninstall", release, *where], None, in_cluster=True)

    def version(self) -> str:
        """``4.1.4``."""
        return self._run(["version", "--template", "{{.Version}}"], None).strip().removeprefix("v")

    def _run(self, arguments: list[str], values: Mapping[str, Any] | None, *, in_cluster: bool = False) -> str:
        with tempfile.TemporaryDirectory(prefix="helm-") as home:
            alone = {"HOME": home, "KUBECONFIG": os.devnull, "PATH": "", **COLLECTED_RARELY}
            # The values go through standard input: they may hold what should not be in a file.
            try:
                run = subprocess.run(  # noqa: S603 - this binary alone, without a shell
                    [str(self.binary), *arguments, *([] if values is None else ["--values", "-"])],
                    input="" if values is None else json.dumps(values),
                    capture_output=True,
                    check=False,
                    encoding="utf-8",
                    errors="replace",
                    env=None if in_cluster else alone,
                    timeout=INSTALL_TIMEOUT_SECONDS if in_cluster else TIMEOUT_SECONDS,
                )
            except OSError as error:
                raise HelmError(f"{self.binary} cannot be run: {error.strerror}") from error
            except subprocess.TimeoutExpired as error:
                raise HelmError(f"helm did not finish within {error.timeout:g} seconds") from error
        if run.returncode != 0:
            raise HelmError((run.stderr.strip() + "\n" + run.stdout.strip()).strip())
        return run.stdout

"""Where answers come from: a Prometheus by its address, the one in the cluster, or a recording."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from neuron_cluster.bounded_file import MAX_BYTES_OF_OBJECTS, read_bounded
from neuron_cluster.errors import ToolkitError
from neuron_cluster.kube.kubectl import Kubectl, KubectlError
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.usage.queries import QUERIES
from neuron_cluster.usage.window import HOUR, LONGEST, LONGEST_DAYS, Window

TIMEOUT_SECONDS = 60.0
RELEASE = "kube-prometheus-stack"
SERVICE = f"http:{RELEASE}-prometheus:9090"
"""As the chart names it under this release name (templates/prometheus/service.yaml)."""


class Source(Protocol):
    """Something that answers the queries."""

    def answer(self, name: str, window: Window) -> Any:
        """The document of Prometheus for a query of ``QUERIES``. Raises ``ToolkitError``."""


class AddressSource(Struct, frozen=True):
    """A Prometheus by its URL, ``http://localhost:9090``."""

    url: str

    def answer(self, name: str, window: Window) -> Any:
        address = f"{self.url.rstrip('/')}/{_path(name, window)}"
        try:
            with urllib.request.urlopen(address, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310 - http alone, below
                return json.loads(response.read(MAX_BYTES_OF_OBJECTS))
        except urllib.error.HTTPError as error:
            message = f"{self.url} answers {error.code} {error.reason}"
        except (OSError, HTTPException) as error:
            message = f"{self.url} does not answer: {error}"
        except (ValueError, RecursionError):
            message = f"{self.url} does not answer with JSON"
        raise ToolkitError(message, hint="check the address, the network and the login; --context goes through kubectl")


def address_source(url: str) -> AddressSource:
    """Raises ``ToolkitError`` for anything but HTTP."""
    if not _is_address(url):
        raise ToolkitError(f"{url} is not the address of a Prometheus", hint="such as http://localhost:9090")
    return AddressSource(url)


def _is_address(url: str) -> bool:
    try:
        parts = urllib.parse.urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets without an IPv6 address, a port that is not a number
        return False


class ClusterSource(Struct, frozen=True):
    """The Prometheus of kube-prometheus-stack, through the API server."""

    kubectl: Kubectl
    namespace: str
    key: str
    """The key of the file that installs it."""

    def answer(self, name: str, window: Window) -> Any:
        place = f"/api/v1/namespaces/{self.namespace}/services/{SERVICE}/proxy"
        try:
            return self.kubectl.document(f"{place}/{_path(name, window)}")
        except KubectlError as error:
            raise ToolkitError(error.message, hint=self._hint(error)) from error

    def _hint(self, error: KubectlError) -> str:
        if "(Forbidden)" in error.message:
            return f"it needs the right to get services/proxy in the namespace {self.namespace}"
        if "(NotFound)" in error.message or "(ServiceUnavailable)" in error.message:
            return (
                f"`{self.key}: true` installs Prometheus; `kubectl -n {self.namespace} get pods` shows whether it runs"
            )
        return error.hint


class Recording(Struct, frozen=True):
    """Answers of an earlier time, by the name of the query."""

    window: Window
    answers: Mapping[str, Any]

    def answer(self, name: str, window: Window) -> Any:
        del window
        return self.answers.get(name, {"status": "success", "data": {"resultType": "matrix", "result": []}})


def cluster_source(cluster: KubernetesPlan, kubectl: Kubectl) -> ClusterSource:
    """Raises ``ToolkitError`` for a cluster without kube-prometheus-stack."""
    chart = next((each for each in cluster.charts if each.release == RELEASE), None)
    key = cluster.key("addons", "kube_prometheus_stack")
    if chart is None:
        hint = f"`{key}: true` installs it; --prometheus URL reads another Prometheus that scrapes the cluster"
        raise ToolkitError(f"the cluster {cluster.name} has no {RELEASE}", hint=hint)
    return ClusterSource(kubectl, chart.namespace, key)


def read_recording(file: Path) -> Recording:
    """``{"start": …, "end": …, "answers": {"reserved": …}}``. Raises ``ToolkitError`` for any other file."""
    try:
        return _recording(json.loads(read_bounded(file, MAX_BYTES_OF_OBJECTS)))
    except OSError as error:
        raise ToolkitError(f"{file} cannot be read: {error.strerror or error}") from error
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        message = f"{file} is not a recording of usage"
        hint = (
            f"it has start and end (whole hours, in seconds since 1970, at most {LONGEST_DAYS} days) and answers: "
            f"{', '.join(QUERIES)}"
        )
        raise ToolkitError(message, hint=hint) from error


def _recording(read: Any) -> Recording:
    window, answers = Window(int(read["start"]), int(read["end"])), dict(read["answers"])
    if window.start % HOUR or window.end % HOUR or not 0 < window.end - window.start <= LONGEST:
        raise ValueError(window)
    if not answers.keys() <= QUERIES.keys():
        raise ValueError(answers.keys())
    return Recording(window, answers)


def _path(name: str, window: Window) -> str:
    asked = {"query": QUERIES[name], "start": window.start + HOUR, "end": window.end, "step": HOUR}
    return f"api/v1/query_range?{urllib.parse.urlencode(asked)}"

"""A workload as it would be installed: rendered by helm, and checked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.manifests import UnreadableManifest, read_manifests
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding, in_reading_order
from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.kube.helm import Helm, HelmError
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding, invalid_workload
from neuron_cluster.schedulers.kubernetes.workloads.object_checks import check_workload
from neuron_cluster.schedulers.kubernetes.workloads.queue_selection import namespace_findings
from neuron_cluster.schedulers.kubernetes.workloads.startup.budget import StartBudget
from neuron_cluster.schedulers.kubernetes.workloads.startup.build_budget import start_budget
from neuron_cluster.schedulers.kubernetes.workloads.startup.findings import startup_findings
from neuron_cluster.schedulers.kubernetes.workloads.value_checks import ultraserver_label_findings
from neuron_cluster.schedulers.kubernetes.workloads.values import WorkloadValues

_AGAINST_SCHEMA = re.compile(r"^- at '(?P<pointer>[^']*)': (?P<message>.+)$", re.MULTILINE)
_AGAINST_SCHEMA_HELM_3 = re.compile(r"^- (?P<pointer>[\w.()]+): (?P<message>.+)$", re.MULTILINE)
_UNKNOWN_KEYS = re.compile(r"additional properties (?P<keys>.+) not allowed")
_WANTS_TEXT = re.compile(r"got (number|integer|boolean), want string|Expected: string", re.IGNORECASE)
_WANTS_NUMBER = re.compile(r"want integer|Expected: integer")
NOT_OF_THE_FORM = "does not match pattern"
"""Followed by a regular expression."""
DEBUG_HINT = "Use --debug flag to render out invalid YAML"
"""Helm adds this for users of its command line."""
_OF_TEMPLATE = re.compile(r"execution error at \([^)]*\): (?P<message>.+)", re.DOTALL)


class RenderedWorkload(Struct, frozen=True):
    """``text`` is the YAML as helm writes it, ``objects`` the same taken apart."""

    chosen: WorkloadValues
    text: str
    objects: tuple[Mapping[str, Any], ...]
    findings: tuple[Finding, ...]
    startup: StartBudget


def render_workload(
    chosen: WorkloadValues, cluster: KubernetesPlan, helm: Helm, catalog: Catalog, *, release: str, namespace: str
) -> RenderedWorkload:
    """Renders for the cluster's Kubernetes version. Raises ``InvalidEnvironment`` when helm rejects the values."""
    try:
        text = helm.template_text(chosen.chart.folder, release, namespace, chosen.values, cluster.version)
    except HelmError as error:
        raise invalid_workload(*_rejected_values(error, chosen)) from error
    try:
        objects = read_manifests(text)
    except UnreadableManifest as error:
        raise ToolkitError(str(error)) from error
    budget = start_budget(chosen, objects, cluster, catalog)
    found = [
        *chosen.findings,
        *namespace_findings(cluster, chosen.values, namespace, chosen.chart.name),
        *ultraserver_label_findings(chosen.values, objects, chosen.chart.name),
        *check_workload(chosen, objects, cluster, catalog, namespace=namespace),
        *startup_findings(budget, chosen.chart.name),
    ]
    return RenderedWorkload(chosen, text, objects, tuple(in_reading_order(found)), budget)


def _rejected_values(error: HelmError, chosen: WorkloadValues) -> Iterator[Finding]:
    """A finding for each violation of the chart's schema, else one with helm's message."""
    chart = chosen.chart.name
    usual_hint = f"charts/{chart}/values.yaml documents each key"
    violations = [*_AGAINST_SCHEMA.finditer(error.message)] or [*_AGAINST_SCHEMA_HELM_3.finditer(error.message)]
    for each in violations:
        path = each["pointer"].strip("/").replace("/", ".")
        given = value_at(chosen.values, path)
        message, hint = each["message"], usual_hint
        if NOT_OF_THE_FORM in message.lower():
            message, hint = (
                "does not have the format of the chart's schema",
                f"{usual_hint}, values.schema.json has the format",
            )
        if _WANTS_NUMBER.search(message) and isinstance(given, str) and given.isdecimal():
            hint = f"write it as a number: --set {path}={given}"
        if _WANTS_TEXT.search(message) and isinstance(given, int | float):
            hint = f"""write it as text: --set '{path}="{json.dumps(given)}"', or {path} in quotes in a values file"""
        shown = f"{json.dumps(given)}: " if isinstance(given, str | int | float) else ""
        near = _similar_keys(each["message"], value_at(chosen.chart.defaults, path) if path else chosen.chart.defaults)
        yield finding("E9213", chart, path, shown + message, near or hint)
    if not violations:
        of_template = _OF_TEMPLATE.search(error.message)
        message = of_template["message"] if of_template is not None else error.message
        message = message.removeprefix("Error: ").strip().removesuffix(DEBUG_HINT).strip()
        yield finding("E9213", chart, "", message, usual_hint)


def _similar_keys(message: str, known: Any) -> str:
    """Suggestions for a key that the schema does not have."""
    unknown = _UNKNOWN_KEYS.search(message)
    if unknown is None or not isinstance(known, Mapping):
        return ""
    near = [name for key in re.findall(r"'([^']+)'", unknown["keys"]) for name in suggestions(key, known)]
    return f"{did_you_mean(near)}keys here: {', '.join(known)}"

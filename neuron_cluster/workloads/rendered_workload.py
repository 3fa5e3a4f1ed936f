"""A workload as it would be installed: rendered by helm, and judged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.chart_values import value_at
from neuron_cluster.findings.finding import Finding, in_reading_order
from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.kube.helm import Helm, HelmError
from neuron_cluster.kubernetes.manifests import read_manifests
from neuron_cluster.plan.cluster_plan import EksPlan
from neuron_cluster.workloads.chosen_values import ChosenValues
from neuron_cluster.workloads.judge import judge_workload
from neuron_cluster.workloads.namespace_choice import namespace_findings
from neuron_cluster.workloads.refusal import finding, refused
from neuron_cluster.workloads.ultraserver_places import label_doubts

_AGAINST_SCHEMA = re.compile(r"^- at '(?P<pointer>[^']*)': (?P<message>.+)$", re.MULTILINE)
_AGAINST_SCHEMA_HELM_3 = re.compile(r"^- (?P<pointer>[\w.()]+): (?P<message>.+)$", re.MULTILINE)
_UNKNOWN_KEYS = re.compile(r"additional properties (?P<keys>.+) not allowed")
_WANTS_TEXT = re.compile(r"got (number|integer|boolean), want string|Expected: string", re.IGNORECASE)
_WANTS_NUMBER = re.compile(r"want integer|Expected: integer")
NOT_OF_THE_FORM = "does not match pattern"
"""A regular expression follows, which is for programs."""
DEBUG_HINT = "Use --debug flag to render out invalid YAML"
"""What helm adds for those who run it themselves."""
_OF_TEMPLATE = re.compile(r"execution error at \([^)]*\): (?P<message>.+)", re.DOTALL)


class RenderedWorkload(Struct, frozen=True):
    """``text`` is the YAML as helm writes it, ``objects`` the same taken apart."""

    chosen: ChosenValues
    text: str
    objects: tuple[Mapping[str, Any], ...]
    findings: tuple[Finding, ...]


def render_workload(
    chosen: ChosenValues, eks: EksPlan, helm: Helm, catalog: Catalog, *, release: str, namespace: str
) -> RenderedWorkload:
    """Renders for the cluster's Kubernetes version. Raises ``InvalidEnvironment`` when helm refuses the values."""
    try:
        text = helm.template_text(chosen.chart.folder, release, namespace, chosen.values, eks.version)
    except HelmError as refusal:
        raise refused(*_refusals(refusal, chosen)) from refusal
    objects = read_manifests(text)
    found = [
        *chosen.findings,
        *namespace_findings(eks, chosen.values, namespace, chosen.chart.name),
        *label_doubts(chosen.values, objects, chosen.chart.name),
        *judge_workload(chosen, objects, eks, catalog, namespace=namespace),
    ]
    return RenderedWorkload(chosen, text, objects, tuple(in_reading_order(found)))


def _refusals(refusal: HelmError, chosen: ChosenValues) -> Iterator[Finding]:
    """One finding for each thing that the chart's schema has against the values, else one with helm's own words."""
    chart = chosen.chart.name
    usual_hint = f"charts/{chart}/values.yaml says what each key means"
    said = [*_AGAINST_SCHEMA.finditer(refusal.message)] or [*_AGAINST_SCHEMA_HELM_3.finditer(refusal.message)]
    for each in said:
        path = each["pointer"].strip("/").replace("/", ".")
        given = value_at(chosen.values, path)
        message, hint = each["message"], usual_hint
        if NOT_OF_THE_FORM in message.lower():
            message, hint = "is not of the form that the chart takes", f"{usual_hint}, values.schema.json its form"
        if _WANTS_NUMBER.search(message) and isinstance(given, str) and given.isdecimal():
            hint = f"write it as a number: --set {path}={given}"
        if _WANTS_TEXT.search(message) and isinstance(given, int | float):
            hint = f"""write it as text: --set '{path}="{json.dumps(given)}"', or {path} in quotes in a values file"""
        shown = f"{json.dumps(given)}: " if isinstance(given, str | int | float) else ""
        near = _near_keys(each["message"], value_at(chosen.chart.defaults, path) if path else chosen.chart.defaults)
        yield finding("E9213", chart, path, shown + message, near or hint)
    if not said:
        of_template = _OF_TEMPLATE.search(refusal.message)
        message = of_template["message"] if of_template is not None else refusal.message
        message = message.removeprefix("Error: ").strip().removesuffix(DEBUG_HINT).strip()
        yield finding("E9213", chart, "", message, usual_hint)


def _near_keys(message: str, known: Any) -> str:
    """What a key that the schema does not have may have been meant to be."""
    unknown = _UNKNOWN_KEYS.search(message)
    if unknown is None or not isinstance(known, Mapping):
        return ""
    near = [name for key in re.findall(r"'([^']+)'", unknown["keys"]) for name in suggestions(key, known)]
    return f"{did_you_mean(near)}keys here: {', '.join(known)}"

"""Kubernetes objects of the user's, before their pods are held against nodes: what of them has no verdict, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.kubernetes.fields import every_value
from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.kubernetes.pod_templates import pod_templates
from neuron_cluster.manifest_rules.run import judge_manifests
from neuron_cluster.schedule.pod_shape import PodShape
from neuron_cluster.schedule.rendered_pods import pod_shapes
from neuron_cluster.schedule.schedule_findings import not_known

PLACEMENT_RULES = frozenset(
    {"E8801", "E8802", "E8803", "E8804", "E8806", "E8807", "E8811", "E8813", "E8814", "E8825", "E8828", "E8833"}
)
"""Over amounts, names, labels, words, tolerations and numbers of jobs: an object that breaks one is refused by the API
server, and what the scheduler would make of it is nobody's guess. Rules that look for other objects are left out, for
these may be in the cluster; so are those over what the scheduler does not read, such as images."""
UNREADABLE = frozenset({"E8801", "E8806", "E8814", "E8825"})
"""Those of them whose refusals leave nothing that could be held against a node."""


def pods_of_workload(
    source: str, objects: Sequence[Mapping[str, Any]], beside: Iterable[Mapping[str, Any]]
) -> tuple[list[PodShape], list[Finding]]:
    """The pods of the objects that can be judged, and findings about the others: errors, or that they are not known.

    ``beside`` are further objects that claims may be made from. Raises ValueError for what no rule covers.
    """
    everything = tuple(beside)
    pods: list[PodShape] = []
    findings: list[Finding] = []
    for body in objects:
        refused = judge_manifests([body], source=source, namespace="default", only=PLACEMENT_RULES)
        findings += refused or _not_known(source, body)
        if not refused:
            pods += pod_shapes([body], beside=everything)
    return pods, findings


def _not_known(source: str, body: Mapping[str, Any]) -> Iterator[Finding]:
    """A kind that makes pods in a way that is not known here: somewhere it has containers."""
    owner = KubernetesObject(body, "")
    if any(pod_templates(owner)):
        return
    trees = (body, *(value for _, value in every_value(body)))
    if any(isinstance(tree, Mapping) and isinstance(tree.get("containers"), list) for tree in trees):
        yield not_known(Location(source, path=owner.place), f"{owner.place} ({body.get('apiVersion')})")

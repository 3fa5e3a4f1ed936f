"""The pods of user manifests, and findings about objects that cannot be evaluated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_kubernetes.model.fields import every_value
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import pod_templates
from local_kubernetes.model.scheduling.pod import PodInfo
from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding, Location, has_error
from neuron_cluster.schedulers.kubernetes.manifest_rules.run import check_manifests
from neuron_cluster.schedulers.kubernetes.workloads.mountpoint.volumes import Manifests
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.findings import unknown_kind

PLACEMENT_RULES = frozenset({
    "E8801", "E8802", "E8803", "E8804", "E8806", "E8807", "E8811", "E8813", "E8814", "E8825", "E8828", "E8833", "E8836",
})  # fmt: skip
"""Rules about amounts, names, labels, enumerations, tolerations, numbers of jobs and budgets: the API server rejects
an object that violates one, so its scheduling is undefined. Not among them are rules that look for other objects, which
may be in the cluster, and rules about fields that the scheduler does not read, such as images."""
UNREADABLE = frozenset({"E8801", "E8806", "E8814", "E8825"})
"""Placement rules whose violation leaves nothing to compare with a node."""


class UserPods(Struct, frozen=True):
    """``pods`` each with its source; ``findings`` are about objects without a result. ``manifests`` are all objects."""

    pods: tuple[tuple[str, PodInfo], ...]
    findings: tuple[Finding, ...]
    manifests: Manifests = ()


def user_pods(name: str, manifests: Manifests) -> UserPods:
    """The pods of all files. ``name`` is what the user gave; each manifest is a source with its objects.

    Raises ``ToolkitError`` when no object makes pods, or a field cannot be read.
    """
    everything = [body for _, objects in manifests for body in objects]
    pods: list[tuple[str, PodInfo]] = []
    findings: list[Finding] = []
    for source, objects in manifests:
        try:
            of_file, found = pods_of_manifest(source, objects, others=everything)
        except ValueError as error:
            raise ToolkitError(f"{source}: {error}") from error
        pods += ((source, pod) for pod in of_file)
        findings += found
    if not pods and not has_error(findings):
        unknown = "".join(f"; {each.message}" for each in findings)
        raise ToolkitError(
            f"{name} holds no object that makes pods{unknown}",
            hint="name objects that make pods: a Deployment, a Job, a JobSet, …",
        )
    return UserPods(tuple(pods), tuple(findings), manifests)


def pods_of_manifest(
    source: str, objects: Sequence[Mapping[str, Any]], others: Iterable[Mapping[str, Any]]
) -> tuple[list[PodInfo], list[Finding]]:
    """The pods of valid objects, and findings about the rest.

    ``others`` are further objects that claims may be made from. Raises ValueError for what no rule covers.
    """
    everything = tuple(others)
    pods: list[PodInfo] = []
    findings: list[Finding] = []
    for body in objects:
        violations = check_manifests([body], source=source, namespace="default", only=PLACEMENT_RULES)
        findings += violations or _unknown_kind(source, body)
        if not violations:
            pods += pods_of([body], others=everything)
    return pods, findings


def _unknown_kind(source: str, body: Mapping[str, Any]) -> Iterator[Finding]:
    """A kind whose pod templates are not known: somewhere in it are containers."""
    owner = KubernetesObject(body, "")
    if any(pod_templates(owner)):
        return
    trees = (body, *(value for _, value in every_value(body)))
    if any(isinstance(tree, Mapping) and isinstance(tree.get("containers"), list) for tree in trees):
        yield unknown_kind(Location(source, path=owner.place), f"{owner.place} ({body.get('apiVersion')})")

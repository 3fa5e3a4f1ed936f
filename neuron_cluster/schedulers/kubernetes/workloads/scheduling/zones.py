"""Jobs over several nodes that communicate over EFA, on node groups in several Availability Zones.

Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html (EFA traffic cannot cross Availability Zones).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.fields import at, expand, text
from local_kubernetes.model.names import DEFAULT_NAMESPACE, EFA, GROUP_LABEL, QUEUE_NAME_LABEL
from local_kubernetes.model.objects import KubernetesObject, labels_of
from local_kubernetes.model.pod_templates import pod_templates
from local_kubernetes.model.scheduling.evaluation import SchedulingResult
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan

IN_NO_ZONE, IN_SEVERAL_ZONES = "E9316", "W9317"
JOBS = frozenset({"CronJob", "Job", "JobSet", "MPIJob", "PyTorchJob"})
"""Kinds whose pods work together."""
ZONE_KEYS = frozenset({"topology.kubernetes.io/zone", "topology.k8s.aws/zone-id"})
"""Labels of nodes with the zone. Source: https://kubernetes.io/docs/reference/labels-annotations-taints/ and
https://docs.aws.amazon.com/eks/latest/userguide/node-health-nma.html"""
TOGETHER = ("affinity", "podAffinity", "requiredDuringSchedulingIgnoredDuringExecution")


def zone_findings(
    manifests: Sequence[tuple[str, Sequence[Mapping[str, Any]]]],
    results: Iterable[tuple[str, SchedulingResult]],
    cluster: KubernetesPlan,
) -> Iterator[Finding]:
    """E9316 and W9317, for each job without a queue: Kueue places all pods of a job on one flavor."""
    zones = {group.name: group.zone_ids for group in cluster.node_groups}
    owners = (
        (source, KubernetesObject(body, text(at(body, "metadata", "namespace")) or DEFAULT_NAMESPACE))
        for source, bodies in manifests
        for body in bodies
    )
    jobs = {(source, owner.workload): owner for source, owner in owners if owner.kind in JOBS}
    for source, result in results:
        pod, owner = result.pod, jobs.get((source, result.pod.owner))
        works_together = bool(pod.requests.get(EFA)) and (pod.replicas or 1) > 1
        if owner is None or not works_together or labels_of(owner.body).get(QUEUE_NAME_LABEL):
            continue
        used = {zone for group in result.fitting for zone in zones.get(group.group, ())}
        if len(used) > 1:
            yield from _of_job(source, owner, result, zones)


def _of_job(
    source: str, owner: KubernetesObject, result: SchedulingResult, zones: Mapping[str, tuple[str, ...]]
) -> Iterator[Finding]:
    pods, fitting = result.pod.replicas or 1, result.fitting
    of_zone: dict[str, list[int | None]] = {}
    for group in fitting:
        for zone in zones.get(group.group, ()):
            of_zone.setdefault(zone, []).append(group.at_max)
    most = {zone: sum(each or 0 for each in counts) for zone, counts in of_zone.items() if None not in counts}
    place = Location(source, path=owner.place)
    if len(most) == len(of_zone) and max(most.values()) < pods:
        held = listed(f"{zone} {count}" for zone, count in most.items())
        message = f"{result.pod.workload} has {pods} pods with EFA, and no Availability Zone holds them: {held} at most"
        hint = f"request {max(most.values())} pods at most, or raise count.max of a group: EFA does not cross zones"
        yield Finding(IN_NO_ZONE, place, message, hint)
    elif not _are_together(owner):
        names = listed(f"{group.group} ({', '.join(zones.get(group.group, ()))})" for group in fitting)
        message = (
            f"nothing keeps the {pods} pods of {result.pod.workload} in one Availability Zone: they fit on {names}"
        )
        hint = (
            f"write nodeSelector {{{GROUP_LABEL}: {fitting[0].group}}}, or a required podAffinity with the topologyKey "
            "topology.kubernetes.io/zone"
        )
        yield Finding(IN_SEVERAL_ZONES, place, message, hint)


def _are_together(owner: KubernetesObject) -> bool:
    """Whether each pod template has a required affinity to pods of the same zone."""
    return all(
        any(key in ZONE_KEYS for _, key in expand(at(template.spec, *TOGETHER[:2]), f"{TOGETHER[2]}.*.topologyKey"))
        for template in pod_templates(owner)
    )

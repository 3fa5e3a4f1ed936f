"""Judges what a chart renders to: by the rules of Kubernetes objects, and against the nodes of the environment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.chart_values import value_at
from neuron_cluster.findings.finding import Finding, has_error, in_reading_order
from neuron_cluster.kubernetes.names import NEURON
from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.manifest_rules.run import judge_manifests
from neuron_cluster.plan.cluster_plan import EksPlan
from neuron_cluster.schedule.claim_fit import claim_doubts
from neuron_cluster.schedule.fit import misfits
from neuron_cluster.schedule.given_workload import UNREADABLE
from neuron_cluster.schedule.misfit import UnschedulableReason
from neuron_cluster.schedule.part_of_node import scattered_devices, way_out
from neuron_cluster.schedule.pod_shape import PodShape
from neuron_cluster.schedule.rendered_pods import pod_shapes
from neuron_cluster.schedule.room import pods_at_once
from neuron_cluster.schedule.schedulers import is_placed
from neuron_cluster.workloads.chosen_values import ChosenValues
from neuron_cluster.workloads.claims_there import claim_findings
from neuron_cluster.workloads.namespace_choice import pod_security_in
from neuron_cluster.workloads.refusal import finding
from neuron_cluster.workloads.scaled_pods import at_most
from neuron_cluster.workloads.software_there import missing_for_kind

NONE = Fraction(0)


def judge_workload(
    chosen: ChosenValues, objects: Sequence[Mapping[str, Any]], eks: EksPlan, catalog: Catalog, *, namespace: str
) -> list[Finding]:
    """Everything that Kubernetes, the cluster's software and its nodes have against the objects, in reading order."""
    chart = chosen.chart
    level = pod_security_in(eks, namespace, otherwise=chart.pod_security)
    found = judge_manifests(objects, source=f"charts/{chart.name}", namespace=namespace, pod_security=level)
    found += _missing_software(chosen, objects, eks, catalog)
    found += claim_findings(chosen, objects, eks, namespace)
    if all(each.id not in UNREADABLE for each in found):
        tests = _tests(objects, namespace)
        shapes = sorted(pod_shapes(objects, namespace=namespace), key=lambda pod: pod.workload in tests)
        pods = [at_most(pod, objects, namespace) for pod in shapes]
        nodes = {pod.workload: _nodes(pod, chosen) for pod in pods if pod.workload not in tests}
        for pod in pods:
            if pod.workload in tests and has_error(found):
                break  # the same would be said of it once more
            found += _misfits(pod, chosen, sum(nodes.values(), NONE) - nodes.get(pod.workload, NONE))
            if not is_placed(pod, chosen.schedulers):
                message = f"{pod.workload} names the scheduler {pod.scheduler}, which the environment does not have"
                hint = f"leave it empty, or name one of these: {', '.join(chosen.schedulers)}"
                found.append(finding("E9222", chart.name, "schedulerName", message, hint))
    return in_reading_order(found)


def _tests(objects: Sequence[Mapping[str, Any]], namespace: str) -> set[str]:
    """The pods that ``helm test`` runs, as ``PodShape.workload`` names them."""
    owners = (KubernetesObject(body, str(value_at(body, "metadata.namespace") or namespace)) for body in objects)
    return {f"{owner.kind} {owner.namespace}/{owner.name}" for owner in owners if "test" in owner.hooks}


def _missing_software(
    chosen: ChosenValues, objects: Sequence[Mapping[str, Any]], eks: EksPlan, catalog: Catalog
) -> Iterator[Finding]:
    kinds = {(str(body["apiVersion"]), str(body["kind"])) for body in objects}
    for api_version, kind in sorted(kinds):
        missing = missing_for_kind(eks, api_version, kind, catalog)
        if missing is not None:
            message = f"it makes a {kind} ({api_version}), and the environment has no software for it"
            yield finding("E9209" if missing.has_switch else "W9219", chosen.chart.name, kind, message, missing.way)


def _has_devices(pod: PodShape) -> bool:
    return bool(pod.requests.get(NEURON) or pod.claims)


def _nodes(pod: PodShape, chosen: ChosenValues) -> Fraction:
    """How many nodes of the chosen group its pods take at once; none where they can go elsewhere or fit nowhere."""
    a_node = pods_at_once(pod, chosen.room.node)
    return Fraction(pod.replicas or 0, a_node) if _has_devices(pod) and a_node else NONE


def _misfits(pod: PodShape, chosen: ChosenValues, beside: Fraction) -> Iterator[Finding]:
    """A pod with devices belongs to the chosen group; any other one may go wherever it fits.

    ``beside`` are nodes that other pods of the workload take meanwhile.
    """
    has_devices = _has_devices(pod)
    rooms = [chosen.room] if has_devices else list(chosen.rooms)
    found = {room.node.group: misfits(pod, room.node) for room in rooms}
    if all(found.values()):
        words = "; ".join(f"{group}: {', '.join(each.reason for each in why)}" for group, why in found.items())
        hint = _way_in(min(found.values(), key=len), chosen)
        yield finding("E9210", chosen.chart.name, pod.workload, f"its pods fit no node: {words}", hint)
    elif has_devices:
        for doubt in claim_doubts(pod, chosen.room.node):
            hint = (
                f"try one pod before you rely on it; claim whole nodes of {chosen.group.name} where the values let you"
            )
            yield finding("W9220", chosen.chart.name, pod.workload, doubt, hint)
        if parts := scattered_devices(pod, [chosen.room.node]):
            message = f"its pods ask for {parts}, and nothing sees to it that they are connected"
            yield finding("W9227", chosen.chart.name, pod.workload, message, way_out(chosen.schedulers))
        if pod.replicas:
            yield from _too_many(pod, chosen, beside)


def _way_in(found: Sequence[UnschedulableReason], chosen: ChosenValues) -> str:
    """What helps against the first of them: more room is of no help where the nodes are the wrong ones."""
    match found[0].ask:
        case "toleration":
            return "leave tolerations out: they are filled in for the taints of the group"
        case "selector" | "affinity":
            return "leave machine.instanceType and machine.nodeGroup out: they are filled in for the group"
    daemons = [daemon.rpartition("/")[2] for daemon in chosen.room.node.taken_by]
    return f"{found[0].way}; DaemonSets take their part first ({', '.join(daemons) or 'none are known'})"


def _too_many(pod: PodShape, chosen: ChosenValues, beside: Fraction) -> Iterator[Finding]:
    """Whether all of them run at once when the group is at its largest, and at its present wish."""
    group, a_node = chosen.group, pods_at_once(pod, chosen.room.node) or 1
    replicas = pod.replicas or 0
    pods = "it makes one pod" if replicas == 1 else f"it makes {replicas} pods that run at once"
    where = f"{group.name} takes {a_node} of them a node"
    where += f", beside {ceil(beside)} for its other pods" if beside else ""
    needed = ceil(Fraction(replicas, a_node) + beside)
    if needed > group.max:
        message = f"{pods}; {where}, and has {group.max} nodes at most"
        fewer = "" if beside else f"ask for {a_node * group.max} at most, or "
        hint = f"{fewer}raise count.max of {group.name} to {needed}"
        yield finding("E9211", chosen.chart.name, pod.workload, message, hint)
    elif needed > group.desired:
        queue = value_at(chosen.values, "queue.name")
        message = f"{pods}; {where}, and count.desired is {group.desired}"
        if queue:
            message += f": queue {queue} has the devices of that many nodes, and the job waits in it"
        hint = f"raise count.desired of {group.name} to {needed} and deploy"
        hint += "" if queue else " before it runs; until then its pods stay Pending"
        yield finding("W9218", chosen.chart.name, pod.workload, message, hint)

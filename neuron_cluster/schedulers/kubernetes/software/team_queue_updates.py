"""Rejected updates of objects that start without their queue: those from before the policy, and parts.

Kueue takes what has an owner for a part of it, and admits the owner: a Job of an admitted JobSet with more pods has
devices that no queue counts. Source: kubernetes-sigs/kueue@ff69552, pkg/controller/jobframework/reconciler.go.
"""

from __future__ import annotations

from collections.abc import Mapping

from local_kubernetes.model.scheduling.pod_reader import REPLICA_PLACES
from neuron_cluster.schedulers.kubernetes.software.admission_policy import has_path, literal

NEW, OLD = "object", "oldObject"
COUNTS: Mapping[str, tuple[str, ...]] = {
    **{kind: places for kind, places in REPLICA_PLACES.items() if kind != "ReplicationController"},
    "Job": ("spec.parallelism", "spec.completions"),
    "LeaderWorkerSet": ("spec.replicas", "spec.leaderWorkerTemplate.size"),
    "TrainJob": ("spec.trainer.numNodes",),
}
"""Fields with numbers of pods, of kinds without a list of templates; 1 where one is not set."""
REPLICA_SPECS: Mapping[str, str] = {"MPIJob": "spec.mpiReplicaSpecs", "PyTorchJob": "spec.pytorchReplicaSpecs"}
"""Maps of roles with their replicas, by kind."""
SUSPENDED: Mapping[str, str] = {
    **dict.fromkeys(("Job", "CronJob", "JobSet", "TrainJob"), "spec.suspend"),
    **dict.fromkeys(("MPIJob", "PyTorchJob"), "spec.runPolicy.suspend"),
}


def keeps_its_size(kind: str) -> str:
    """In CEL, with the variables ``devices``, ``withDevices`` and ``withDevicesBefore``; ``kind`` is an expression."""
    return " && ".join((_same_owner(), _no_more_pods(kind), _no_more_devices(), _not_started(kind)))


def containers_of(spec: str) -> str:
    """In CEL: all that may request devices."""
    lists = (f"(has({spec}.{each}) ? {spec}.{each} : [])" for each in ("containers", "initContainers"))
    return f"({' + '.join(lists)})"


def claims_of(spec: str) -> str:
    return f"(has({spec}.resourceClaims) ? {spec}.resourceClaims : [])"


def requests_devices(container: str) -> str:
    """In CEL: whether a container requests more than none of a device. An amount is text or a number."""
    amounts = " || ".join(
        f"(has({container}.resources.{part}) && variables.devices.exists(name, name in {container}.resources.{part} && "
        f'string({container}.resources.{part}[name]) != "0"))'
        for part in ("limits", "requests")
    )
    return f"(has({container}.resources) && ({amounts}))"


def _same_owner() -> str:
    owners = "metadata.ownerReferences"
    kept = f"has({OLD}.{owners}) && {NEW}.{owners} == {OLD}.{owners}"
    return f"(has({NEW}.{owners}) ? {kept} : !has({OLD}.{owners}))"


def _no_more_pods(kind: str) -> str:
    plain: dict[tuple[str, ...], list[str]] = {}
    for each, places in COUNTS.items():
        plain.setdefault(places, []).append(each)
    cases = [
        f"({kind} in {literal(kinds)} ? {' && '.join(_at_most(NEW, OLD, place) for place in places)} : true)"
        for places, kinds in plain.items()
    ]
    jobs = "spec.replicatedJobs"
    inner = " && ".join(_at_most("each", "before", place) for place in ("replicas", "template.spec.parallelism"))
    of_jobs = (
        f"!({has_path(NEW, jobs)}) || {NEW}.{jobs}.all(each, {has_path(OLD, jobs)} && "
        f"{OLD}.{jobs}.exists(before, before.name == each.name && {inner}))"
    )
    by_kind = {"JobSet": of_jobs, **{each: _no_more_replicas(place) for each, place in REPLICA_SPECS.items()}}
    cases += [f'({kind} == "{each}" ? {condition} : true)' for each, condition in by_kind.items()]
    return " && ".join(cases)


def _no_more_replicas(place: str) -> str:
    """In CEL: no role is new, and none has more replicas."""
    after, before = f"{NEW}.{place}", f"{OLD}.{place}"
    return f"{after}.all(each, each in {before} && {_at_most(f'{after}[each]', f'{before}[each]', 'replicas')})"


def _at_most(new: str, old: str, place: str) -> str:
    after, before = (f"({has_path(body, place)} ? {body}.{place} : 1)" for body in (new, old))
    return f"{after} <= {before}"


def _no_more_devices() -> str:
    """Each pod has containers and claims as one before: amounts are compared as text."""
    after, before = (_devices_of(each) for each in ("each", "before"))
    same_claims = f"{claims_of('each')} == {claims_of('before')}"
    return (
        f"variables.withDevices.all(each, variables.withDevicesBefore.exists(before, {after} == {before} && "
        f"{same_claims}))"
    )


def _devices_of(spec: str) -> str:
    """Amounts of each device, of each container with some. Extended resources have a limit, and requests as much."""
    amount = (
        "has(container.resources.limits) && name in container.resources.limits ? "
        'string(container.resources.limits[name]) : "0"'
    )
    amounts = f"map(container, variables.devices.map(name, {amount}))"
    return f"{containers_of(spec)}.filter(container, {requests_devices('container')}).{amounts}"


def _not_started(kind: str) -> str:
    """Suspended by Kueue with its owner, or by a user: the label lets it start."""
    kinds: dict[str, list[str]] = {}
    for each, place in SUSPENDED.items():
        kinds.setdefault(place, []).append(each)

    def suspended(body: str, place: str) -> str:
        return f"({has_path(body, place)} && {body}.{place})"

    return " && ".join(
        f"({kind} in {literal(alike)} ? !{suspended(OLD, place)} || {suspended(NEW, place)} : true)"
        for place, alike in kinds.items()
    )

"""Objects as a cluster returns them: a release of neuron-training or neuron-serving, and what is around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.running.cluster_state import ClusterState
from neuron_cluster.schedulers.kubernetes.running.release import releases_in
from neuron_cluster.schedulers.kubernetes.running.situation import EnvironmentGroups, Situation
from neuron_cluster.schedulers.kubernetes.workloads.recipes import RECIPES

Body = dict[str, Any]
NOW = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)
BEFORE = "2026-11-26T11:40:00Z"
NAMESPACE, GROUP, QUEUE = "team-a", "trn2", "research"
SELECTOR = {"neuron-cluster/node-group": GROUP}


def condition(kind: str, status: bool, reason: str = "", message: str = "") -> Body:
    details = {"reason": reason, "message": message, "lastTransitionTime": BEFORE}
    return {"type": kind, "status": str(status), **details}


def labels(chart: str, name: str) -> dict[str, str]:
    return {"app.kubernetes.io/name": chart, "app.kubernetes.io/instance": name}


def body(version: str, kind: str, name: str, **parts: Any) -> Body:
    metadata = {"name": name, "namespace": NAMESPACE, "creationTimestamp": BEFORE, **parts.pop("metadata", {})}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **parts}


def owner(kind: str, name: str) -> Body:
    return {"ownerReferences": [{"kind": kind, "name": name}]}


def job_set(*, queue: str = QUEUE, suspend: bool = False, claim: str = "", conditions: Iterable[Body] = ()) -> Body:
    volumes = [{"name": "c", "persistentVolumeClaim": {"claimName": claim}}] if claim else []
    pod = {"spec": {"nodeSelector": SELECTOR, "volumes": volumes, "containers": [{"name": "trainer"}]}}
    job = {"name": "node", "replicas": 1, "template": {"spec": {"parallelism": 2, "template": pod}}}
    own = labels("neuron-training", "llama") | ({"kueue.x-k8s.io/queue-name": queue} if queue else {})
    return body(
        "jobset.x-k8s.io/v1alpha2",
        "JobSet",
        "llama",
        metadata={"labels": own, "annotations": {"meta.helm.sh/release-name": "llama"}},
        spec={"suspend": suspend, "replicatedJobs": [job]},
        status={"restarts": 3, "restartsCountTowardsMax": 1, "conditions": list(conditions)},
    )


def child_job() -> Body:
    return body("batch/v1", "Job", "llama-node-0", metadata=owner("JobSet", "llama"))


def pod(number: int = 0, *, node: str = "", status: Mapping[str, Any] | None = None, **metadata: Any) -> Body:
    name = f"llama-node-0-{number}-abcde"
    own = labels("neuron-training", "llama") | {"batch.kubernetes.io/job-completion-index": str(number)}
    own |= {"jobset.sigs.k8s.io/job-index": "0", "app.kubernetes.io/component": "node"}
    requests = {"requests": {"aws.amazon.com/neuron": "16"}}
    spec: Body = {"nodeSelector": SELECTOR, "containers": [{"name": "trainer", "resources": requests}]}
    if node:
        spec["nodeName"] = node
    full = {"labels": own, **owner("Job", "llama-node-0"), **metadata}
    return body("v1", "Pod", name, metadata=full, spec=spec, status=dict(status or {"phase": "Pending"}))


def unplaced(message: str, number: int = 0) -> Body:
    conditions = [condition("PodScheduled", False, "Unschedulable", message)]
    return pod(number, status={"phase": "Pending", "conditions": conditions})


def container(state: Mapping[str, Any], *, phase: str = "Pending", **more: Any) -> Body:
    """A placed pod whose trainer is in this state."""
    entry = {"name": "trainer", "state": state, **more}
    return pod(node="ip-1", status={"phase": phase, "containerStatuses": [entry]})


def ended(code: int, reason: str = "Error", message: str = "") -> Body:
    details = {"exitCode": code, "reason": reason, "message": message, "finishedAt": BEFORE}
    return container({"terminated": details}, phase="Failed")


def running_pod(number: int = 0, *, ready: bool = True) -> Body:
    return pod(
        number,
        node=f"ip-{number + 1}",
        status={
            "phase": "Running",
            "conditions": [condition("Ready", ready, "", "" if ready else "containers with unready status: [trainer]")],
            "containerStatuses": [{"name": "trainer", "state": {"running": {"startedAt": BEFORE}}}],
        },
    )


def node(name: str = "ip-1", *, ready: bool = True, group: str = GROUP) -> Body:
    found = body("v1", "Node", name, status={"conditions": [condition("Ready", ready, "", "kubelet is silent")]})
    found["status"]["allocatable"] = {"aws.amazon.com/neuron": "16"}
    del found["metadata"]["namespace"]
    instance = {"node.kubernetes.io/instance-type": "trn2.48xlarge"}
    found["metadata"]["labels"] = {"neuron-cluster/node-group": group, **instance}
    return found


def local_queue(**spec: Any) -> Body:
    return body("kueue.x-k8s.io/v1beta2", "LocalQueue", QUEUE, spec={"clusterQueue": "research", **spec})


def cluster_queue(**spec: Any) -> Body:
    return body("kueue.x-k8s.io/v1beta2", "ClusterQueue", "research", spec=spec)


def workload(*conditions: Body, active: bool = True, **status: Any) -> Body:
    return body(
        "kueue.x-k8s.io/v1beta2",
        "Workload",
        "jobset-llama-1a2b3",
        metadata=owner("JobSet", "llama"),
        spec={"queueName": QUEUE, "active": active},
        status={"conditions": list(conditions), **status},
    )


def admitted() -> Body:
    return workload(condition("QuotaReserved", True), condition("Admitted", True))


def user_of_quota(amount: str = "16") -> Body:
    assigned = [{"name": "main", "resourceUsage": {"aws.amazon.com/neuron": amount}}]
    found = workload(condition("Admitted", True), admission={"clusterQueue": "research", "podSetAssignments": assigned})
    found["metadata"] |= {"name": "jobset-mistral-9", "namespace": "team-b", **owner("JobSet", "mistral")}
    return found


def claim(name: str, phase: str) -> Body:
    return body("v1", "PersistentVolumeClaim", name, status={"phase": phase})


def event(about: Body | str, reason: str, message: str, kind: str = "Pod") -> Body:
    name = about if isinstance(about, str) else about["metadata"]["name"]
    involved = {"kind": kind, "name": name, "namespace": NAMESPACE}
    details = {"reason": reason, "message": message, "type": "Warning", "lastTimestamp": BEFORE}
    return body("v1", "Event", f"{name}.{reason}", involvedObject=involved, **details)


def deployment(replicas: int, conditions: Iterable[Body] = ()) -> Body:
    own = labels("neuron-serving", "chat")
    template = {"metadata": {"labels": own}, "spec": {"containers": [{"name": "server"}]}}
    spec = {"replicas": replicas, "template": template}
    return body(
        "apps/v1",
        "Deployment",
        "chat",
        metadata={"labels": own, "annotations": {"meta.helm.sh/release-name": "chat"}},
        spec=spec,
        status={"conditions": list(conditions)},
    )


def situation_of(
    *objects: Body,
    groups: Mapping[str, NodeGroupPlan] | None = None,
    others: Iterable[Body] = (),
    forbidden: tuple[str, ...] = (),
    now: datetime = NOW,
) -> Situation:
    """Returns the situation of the first release among the objects."""
    state = ClusterState(objects, now, forbidden=forbidden, others=tuple(others))
    [release, *_] = releases_in(state, RECIPES.keys())
    environment = EnvironmentGroups("train-trn2", "eks.node_groups", groups or {})
    return Situation(release, state, environment, "kubectl --context here")

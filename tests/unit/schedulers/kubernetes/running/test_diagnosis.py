"""Situations of a cluster, each with the cause that comes first."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from neuron_cluster.schedulers.kubernetes.running.cause import Stage
from neuron_cluster.schedulers.kubernetes.running.diagnosis import diagnose

from .observed import (
    Body,
    admitted,
    child_job,
    claim,
    cluster_queue,
    condition,
    container,
    deployment,
    ended,
    event,
    job_set,
    local_queue,
    node,
    pod,
    running_pod,
    situation_of,
    unplaced,
    user_of_quota,
    workload,
)

SHORT = (
    "couldn't assign flavors to pod set node: insufficient unused quota for aws.amazon.com/neuron in flavor trn2, "
    "16 more needed"
)
QUEUES = [local_queue(), cluster_queue()]
STARTED = [job_set(), *QUEUES, admitted(), child_job()]
WITH_NODES = [*STARTED, node(), node("ip-2")]
WAITING = {"waiting": {"reason": "ImagePullBackOff", "message": 'Back-off pulling image "x"'}}
CRASH = {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 5m0s"}}
NO_CLAIM = 'persistentvolumeclaim "lustre" not found. preemption: not eligible'
NO_FIT = (
    "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, "
    "2 Insufficient aws.amazon.com/neuron. preemption: 0/3 nodes are available: 3 Preemption is not helpful."
)

NOT_COVERED = "couldn't assign flavors to pod set node: resource aws.amazon.com/neuroncore unavailable in ClusterQueue"
BEYOND = (
    "couldn't assign flavors to pod set node: insufficient quota for aws.amazon.com/neuron in flavor trn2, previously "
    "considered podsets requests (8) + current podset request (120) > maximum capacity (112)"
)


def evicted_with_quota(requeue_at: str) -> Body:
    """Case 22: evicted, and its quota is still reserved."""
    states = [
        condition("Evicted", True, "PodsReadyTimeout"),
        condition("QuotaReserved", True),
        condition("Admitted", True),
    ]
    return workload(*states, requeueState={"count": 1, **({"requeueAt": requeue_at} if requeue_at else {})})


SITUATIONS: dict[str, tuple[list[Body], Stage, str]] = {
    "a job that is larger than quota and borrowing": (
        [job_set(suspend=True), *QUEUES, workload(condition("QuotaReserved", False, "Pending", BEYOND))],
        Stage.QUEUE,
        "it never fits: 128 aws.amazon.com/neuron requested, at most 112",
    ),
    "a job of cores waits for ever in a queue of devices": (
        [job_set(suspend=True), *QUEUES, workload(condition("QuotaReserved", False, "Pending", NOT_COVERED))],
        Stage.QUEUE,
        "does not count aws.amazon.com/neuroncore: Kueue never admits the Workload",
    ),
    "deactivated": ([job_set(suspend=True), *QUEUES, workload(active=False)], Stage.STOPPED, "workload stop"),
    "given up by Kueue": (
        [
            job_set(suspend=True),
            *QUEUES,
            workload(condition("Evicted", True, "DeactivatedDueToRequeuingLimitExceeded"), active=False),
        ],
        Stage.STOPPED,
        "gave up",
    ),
    "suspended without a queue": ([job_set(queue="", suspend=True)], Stage.STOPPED, "suspended"),
    "scaled to 0": ([deployment(0)], Stage.STOPPED, "scaled to 0"),
    "no LocalQueue": ([job_set(suspend=True), workload()], Stage.QUEUE, "has no LocalQueue research"),
    "LocalQueue stopped": (
        [job_set(suspend=True), local_queue(stopPolicy="Hold"), cluster_queue(), workload()],
        Stage.QUEUE,
        "LocalQueue was stopped",
    ),
    "ClusterQueue stopped": (
        [job_set(suspend=True), local_queue(), cluster_queue(stopPolicy="HoldAndDrain"), workload()],
        Stage.QUEUE,
        "ClusterQueue was stopped",
    ),
    "no ClusterQueue": ([job_set(suspend=True), local_queue(), workload()], Stage.QUEUE, "does not exist"),
    "quota in use": (
        [job_set(suspend=True), *QUEUES, workload(condition("QuotaReserved", False, "Pending", SHORT))],
        Stage.QUEUE,
        "team-b/mistral (16)",
    ),
    "preempted": (
        [job_set(suspend=True), *QUEUES, workload(condition("Evicted", True, "Preempted", "to accommodate another"))],
        Stage.QUEUE,
        "higher priority",
    ),
    "eviction that keeps its quota": (
        [job_set(suspend=True), *QUEUES, node(), evicted_with_quota("2026-11-25T16:00:00Z")],
        Stage.EVICTION,
        "holds quota that no pod uses",
    ),
    "eviction that keeps its quota, without a later try": (
        [job_set(suspend=True), *QUEUES, node(), evicted_with_quota("")],
        Stage.EVICTION,
        "holds quota that no pod uses",
    ),
    "admitted again and again": (
        [
            job_set(),
            *QUEUES,
            node(),
            workload(
                condition("QuotaReserved", True),
                condition("Admitted", True),
                condition("Evicted", False),
                requeueState={"count": 4},
            ),
        ],
        Stage.EVICTION,
        "Kueue tries again without end",
    ),
    "admission check": (
        [
            job_set(suspend=True),
            *QUEUES,
            workload(condition("QuotaReserved", True), admissionChecks=[{"name": "capacity", "state": "Pending"}]),
        ],
        Stage.QUEUE,
        "admission check is open",
    ),
    "no Workload": ([job_set(suspend=True), *QUEUES], Stage.QUEUE, "does not manage the job"),
    "pods late, by their events": (
        [
            job_set(suspend=True),
            *QUEUES,
            node(),
            workload(condition("Evicted", True, "PodsReadyTimeout", "Exceeded the PodsReady timeout")),
            event("llama-node-0-0-zzzzz", "FailedScheduling", NO_FIT),
        ],
        Stage.PLACEMENT,
        "aws.amazon.com/neuron",
    ),
    "no claim": (
        [job_set(claim="lustre"), *QUEUES, admitted(), claim("scratch", "Bound"), unplaced(NO_CLAIM)],
        Stage.CLAIM,
        "has no claim lustre (it has: scratch)",
    ),
    "claim without volume": (
        [
            job_set(claim="lustre"),
            *QUEUES,
            admitted(),
            claim("lustre", "Pending"),
            event("lustre", "ProvisioningFailed", "no file system", "PersistentVolumeClaim"),
        ],
        Stage.CLAIM,
        "has no volume",
    ),
    "group without nodes": (
        [*STARTED, node(group="cpu"), unplaced("0/1 nodes are available: 1 Too many pods.")],
        Stage.NODES,
        "no node of the group",
    ),
    "node not ready": ([*STARTED, node(ready=False), unplaced("0/1 nodes are available")], Stage.NODES, "NotReady"),
    "pod on a lost node": (
        [*STARTED, pod(node="ip-9", status={"phase": "Running"}, deletionTimestamp="2026-11-26T11:41:00Z"), node()],
        Stage.NODES,
        "ends only when its Node object is deleted",
    ),
    "resources": ([*WITH_NODES, unplaced(NO_FIT)], Stage.PLACEMENT, "too little free of aws.amazon.com/neuron"),
    "taint": (
        [*WITH_NODES, unplaced("0/2 nodes are available: 2 node(s) had untolerated taint {team: b}.")],
        Stage.PLACEMENT,
        "nodes have team",
    ),
    "anti-affinity": (
        [*WITH_NODES, unplaced("0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules.")],
        Stage.PLACEMENT,
        "one node for each pod",
    ),
    "image tag": (
        [*WITH_NODES, container(WAITING), event(pod(), "Failed", "Failed to pull image: x:9: not found")],
        Stage.IMAGE,
        "does not exist in the registry",
    ),
    "registry login": (
        [*WITH_NODES, container({"waiting": {"reason": "ErrImagePull", "message": "pull access denied (403)"}})],
        Stage.IMAGE,
        "denies access",
    ),
    "pulling": (
        [*WITH_NODES, container({"waiting": {"reason": "ContainerCreating"}}), event(pod(), "Pulling", "Pulling x")],
        Stage.IMAGE,
        "is pulled",
    ),
    "Secret missing": (
        [*WITH_NODES, container({"waiting": {"reason": "CreateContainerConfigError", "message": "secret x"}})],
        Stage.CONTAINER,
        "Secret",
    ),
    "volume does not mount": (
        [
            *WITH_NODES,
            container({"waiting": {"reason": "ContainerCreating"}}),
            event(pod(), "FailedMount", "mount timed out"),
        ],
        Stage.VOLUMES,
        "volume",
    ),
    "crash loop": (
        [*WITH_NODES, container(CRASH, lastState={"terminated": {"exitCode": 127}}, restartCount=4)],
        Stage.PROGRAM,
        "command was not found",
    ),
    "out of memory": ([*WITH_NODES, ended(137, "OOMKilled")], Stage.PROGRAM, "memory limit"),
    "stopped on demand": ([*WITH_NODES, ended(75)], Stage.PROGRAM, "restart is not counted"),
    "device lost": ([*WITH_NODES, ended(76)], Stage.PROGRAM, "Neuron device was lost"),
    "evicted": (
        [*WITH_NODES, pod(node="ip-1", status={"phase": "Failed", "reason": "Evicted", "message": "low on disk"})],
        Stage.PROGRAM,
        "Kubernetes ended the pod",
    ),
    "probe fails": ([*WITH_NODES, running_pod(ready=False)], Stage.READINESS, "probe does not succeed"),
    "Pod Security": (
        [*STARTED, node(), event("llama-node-0", "FailedCreate", 'pods violates PodSecurity "restricted"', "Job")],
        Stage.CONTROLLER,
        "Pod Security level",
    ),
    "controller idle": ([job_set(queue="")], Stage.CONTROLLER, "controller of JobSet"),
    "failed": (
        [job_set(conditions=[condition("Failed", True, "ReachedMaxRestarts", "4 restarts")]), *QUEUES],
        Stage.CONTROLLER,
        "has failed",
    ),
    "rollout late": (
        [deployment(1, [condition("Progressing", False, "ProgressDeadlineExceeded", "timed out")])],
        Stage.CONTROLLER,
        "progressDeadlineSeconds",
    ),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_the_cause_comes_first(name: str) -> None:
    objects, stage, text = SITUATIONS[name]
    found = diagnose(situation_of(*objects, others=[user_of_quota()]))
    assert found.causes, found
    assert found.causes[0].stage is stage, found.causes
    assert text in found.causes[0].means
    assert all(cause.do and cause.seen for cause in found.causes)


def test_an_eviction_that_goes_on_is_not_stuck() -> None:
    """Pods that end, a later try that is due, and quota that was given back."""
    for objects in (
        [job_set(suspend=True), *QUEUES, node(), running_pod(0), evicted_with_quota("2026-11-25T16:00:00Z")],
        [job_set(suspend=True), *QUEUES, node(), evicted_with_quota("2026-11-26T12:01:00Z")],
    ):
        found = diagnose(situation_of(*objects))
        assert not [cause for cause in found.causes if "holds quota" in cause.means]


def test_pods_that_run_have_no_cause() -> None:
    found = diagnose(situation_of(*WITH_NODES, running_pod(0), running_pod(1)))
    assert (found.state, found.causes) == ("running", ())
    assert found.looked_at["Pod"] == 2


def test_a_job_with_a_pod_that_is_not_there_starts() -> None:
    assert diagnose(situation_of(*WITH_NODES, running_pod(0))).state == "starting"


def test_a_job_that_completed_has_no_cause() -> None:
    done = job_set(conditions=[condition("Completed", True)])
    found = diagnose(situation_of(done, *QUEUES, ended(0), node()))
    assert (found.state, found.causes) == ("completed", ())


def test_pods_with_the_same_reason_are_one_cause() -> None:
    found = diagnose(situation_of(*WITH_NODES, unplaced(NO_FIT), unplaced(NO_FIT, 1)))
    assert [cause.count for cause in found.causes] == [2]


def test_events_of_a_release_with_a_longer_name_are_its_own() -> None:
    longer = job_set(queue="")
    longer["metadata"] |= {"name": "llama-2", "labels": {**longer["metadata"]["labels"],
                           "app.kubernetes.io/instance": "llama-2"}}  # fmt: skip
    events = [event("llama-2-node-0-0-x", "BackOff", "theirs"), event("llama-node-0-0-x", "BackOff", "ours")]
    found = diagnose(situation_of(*WITH_NODES, longer, *events))
    assert [each.words for each in found.events] == ["BackOff: ours"]


def test_a_node_with_two_pods_is_one_object() -> None:
    lost = [pod(each, node="ip-1", status={"phase": "Running"}) for each in (0, 1)]
    found = diagnose(situation_of(*STARTED, *lost, node(ready=False)))
    assert [(cause.about, cause.count) for cause in found.causes] == [("Node ip-1", 1)]


def test_a_failed_pod_that_was_replaced_is_not_a_cause() -> None:
    replaced = ended(1)
    replaced["metadata"] |= {"name": "llama-node-0-0-older", "creationTimestamp": "2026-11-26T11:00:00Z"}
    assert diagnose(situation_of(*WITH_NODES, replaced, running_pod(0), running_pod(1))).causes == ()
    assert diagnose(situation_of(*WITH_NODES, replaced, running_pod(1))).causes != ()


def test_what_may_not_be_read_is_no_missing_object() -> None:
    forbidden = ("localqueues.kueue.x-k8s.io is forbidden", "persistentvolumeclaims is forbidden", "nodes is forbidden")
    objects = [job_set(claim="lustre", suspend=True), workload()]
    found = diagnose(situation_of(*objects, forbidden=forbidden))
    assert found.causes == ()
    assert found.forbidden == forbidden


@pytest.mark.parametrize(
    ("starts", "ends", "text"),
    [
        ("2026-11-27T11:30:00Z", "2026-11-28T11:30:00Z", "has not begun"),
        ("2026-11-20T11:30:00Z", "2026-11-25T11:30:00Z", "is over"),
        ("2026-11-26T11:30:00Z", "2026-11-27T11:30:00Z", "no node of the group"),
    ],
)
def test_a_capacity_block_explains_missing_nodes(starts: str, ends: str, text: str, plan_of: Any) -> None:
    group = next(each for each in plan_of("train-trn2").kubernetes.node_groups if each.machine.is_neuron)
    purchase = replace(group.machine.purchase, kind="capacity_block", starts=starts, ends=ends)
    block = replace(group, name="trn2", machine=replace(group.machine, purchase=purchase))
    now = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)
    found = diagnose(situation_of(*STARTED, unplaced("0/1 nodes are available"), groups={"trn2": block}, now=now))
    assert found.causes[0].stage is Stage.NODES
    assert text in found.causes[0].means

"""Members of a team cannot pass Kueue, and deactivate Workloads alone: judged in CEL as the API server does."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from local_kubernetes.model.pod_templates import TEMPLATE_PLACES
from neuron_cluster.pipeline import check_environment
from neuron_cluster.schedulers.kubernetes.software.team_queue_policy import KINDS, TRAIN_JOB
from neuron_cluster.schedulers.kubernetes.software.team_roles import POD_MAKERS
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.queue_admission import queue_label
from tests.cel_admission import rejections
from tests.every_run import in_every_run

QUEUE = {"kueue.x-k8s.io/queue-name": "training"}
MEMBER, OPERATOR = "neuron-cluster:{}", "neuron-cluster:{}:operators"
NAMES = ("aws.amazon.com/neuron", "aws.amazon.com/neuroncore", "vpc.amazonaws.com/efa")


def policy_of(plan: Any, name: str) -> Mapping[str, Any]:
    found = (each for made in plan.kubernetes.team_manifests for each in made.objects)
    return next(each for each in found if each["metadata"]["name"] == f"neuron-cluster-fields-{name}")


@pytest.fixture(scope="session")
def shipped_plan() -> Any:
    """``trn1`` and ``trn1-dev`` have queues; ``inf2`` belongs to robotics and has none."""
    return check_environment(Path(__file__).parents[5] / "environments" / "research-teams.yaml").require_plan()


def spec_of(name: str = NAMES[0], **keys: Any) -> dict[str, Any]:
    return {"containers": [{"name": "main", "resources": {"limits": {name: "1"}}}], **keys}


def owner(kind: str, spec: Mapping[str, Any], labels: Mapping[str, str] | None = None) -> dict[str, Any]:
    """An object of the kind with the specification at each place of its templates; labels where Kueue reads them."""
    body: dict[str, Any] = {"kind": kind, "metadata": {"name": "own", "labels": dict(labels or {})}, "spec": {}}
    for place in TEMPLATE_PLACES[kind]:
        _put(body, [*filter(None, place.split(".")), "spec"], copy.deepcopy(dict(spec)))
    if kind == "CronJob":
        body["metadata"].pop("labels")
        body["spec"]["jobTemplate"]["metadata"] = {"labels": dict(labels or {})}
    if kind == "ReplicaSet":
        body["metadata"].pop("labels")
        body["spec"]["template"]["metadata"] = {"labels": dict(labels or {})}
    return body


def _put(tree: dict[str, Any], path: list[str], value: Any) -> None:
    step, *rest = path
    if not rest:
        tree[step] = value
    elif rest[0] == "*":
        inside: dict[str, Any] = {}
        _put(inside, rest[1:], value)
        tree[step] = {"Worker": inside} if step.endswith("ReplicaSpecs") else [inside]
    else:
        _put(tree.setdefault(step, {}), rest, value)


def answers(plan: Any, body: Any, old: Any = None, *, team: str = "language", group: str | None = MEMBER) -> list[str]:
    groups = [group.format(team)] if group else ["system:serviceaccounts"]
    return rejections(policy_of(plan, team), body, old, groups=groups)


def test_each_kind_that_a_member_may_create_with_pods_is_judged() -> None:
    plural = {f"{kind.lower()}s" for kind in (*KINDS, TRAIN_JOB)}
    assert {name for names in POD_MAKERS.values() for name in names} == plural


@pytest.mark.parametrize("kind", in_every_run(KINDS, ("Pod", "CronJob", "JobSet", "PyTorchJob", "LeaderWorkerSet")))
def test_a_member_starts_devices_of_a_queue_by_the_queue_alone(shipped_plan: Any, kind: str) -> None:
    (message,) = answers(shipped_plan, owner(kind, spec_of()))
    assert "add the label kueue.x-k8s.io/queue-name" in message
    assert answers(shipped_plan, owner(kind, spec_of(), {"kueue.x-k8s.io/queue-name": ""}))
    assert answers(shipped_plan, owner(kind, spec_of(), QUEUE)) == []
    assert answers(shipped_plan, owner(kind, {"containers": [{"name": "main"}]})) == []


@pytest.mark.parametrize(("kind", "is_queued"), [("Deployment", True), ("ReplicaSet", True), ("Job", False)])
def test_a_label_of_the_pods_counts_where_kueue_manages_the_pods(shipped_plan: Any, kind: str, is_queued: bool) -> None:
    """Pods of a Job belong to it, so that Kueue takes no label of theirs."""
    body = owner(kind, spec_of())
    body["spec"]["template"]["metadata"] = {"labels": QUEUE}
    assert (answers(shipped_plan, body) == []) is is_queued
    assert (queue_label(body) != "") is is_queued


@pytest.mark.parametrize("name", [*NAMES, "deviceclass.resource.kubernetes.io/neuron.aws.com"])
@pytest.mark.parametrize("part", ["limits", "requests"])
def test_every_name_of_a_device_is_judged(shipped_plan: Any, name: str, part: str) -> None:
    container = {"name": "main", "resources": {part: {name: "1"}}}
    for spec in ({"containers": [container]}, {"containers": [{"name": "a"}], "initContainers": [container]}):
        assert answers(shipped_plan, owner("Job", spec))


def test_a_claim_of_devices_is_judged(shipped_plan: Any) -> None:
    spec = {"containers": [{"name": "main"}], "resourceClaims": [{"name": "chips", "resourceClaimTemplateName": "c"}]}
    assert answers(shipped_plan, owner("Job", spec))


def test_an_owner_that_the_user_writes_does_not_replace_the_queue(shipped_plan: Any) -> None:
    pod = owner("Pod", spec_of(), QUEUE)
    pod["metadata"]["ownerReferences"] = [{"kind": "Job", "name": "other"}]
    assert answers(shipped_plan, pod)


def test_controllers_and_administrators_are_not_judged(shipped_plan: Any) -> None:
    assert answers(shipped_plan, owner("Pod", spec_of()), group=None) == []
    assert answers(shipped_plan, owner("Pod", spec_of()), group=OPERATOR)


@pytest.mark.parametrize(
    "selector", [{"neuron-cluster/node-group": "inf2"}, {"node.kubernetes.io/instance-type": "inf2.8xlarge"}]
)
def test_a_group_without_a_queue_needs_no_label_where_the_pods_select_it(
    shipped_plan: Any, selector: Mapping[str, str]
) -> None:
    server = owner("Deployment", spec_of(nodeSelector=selector))
    assert answers(shipped_plan, server, team="robotics") == []
    assert answers(shipped_plan, owner("Deployment", spec_of()), team="robotics")
    assert answers(shipped_plan, server, team="language")


def test_an_update_is_judged_by_what_it_changes(shipped_plan: Any) -> None:
    queued, free = owner("Job", spec_of(), QUEUE), owner("Job", spec_of())
    plain = owner("Job", {"containers": [{"name": "main"}]})
    assert answers(shipped_plan, free, free) == []
    assert answers(shipped_plan, free, queued)
    assert answers(shipped_plan, free, plain)


OWNER = [{"kind": "JobSet", "name": "small", "controller": True}]


def owned(body: Mapping[str, Any], *, by: Any = OWNER) -> dict[str, Any]:
    return {**body, "metadata": {**body["metadata"], "ownerReferences": by}}


def edited(body: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy with another value at a dotted path; numbers are places in lists."""
    copied = copy.deepcopy(dict(body))
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    tree: Any = copied
    for step in steps:
        tree = tree.setdefault(step, {}) if isinstance(tree, dict) else tree[step]
    tree[last] = value
    return copied


@pytest.mark.parametrize("kind", in_every_run(KINDS, ("Pod", "Job")))
def test_an_owner_that_an_update_adds_does_not_replace_the_queue(shipped_plan: Any, kind: str) -> None:
    """Kueue, which suspended the object, would take it for a part of what it has admitted."""
    queued = owner(kind, spec_of(), QUEUE)
    assert answers(shipped_plan, queued, queued) == []
    assert answers(shipped_plan, owned(queued), queued)


def test_a_job_of_a_cron_job_remains_its_own_and_in_its_queue(shipped_plan: Any) -> None:
    """Kueue manages it by its label, since it does not manage CronJobs."""
    job = owned(owner("Job", spec_of(), QUEUE), by=[{"kind": "CronJob", "name": "nightly"}])
    suspended = edited(job, "spec.suspend", True)
    assert answers(shipped_plan, edited(job, "metadata.annotations", {"a": "b"}), job) == []
    assert answers(shipped_plan, edited(job, "metadata.ownerReferences", OWNER), job)
    assert answers(shipped_plan, edited(job, "metadata.labels", {}), job)
    assert answers(shipped_plan, edited(suspended, "spec.suspend", False), suspended)
    assert answers(shipped_plan, suspended, job) == []


GROWN = [
    ("Job", "spec.parallelism"),
    ("Job", "spec.completions"),
    ("CronJob", "spec.jobTemplate.spec.parallelism"),
    ("Deployment", "spec.replicas"),
    ("ReplicaSet", "spec.replicas"),
    ("StatefulSet", "spec.replicas"),
    ("JobSet", "spec.replicatedJobs.0.replicas"),
    ("JobSet", "spec.replicatedJobs.0.template.spec.parallelism"),
    ("MPIJob", "spec.mpiReplicaSpecs.Worker.replicas"),
    ("PyTorchJob", "spec.pytorchReplicaSpecs.Worker.replicas"),
    ("LeaderWorkerSet", "spec.replicas"),
    ("LeaderWorkerSet", "spec.leaderWorkerTemplate.size"),
]


IN_EVERY_RUN = [(*GROWN[0], False), *((*GROWN[place], True) for place in (0, 3, 7, 9))]


@pytest.mark.parametrize(
    ("kind", "path", "is_owned"),
    in_every_run([(*each, is_owned) for each in GROWN for is_owned in (True, False)], IN_EVERY_RUN),
)
def test_what_starts_without_its_queue_does_not_grow(shipped_plan: Any, kind: str, path: str, is_owned: bool) -> None:
    """Jobs of an admitted JobSet, and what is older than the policy."""
    body = owner(kind, spec_of())
    if kind == "JobSet":
        body["spec"]["replicatedJobs"][0]["name"] = "workers"
    before = owned(body) if is_owned else body
    (message,) = answers(shipped_plan, edited(before, path, 2), before)
    assert "gets no more pods or devices" in message
    assert answers(shipped_plan, edited(before, path, 2), before, group=None) == []
    assert answers(shipped_plan, edited(before, path, 2), edited(before, path, 4)) == []
    labelled = owner(kind, spec_of(), QUEUE)
    assert answers(shipped_plan, edited(labelled, path, 2), labelled) == []


def test_pods_that_start_without_their_queue_get_no_more_devices(shipped_plan: Any) -> None:
    before = owner("Deployment", spec_of())
    container = "spec.template.spec.containers.0"
    assert answers(shipped_plan, edited(before, f"{container}.resources.limits", {NAMES[0]: "16"}), before)
    assert answers(shipped_plan, edited(before, "spec.template.spec.resourceClaims", [{"name": "chips"}]), before)
    assert answers(shipped_plan, edited(before, f"{container}.image", "new"), before) == []
    assert answers(shipped_plan, edited(before, f"{container}.resources.requests", {"cpu": "2"}), before) == []
    assert answers(shipped_plan, edited(before, f"{container}.resources", {}), before) == []


@pytest.mark.parametrize("amount", ["0", 0])
def test_no_device_needs_no_queue(shipped_plan: Any, amount: Any) -> None:
    """Custom resources may have numbers."""
    none = {"containers": [{"name": "main", "resources": {"limits": {NAMES[0]: amount}}}]}
    assert answers(shipped_plan, owner("JobSet", none)) == []
    some = {"containers": [{"name": "main", "resources": {"limits": {NAMES[0]: amount, NAMES[1]: 1}}}]}
    assert answers(shipped_plan, owner("JobSet", some))


@pytest.mark.parametrize(
    "spec",
    [
        ("JobSet", {}),
        ("JobSet", {"replicatedJobs": [{"name": "a", "template": {"spec": {}}}]}),
        ("MPIJob", {"mpiReplicaSpecs": {"Worker": {}}}),
        ("PyTorchJob", {"pytorchReplicaSpecs": {"Worker": {}}}),
        ("LeaderWorkerSet", {"leaderWorkerTemplate": {"workerTemplate": {"spec": {"initContainers": []}}}}),
    ],
    ids=lambda spec: str(spec[0]),
)
def test_a_custom_resource_without_templates_or_containers_is_admitted(
    shipped_plan: Any, spec: tuple[str, Mapping[str, Any]]
) -> None:
    kind, given = spec
    body = {"kind": kind, "metadata": {"name": "own"}, "spec": given}
    assert answers(shipped_plan, body) == answers(shipped_plan, body, body) == []


def test_a_scheduling_gate_is_removed_by_kueue_alone(shipped_plan: Any) -> None:
    gated = owner("Pod", spec_of(schedulingGates=[{"name": "kueue.x-k8s.io/admission"}]), QUEUE)
    assert "scheduling gates" in answers(shipped_plan, owner("Pod", spec_of(), QUEUE), gated)[0]
    assert answers(shipped_plan, owner("Pod", spec_of(), QUEUE), gated, group=None) == []
    assert answers(shipped_plan, gated, gated) == []


def workload(**spec: Any) -> dict[str, Any]:
    given = {"active": True, "priority": 0, "queueName": "training", **spec}
    return {"kind": "Workload", "metadata": {"name": "job", "finalizers": ["kueue"]}, "spec": given}


def test_a_member_deactivates_a_workload_and_changes_nothing_else_of_it(shipped_plan: Any) -> None:
    before = workload()
    without = workload()
    del without["spec"]["active"]
    assert answers(shipped_plan, workload(active=False), before) == []
    assert answers(shipped_plan, workload(active=False), without) == []
    assert answers(shipped_plan, workload(priority=9), before)
    assert answers(shipped_plan, workload(extra=1), before)
    released = workload(active=False)
    del released["metadata"]["finalizers"]
    assert answers(shipped_plan, released, before)
    assert answers(shipped_plan, workload(priority=9), before, group=None) == []


def test_a_train_job_needs_the_queue_unless_its_runtime_has_none(shipped_plan: Any) -> None:
    def train_job(runtime: str, labels: Mapping[str, str] | None = None, **spec: Any) -> dict[str, Any]:
        metadata = {"name": "own", "labels": dict(labels or {})}
        return {"kind": "TrainJob", "metadata": metadata, "spec": {"runtimeRef": {"name": runtime}, **spec}}

    assert answers(shipped_plan, train_job("neuron-torch-trn1"))
    assert answers(shipped_plan, train_job("neuron-torch-trn1", QUEUE)) == []
    assert answers(shipped_plan, train_job("neuron-torch-inf2"), team="robotics") == []
    moved = train_job("neuron-torch-inf2", podTemplateOverrides=[{"spec": {}}])
    assert answers(shipped_plan, moved, team="robotics")

"""Reading of Kubernetes objects."""

from __future__ import annotations

import re
from typing import Any

import pytest
from scheduling_examples import messages, node, toleration, wants

from local_kubernetes.model.scheduling.pod_reader import pods_of


def made(kind: str, spec: dict[str, Any], **metadata: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": "job", **metadata}, "spec": spec}


def template(*containers: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": "main", **each} for each in containers or ({},)], **spec}}


def asks(**requests: Any) -> dict[str, Any]:
    return {"resources": {"requests": requests}}


def only(body: dict[str, Any]) -> Any:
    (pod,) = pods_of([body])
    return pod


def test_everything_that_the_scheduler_asks_about_is_read() -> None:
    expression = {"key": "rack", "operator": "In", "values": ["7"]}
    terms = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    spec = template(
        asks(cpu="500m", memory="1Gi"),
        nodeSelector={"team": "red"},
        affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}},
        tolerations=[{"key": "a", "operator": "Exists", "effect": "NoSchedule"}, {"key": "b", "value": "1"}],
    )
    pod = only(made("Deployment", {"replicas": 3, "template": spec}, namespace="ml"))
    assert (pod.workload, pod.kind, pod.replicas) == ("Deployment ml/job", "Deployment", 3)
    assert pod.node_selector == {"team": "red"}
    assert pod.affinity == ((wants("rack", "In", "7"),),)
    assert pod.tolerations == (toleration("a", "NoSchedule"), toleration("b", None, "1"))
    assert pod.requests == {"cpu": 500, "memory": 1024**3, "pods": 1}


def test_a_field_of_the_node_counts_as_a_key() -> None:
    terms = {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]}
    spec = template(affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}})
    assert only(made("Pod", spec["spec"])).affinity == ((wants("metadata.name", "In", "n1"),),)


def test_preferences_keep_no_pod_away() -> None:
    preferred = {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": {}}]}
    assert only(made("Pod", template(affinity={"nodeAffinity": preferred})["spec"])).affinity == ()


def test_containers_are_added_up_and_a_limit_alone_is_a_request() -> None:
    one, two = asks(cpu="1"), {"resources": {"limits": {"aws.amazon.com/neuron": 16, "cpu": "2"}}}
    assert only(made("Pod", template(one, two)["spec"])).requests == {
        "cpu": 3000, "aws.amazon.com/neuron": 16, "pods": 1,
    }  # fmt: skip


def test_the_largest_init_container_counts_where_it_is_more_and_sidecars_are_added() -> None:
    init = [
        {"name": "sidecar", "restartPolicy": "Always", **asks(cpu="1")},
        {"name": "first", **asks(cpu="4", memory="1Gi")},
    ]
    pod = only(made("Pod", template(asks(cpu="2"), initContainers=init)["spec"]))
    assert pod.requests == {"cpu": 5000, "memory": 1024**3, "pods": 1}


def test_resources_of_the_whole_pod_take_the_place_of_the_sum_and_overhead_is_added() -> None:
    spec = template(asks(cpu="2"), resources={"requests": {"cpu": "3"}}, overhead={"cpu": "250m"})["spec"]
    assert only(made("Pod", spec)).requests["cpu"] == 3250


@pytest.mark.parametrize(
    ("kind", "spec", "replicas"),
    [
        ("DaemonSet", {"template": template()}, None),
        ("StatefulSet", {"replicas": 2, "template": template()}, 2),
        ("Deployment", {"template": template()}, 1),
        ("Deployment", {"replicas": 0, "template": template()}, 0),
        ("ReplicationController", {"replicas": 3, "template": template()}, 3),
        ("Job", {"parallelism": 4, "completions": 8, "template": template()}, 4),
        ("CronJob", {"jobTemplate": {"spec": {"parallelism": 2, "template": template()}}}, 2),
        ("MPIJob", {"mpiReplicaSpecs": {"Worker": {"replicas": 3, "template": template()}}}, 3),
        ("PyTorchJob", {"pytorchReplicaSpecs": {"Worker": {"replicas": 3, "template": template()}}}, 3),
    ],
)
def test_how_many_pods_run_at_once(kind: str, spec: dict[str, Any], replicas: int | None) -> None:
    assert only(made(kind, spec)).replicas == replicas


def test_a_jobset_has_as_many_pods_as_its_jobs_have_together() -> None:
    job = {"spec": {"parallelism": 4, "template": template(asks(cpu="1"))}}
    jobs = [{"name": "a", "replicas": 2, "template": job}, {"name": "b", "template": job}]
    pods = pods_of([made("JobSet", {"replicatedJobs": jobs})])
    assert [pod.replicas for pod in pods] == [8, 4]
    assert pods[1].workload == "JobSet default/job spec.replicatedJobs[1].template.spec.template"


def test_a_leader_worker_set_has_a_leader_and_the_rest_of_each_group() -> None:
    group = {"size": 4, "leaderTemplate": template(), "workerTemplate": template()}
    leader, worker = pods_of([made("LeaderWorkerSet", {"replicas": 2, "leaderWorkerTemplate": group})])
    assert (leader.replicas, worker.replicas) == (2, 6)
    only_workers = {"size": 4, "workerTemplate": template()}
    assert only(made("LeaderWorkerSet", {"replicas": 2, "leaderWorkerTemplate": only_workers})).replicas == 8


def test_objects_without_pods_make_no_shape() -> None:
    assert pods_of([made("ConfigMap", {}), made("Service", {"selector": {}})]) == ()


def test_objects_without_a_namespace_land_in_the_one_that_is_given() -> None:
    (pod,) = pods_of([made("Pod", template()["spec"])], namespace="ml")
    assert pod.workload == "Pod ml/job"


def required(*terms: Any) -> dict[str, Any]:
    where = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": list(terms)}}
    return {"affinity": {"nodeAffinity": where}}


def test_an_affinity_without_terms_is_one_that_no_node_meets() -> None:
    pod = only(made("Pod", template(**required())["spec"]))
    assert pod.affinity == ((),)
    assert messages(pod, node()) == ("its affinity requires an empty term, which matches no node",)


def labelled(**expression: Any) -> dict[str, Any]:
    return required({"matchExpressions": [{"key": "a", "operator": "In", **expression}]})


@pytest.mark.parametrize(
    ("pod", "word"),
    [
        (template(asks(cpu="1 core")), "1 core"),
        (template(asks(cpu=-5)), "requests.cpu is -5"),
        (template({"resources": {"requests": {1: 5}}}), "a key of requests is 1"),
        (template({"resources": {"limits": ["cpu"]}}), "limits is"),
        (template(**labelled(operator="Is")), "'Is' is not a valid operator of a node affinity"),
        (template(**labelled(values=[True])), "a value of a node affinity is True"),
        (template(**labelled(values="b")), "values is 'b', and must be a list"),
        (template(nodeSelector={"team": 7}), "nodeSelector.team is 7"),
        (template(nodeSelector={1: "a"}), "a key of nodeSelector is 1"),
        (template(tolerations=[{"key": "a", "operator": "Foo"}]), "'Foo' is not a valid operator of a toleration"),
        (
            template(tolerations=[{"key": "a", "operator": "Gt", "value": "1"}]),
            "'Gt' is not a valid operator of a toleration",
        ),
        (template(tolerations=[{"key": "a", "value": True}]), "the value of a toleration is True"),
        (template(tolerations=[{"key": "a", "effect": "NoRun"}]), "'NoRun' is not a valid effect of a toleration"),
        (template(tolerations={"key": "a"}), "tolerations is"),
        ({"spec": {"containers": []}}, "spec.containers is empty"),
        ({"spec": {"initContainers": [{"name": "a"}]}}, "spec.containers is empty"),
        ({"spec": {"containers": ["a"]}}, "a container is not a map"),
    ],
)
def test_what_kubernetes_would_not_read_is_said_and_not_left_out(pod: dict[str, Any], word: str) -> None:
    """Left out, it would make a pod placeable that is refused."""
    with pytest.raises(ValueError, match=f"Pod/job: .*{re.escape(word)}"):
        pods_of([made("Pod", pod["spec"])])


@pytest.mark.parametrize("replicas", [-4, 2.5, True, "3"])
@pytest.mark.parametrize(
    ("kind", "spec", "place"),
    [
        ("Deployment", {"template": template()}, "replicas"),
        ("ReplicationController", {"template": template()}, "replicas"),
        ("Job", {"template": template()}, "parallelism"),
    ],
)
def test_a_number_of_pods_is_whole_and_not_below_zero(
    kind: str, spec: dict[str, Any], place: str, replicas: Any
) -> None:
    with pytest.raises(ValueError, match=rf"{kind}/job: spec\.{place} is {replicas!r}"):
        pods_of([made(kind, {**spec, place: replicas})])

"""Pods of charts/neuron-training, by its values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from bundled_charts import BundledChart, cases
from job import read_job
from renders import NAMESPACE, RELEASE, Renders, newest_helm

from local_kubernetes.model.chart_values import merged
from local_kubernetes.model.release import Release
from neuron_cluster.kube.helm import HelmError

pytestmark = pytest.mark.slow
CHART: BundledChart = next(chart for chart, _ in cases() if chart.name == "neuron-training")
COMPONENT = "app.kubernetes.io/component"
CONTROLLERS = pytest.mark.parametrize("controller", ["jobset", "mpijob", "pytorchjob"])
RESUME = "sagemaker.amazonaws.com/enable-job-auto-resume"
RETRIES = "sagemaker.amazonaws.com/job-max-retry-count"


def containers(renders: Renders, controller: str, **values: Any) -> list[Mapping[str, Any]]:
    """The containers of the pods that train, with what their pods are."""
    edits = {"controller": controller, "checkpoints": {"claim": "lustre"}, **values}
    objects = renders.of_values(CHART, merged(CHART.default_values, edits), newest_helm())
    pods = [pod for pod in Release(objects, namespace=NAMESPACE).pods() if pod.owner.kind != "Pod"]
    return [{**container.body, "pod": pod.spec} for pod in pods for container in pod.containers]


@CONTROLLERS
def test_ranks_start_where_they_may_write(renders: Renders, controller: str) -> None:
    """The working directory of AWS's images belongs to root; compiler and runtime write their logs there."""
    assert {each["workingDir"] for each in containers(renders, controller)} == {"/tmp"}  # noqa: S108  the pod's own


@CONTROLLERS
def test_the_folder_of_the_image_can_be_kept(renders: Renders, controller: str) -> None:
    assert [each for each in containers(renders, controller, trainer={"workingDir": ""}) if "workingDir" in each] == []


@CONTROLLERS
def test_a_pod_of_a_node_that_is_gone_is_disrupted_after_a_minute(renders: Renders, controller: str) -> None:
    for container in containers(renders, controller):
        seconds = {each["key"]: each.get("tolerationSeconds") for each in container["pod"]["tolerations"]}
        assert seconds == {
            "aws.amazon.com/neuron": None,
            "node.kubernetes.io/not-ready": 60,
            "node.kubernetes.io/unreachable": 60,
        }


def pytorch_job(renders: Renders, **values: Any) -> Mapping[str, Any]:
    edits = {"controller": "pytorchjob", "checkpoints": {"claim": "lustre"}, **values}
    objects = renders.of_values(CHART, merged(CHART.default_values, edits), newest_helm())
    (found,) = (body for body in objects if body["kind"] == "PyTorchJob")
    return found


def test_hyperpod_resumes_a_pytorchjob_that_restarts_on_failure_and_is_in_a_queue(renders: Renders) -> None:
    """Auto-resume reads the annotations as text, and accepts no other restart policy."""
    job = pytorch_job(renders, nodes=4, autoResume={"maxRetries": 5}, queue={"name": "training"})
    assert job["metadata"]["annotations"] == {RESUME: "true", RETRIES: "5"}
    assert job["metadata"]["labels"]["kueue.x-k8s.io/queue-name"] == "training"
    assert list(job["spec"]["pytorchReplicaSpecs"]) == ["Worker"]
    worker = job["spec"]["pytorchReplicaSpecs"]["Worker"]
    assert (worker["replicas"], worker["restartPolicy"]) == (4, "OnFailure")
    assert "restartPolicy" not in worker["template"]["spec"], "the operator replaces it, with a warning"
    assert [each["name"] for each in worker["template"]["spec"]["containers"]] == ["pytorch"]


def test_a_pytorchjob_without_retries_is_not_resumed_by_hyperpod(renders: Renders) -> None:
    assert "annotations" not in pytorch_job(renders, autoResume={"maxRetries": 0})["metadata"]


@pytest.mark.parametrize(("nodes", "restarts", "limit"), [(4, 3, 13), (1, 0, 1)])
def test_the_limit_of_a_pytorchjob_is_one_above_the_restarts_of_all_its_containers(
    renders: Renders, nodes: int, restarts: int, limit: int
) -> None:
    """The operator fails a job whose running containers have restarted as often as the limit."""
    job = pytorch_job(renders, nodes=nodes, restarts={"max": restarts})
    assert job["spec"]["runPolicy"]["backoffLimit"] == limit


def test_workers_of_a_pytorchjob_know_their_rank_and_leave_no_notes(renders: Renders) -> None:
    """Their containers start again one by one: a note of one that still ends would stop one that has started."""
    job = pytorch_job(renders, nodes=4)
    (container,) = job["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["spec"]["containers"]
    variables = {each["name"]: each for each in container["env"]}
    index = {"fieldRef": {"fieldPath": "metadata.labels['training.kubeflow.org/replica-index']"}}
    assert variables["TRAINING_JOB_INDEX"]["valueFrom"] == index
    values = {name: each["value"] for name, each in variables.items() if "value" in each}
    read = read_job({**values, "TRAINING_JOB_INDEX": "2", "HOSTNAME": f"{RELEASE}-worker-2"})
    assert (read.node_rank, read.nodes, read.master_host) == (2, 4, f"{RELEASE}-worker-0")
    assert (read.stop_folder, read.run) == (None, "")
    assert read.checkpoint_folder is not None


def test_a_pytorchjob_has_no_ultraservers(renders: Renders) -> None:
    with pytest.raises(HelmError, match="HyperPod has no UltraServers"):
        pytorch_job(renders, nodes=4, ultraServer={"size": 4})


def test_restarts_after_a_stop_or_a_loss_do_not_count(renders: Renders) -> None:
    (job_set,) = (
        body for body in renders.of_values(CHART, CHART.default_values, newest_helm()) if body["kind"] == "JobSet"
    )
    rules = job_set["spec"]["replicatedJobs"][0]["template"]["spec"]["podFailurePolicy"]["rules"]
    assert [rule["onExitCodes"]["values"] for rule in rules if "onExitCodes" in rule] == [[75, 76]]


@pytest.mark.parametrize(
    ("controller", "container", "label"),
    [
        ("jobset", "trainer", "jobset.sigs.k8s.io/jobset-uid"),
        ("mpijob", "launcher", "batch.kubernetes.io/controller-uid"),
    ],
)
def test_the_program_that_counts_restarts_knows_its_run(
    renders: Renders, controller: str, container: str, label: str
) -> None:
    """A label is the same for all restarts of a run, and another one for each run of a release."""
    (variables,) = (each["env"] for each in containers(renders, controller) if each["name"] == container)
    (run,) = (each for each in variables if each["name"] == "TRAINING_RUN")
    assert run["valueFrom"] == {"fieldRef": {"fieldPath": f"metadata.labels['{label}']"}}


def test_jobs_of_one_name_in_two_namespaces_do_not_stop_each_other(renders: Renders) -> None:
    """The claims of all namespaces hold the same file system."""
    values = merged(CHART.default_values, {"checkpoints": {"claim": "lustre", "folder": f"mirrored/{NAMESPACE}"}})
    pods = list(Release(renders.of_values(CHART, values, newest_helm()), namespace=NAMESPACE).pods())
    (check,) = (pod.spec["containers"][0]["args"] for pod in pods if pod.owner.kind == "Pod")
    (job,) = (pod.spec["containers"][0]["env"] for pod in pods if pod.owner.kind == "JobSet")
    folders = {each["name"]: each.get("value") for each in job}
    assert folders["TRAINING_STOP_FOLDER"] == f"/checkpoints/.stop-{NAMESPACE}/{RELEASE}"
    assert check == ["/tmp", f"/checkpoints/mirrored/{NAMESPACE}", folders["TRAINING_STOP_FOLDER"]]  # noqa: S108


@CONTROLLERS
def test_neighbouring_ranks_are_placed_together_by_the_queue(renders: Renders, controller: str) -> None:
    """Kueue binds pods to nodes in the order of their indexes (kubernetes-sigs/kueue@ff69552 topology_ungater.go)."""
    layer = "topology.k8s.aws/network-node-layer-3"
    values = {"controller": controller, "nodes": 2}

    def annotations(queue: Mapping[str, str]) -> list[Any]:
        objects = renders.of_values(CHART, merged(CHART.default_values, {**values, "queue": queue}), newest_helm())
        pods = [pod for pod in Release(objects, namespace=NAMESPACE).pods() if pod.owner.kind != "Pod"]
        return [pod.body["metadata"].get("annotations") for pod in pods if pod.labels[COMPONENT] == "node"]

    assert annotations({"name": "training", "topology": layer}) == [{"kueue.x-k8s.io/podset-preferred-topology": layer}]
    assert annotations({"name": "training"}) == annotations({"topology": layer}) == [None]


def test_nodes_of_an_ultraserver_are_placed_by_jobset_alone(renders: Renders) -> None:
    queue = {"name": "training", "topology": "topology.k8s.aws/network-node-layer-3"}
    values = merged(CHART.default_values, {"nodes": 4, "ultraServer": {"size": 4}, "queue": queue})
    with pytest.raises(HelmError, match=r"queue\.topology and ultraServer\.size are both set"):
        renders.of_values(CHART, values, newest_helm())


@CONTROLLERS
@pytest.mark.parametrize(
    ("front_end", "program"),
    [
        ("jax", ["/opt/neuron-training/example_jax.py"]),
        ("nxd", ["/opt/neuron-training/example_nxd.py"]),
        ("torchtitan", ["-m", "torchtitan.train"]),
    ],
)
def test_without_a_program_the_front_end_runs_its_example(
    renders: Renders, controller: str, front_end: str, program: list[str]
) -> None:
    """The program is one of the mounted ConfigMap; arguments of the user follow."""
    given = {"frontEnd": front_end, "trainer": {"args": ["--steps=5"]}}
    runs = {"jobset": "trainer", "mpijob": "launcher", "pytorchjob": "pytorch"}[controller]
    (args,) = (each["args"] for each in containers(renders, controller, **given) if each["name"] == runs)
    assert args[: len(program)] == program
    assert args[-1] == "--steps=5"
    assert ("--dump_folder=$(CHECKPOINT_DIRECTORY)" in args) is (front_end == "torchtitan")
    named = [each.rpartition("/")[2] for each in program if each.endswith(".py")]
    assert all((CHART.folder / "files" / each).is_file() for each in named)


def test_a_program_of_the_user_takes_the_place_of_the_example(renders: Renders) -> None:
    (trainer,) = containers(renders, "jobset", trainer={"program": ["mine.py"], "args": ["--fast"]})
    assert trainer["args"] == ["mine.py", "--fast"]

"""Steps that stop a release, for each kind of controller and with a queue."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.schedulers.kubernetes.running.diagnosis import diagnose
from neuron_cluster.schedulers.kubernetes.running.log_progress import LogProgress
from neuron_cluster.schedulers.kubernetes.running.stop_page import stop_page
from neuron_cluster.schedulers.kubernetes.running.stop_plan import checkpoint_folder, grace_seconds, stop_patches
from neuron_cluster.schedulers.kubernetes.running.stopping import Stopped

from .observed import (
    Body,
    admitted,
    body,
    child_job,
    condition,
    deployment,
    job_set,
    labels,
    owner,
    pod,
    running_pod,
    situation_of,
    workload,
)

SUSPEND = {"spec": {"suspend": True}}


def patches(*objects: Body) -> list[tuple[str, dict[str, Any]]]:
    return [(f"{each.resource}/{each.name}", each.body) for each in stop_patches(situation_of(*objects))]


def controller(version: str, kind: str, chart: str, **spec: Any) -> Body:
    template = {"spec": {"containers": [{"name": "x"}]}}
    return body(
        version, kind, "llama", metadata={"labels": labels(chart, "llama")}, spec={"template": template, **spec}
    )


def test_a_queued_job_is_deactivated_since_kueue_resumes_what_is_suspended() -> None:
    assert patches(job_set(), admitted(), child_job()) == [
        ("workloads.kueue.x-k8s.io/jobset-llama-1a2b3", {"spec": {"active": False}})
    ]


def test_without_a_queue_a_job_is_suspended() -> None:
    assert patches(job_set(queue="")) == [("jobsets.jobset.x-k8s.io/llama", SUSPEND)]
    job = controller("batch/v1", "Job", "collectives-check")
    assert patches(job) == [("jobs.batch/llama", SUSPEND)]
    mpi = controller("kubeflow.org/v2beta1", "MPIJob", "neuron-training", runPolicy={})
    assert patches(mpi) == [("mpijobs.kubeflow.org/llama", {"spec": {"runPolicy": {"suspend": True}}})]
    resumed = controller("kubeflow.org/v1", "PyTorchJob", "neuron-training", runPolicy={})
    assert patches(resumed) == [("pytorchjobs.kubeflow.org/llama", {"spec": {"runPolicy": {"suspend": True}}})]


def test_a_schedule_is_suspended_with_its_jobs() -> None:
    schedule = controller("batch/v1", "CronJob", "compile-cache-warmer")
    job = body("batch/v1", "Job", "llama-1", metadata=owner("CronJob", "llama"))
    done = body("batch/v1", "Job", "llama-0", metadata=owner("CronJob", "llama"))
    done["status"] = {"conditions": [condition("Complete", True)]}
    assert patches(schedule, done, job) == [("cronjobs.batch/llama", SUSPEND), ("jobs.batch/llama-1", SUSPEND)]


def test_keda_is_paused_before_its_server_is_scaled_to_0() -> None:
    scaled = body("keda.sh/v1alpha1", "ScaledObject", "chat", metadata={"labels": labels("neuron-serving", "chat")})
    found = stop_patches(situation_of(deployment(2), scaled))
    assert [each.resource for each in found] == ["scaledobjects.keda.sh", "deployments.apps"]
    assert found[0].undo == {"metadata": {"annotations": {"autoscaling.keda.sh/paused-replicas": None}}}
    assert found[1].undo == {"spec": {"replicas": 2}}


@pytest.mark.parametrize(
    "objects",
    [
        [job_set(queue="", suspend=True)],
        [job_set(suspend=True), workload(active=False)],
        [job_set(conditions=[condition("Completed", True)])],
        [deployment(0)],
    ],
)
def test_what_does_not_run_is_left(objects: list[Body]) -> None:
    assert patches(*objects) == []


def test_why_names_the_command_that_undoes_a_stop() -> None:
    stopped = deployment(0)
    stopped["metadata"]["annotations"]["neuron-cluster/replicas-before-stop"] = "3"
    [cause] = diagnose(situation_of(stopped)).causes
    assert '{"spec": {"replicas": 3}}' in cause.do[0]


def test_pods_have_their_longest_grace_period() -> None:
    slow = running_pod(0)
    slow["spec"]["terminationGracePeriodSeconds"] = 660
    over = pod(2, status={"phase": "Succeeded"})
    over["spec"]["terminationGracePeriodSeconds"] = 9000
    assert grace_seconds(situation_of(job_set(), slow, running_pod(1), over).release) == 720


def test_the_folder_of_checkpoints_is_that_of_the_pods() -> None:
    training = job_set()
    [container] = training["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"]
    assert checkpoint_folder(situation_of(training).release) is None
    container["env"] = [{"name": "CHECKPOINT_DIRECTORY", "value": "/checkpoints/llama"}]
    assert checkpoint_folder(situation_of(training).release) == "/checkpoints/llama"


def test_the_page_names_checkpoint_codes_and_pods_that_are_left() -> None:
    progress = LogProgress(120, "saved checkpoint step-120", "bye")
    stopped = Stopped(seconds=43, left=("llama-1",), exit_codes={"llama-0": 1}, progress=progress)
    page = stop_page(stopped, "llama", "neuron-training", "/checkpoints/llama", ["kubectl patch"])
    assert page.heading == "llama: 1 pods still run after 43 s"
    assert "ranks failed" in page.lead
    assert ("checkpoint", "saved checkpoint step-120; in /checkpoints/llama") in page.facts
    assert ("still running", "llama-1") in page.facts

"""Kubeflow Trainer has a runtime for each Neuron group: a TrainJob names it and brings its program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import pod_templates
from neuron_cluster.schedulers.kubernetes.manifest_rules.run import check_manifests
from tests.charts.object_schemas import errors

PlanOf = Callable[..., Any]
NEURON, EFA = "aws.amazon.com/neuron", "vpc.amazonaws.com/efa"
TRAINER = {"eks.addons.kubeflow_trainer": True}


def runtimes(plan_of: PlanOf, environment: str, edits: Mapping[str, Any] | None = None) -> list[Any]:
    """The manifests of the runtimes."""
    plan = plan_of(environment, {**TRAINER, **(edits or {})})
    return [each for each in plan.kubernetes.manifests if each.component == "kubeflow_trainer"]


def job_set(runtime: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the JobSet that the Trainer makes: its template with a name."""
    spec = runtime["spec"]["template"]["spec"]
    metadata = {"name": "job", "namespace": "default"}
    return {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": metadata, "spec": spec}


def container_of(runtime: Mapping[str, Any]) -> tuple[Any, Any]:
    (template,) = pod_templates(KubernetesObject(job_set(runtime), "default"))
    (container,) = template.spec["containers"]
    return container, template.spec


@pytest.fixture
def trn2(plan_of: PlanOf) -> Mapping[str, Any]:
    (manifest,) = runtimes(plan_of, "train-trn2")
    (runtime,) = manifest.objects
    assert manifest.needs == ("kubeflow-trainer",)
    return dict(runtime)


@pytest.mark.parametrize("environment", ["train-trn2", "train-trn1", "train-trn1n", "dev-inf2", "dev-trn2"])
def test_a_job_set_of_it_is_valid_and_meets_pod_security_restricted(environment: str, plan_of: PlanOf) -> None:
    for manifest in runtimes(plan_of, environment):
        (runtime,) = manifest.objects
        made = job_set(runtime)
        assert errors(made, "1.35") == []
        found = check_manifests([made], source="runtime", namespace="default", pod_security="restricted")
        assert [f"{each.id} {each.message}" for each in found] == []


def test_the_names_are_those_that_the_trainer_s_addresses_are_made_of(trn2: Mapping[str, Any]) -> None:
    """`JOB-node-0-0.JOB` for torchrun, and only the container `node` gets the program of a TrainJob."""
    assert trn2["metadata"]["name"] == "neuron-torch-trn2"
    (job,) = trn2["spec"]["template"]["spec"]["replicatedJobs"]
    assert job["name"] == "node"
    assert job["template"]["metadata"]["labels"] == {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}
    assert container_of(trn2)[0]["name"] == "node"


def test_a_pod_has_a_whole_node_and_torchrun_a_process_for_each_core(trn2: Mapping[str, Any]) -> None:
    """Without a resource called GPU the Trainer counts the processors that are requested."""
    container, pod = container_of(trn2)
    resources = container["resources"]
    assert resources["limits"] == {NEURON: 16, EFA: 16}
    assert resources["requests"]["cpu"] == "64"
    assert pod["nodeSelector"] == {"neuron-cluster/node-group": "trn2"}
    assert {each["key"] for each in pod["tolerations"]} == {NEURON}
    environment = {each["name"]: each["value"] for each in container["env"]}
    assert (environment["NEURON_LOGICAL_NC_CONFIG"], environment["FI_PROVIDER"]) == ("2", "efa")


def test_a_pod_gets_lnc_1_where_the_type_has_two_values(plan_of: PlanOf) -> None:
    """The compiler takes 2 without the variable."""
    (manifest,) = runtimes(plan_of, "train-trn2", {"eks.node_groups.1.logical_nc_config": 1})
    container, _ = container_of(dict(manifest.objects[0]))
    environment = {each["name"]: each["value"] for each in container["env"]}
    assert environment["NEURON_LOGICAL_NC_CONFIG"] == "1"


def test_the_image_has_the_release_of_the_environment_and_is_listed(plan_of: PlanOf) -> None:
    (manifest,) = runtimes(plan_of, "train-trn2")
    (image,) = manifest.images
    assert "pytorch-training-neuronx" in image
    assert container_of(manifest.objects[0])[0]["image"] == image
    (older,) = runtimes(plan_of, "train-trn2", {"neuron.sdk": "2.29.1"})
    assert "sdk2.29.1" in older.images[0]


@pytest.mark.parametrize(
    ("environment", "edits"),
    [("train-trn2u", {}), ("serve-inf1", {}), ("train-trn2", {"eks.addons.kubeflow_trainer": False})],
)
def test_there_is_none_for_claims_for_a_chip_without_pytorch_and_without_the_trainer(
    environment: str, edits: Mapping[str, Any], plan_of: PlanOf
) -> None:
    assert runtimes(plan_of, environment, edits) == []

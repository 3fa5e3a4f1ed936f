"""Images of the environment are on its Neuron nodes before a job needs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import pod_templates
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.schedulers.kubernetes.manifest_rules.run import check_manifests
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.components.image_prepull import component
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.evaluation import evaluate
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.software_pods import software_pods
from tests.charts.object_schemas import errors

PlanOf = Callable[..., Any]
JAX = "jax-training-neuronx:0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04"
VLLM = "pytorch-inference-vllm-neuronx:0.24.0.1.1.0-neuronx-py313-sdk2.32.0-ubuntu24.04"
CONTEXT = ComponentContext(
    addons_path=("eks", "addons"),
    cluster="train",
    region="us-west-2",
    kubernetes_version="1.35",
    node_groups=(),
    enabled=("image_prepull",),
    catalog=load_catalog(),
    chart_values={},
    neuron_sdk="2.32.0",
)
ON = {"eks.addons.image_prepull": True}


def pullers(plan: Any) -> list[Mapping[str, Any]]:
    manifests = [each for each in plan.kubernetes.manifests if each.component == "image_prepull"]
    return [body for manifest in manifests for body in manifest.objects]


def images_of(body: Mapping[str, Any]) -> list[str]:
    (template,) = pod_templates(KubernetesObject(body, ""))
    return [container["image"] for container in template.spec["containers"]]


@pytest.mark.parametrize("environment", ["train-trn2", "train-trn1", "dev-inf2"])
def test_its_pods_meet_pod_security_restricted_and_run_on_the_neuron_nodes_alone(
    environment: str, plan_of: PlanOf
) -> None:
    plan = plan_of(environment, {**ON, "neuron.containers": [JAX]})
    (puller,) = pullers(plan)
    assert errors(puller, "1.35") == []
    found = check_manifests([puller], source="prepull", namespace="kube-system", pod_security="restricted")
    assert [f"{each.id} {each.message}" for each in found] == []
    software = [pod for _, pod in software_pods(plan, load_catalog(), None) if "prepull" in pod.workload]
    evaluation = evaluate(plan, load_catalog(), software)
    groups = [group.name for group in plan.kubernetes.node_groups if group.machine.is_neuron]
    counted = {node.group for node in evaluation.nodes if any("prepull" in each for each in node.daemon_sets)}
    assert counted == set(groups)


def test_a_group_gets_images_for_its_chip_from_the_cache_by_digests_of_the_lock(
    plan_of: PlanOf,
) -> None:
    own = "111122223333.dkr.ecr.us-west-2.amazonaws.com/mine:1.0"
    (trn2,) = pullers(plan_of("train-trn2", {**ON, "neuron.containers": [JAX, VLLM, own]}))
    assert images_of(trn2) == [f"public.ecr.aws/neuron/{JAX}", f"public.ecr.aws/neuron/{VLLM}", own]
    trn1 = plan_of("train-trn1").kubernetes.node_groups
    both = replace(
        CONTEXT, node_groups=trn1, containers=(f"public.ecr.aws/neuron/{JAX}", f"public.ecr.aws/neuron/{VLLM}")
    )
    (manifest,) = component(both).manifests
    assert images_of(manifest.objects[0]) == [f"public.ecr.aws/neuron/{JAX}"] == list(manifest.images)
    cached = plan_of("train-trn1", {**ON, "neuron.containers": [JAX], "eks.image_cache": True})
    (image,) = images_of(pullers(cached)[0])
    assert image.endswith(JAX)
    assert not image.startswith("public.ecr.aws")


def test_nothing_is_pulled_without_images_and_by_default(plan_of: PlanOf) -> None:
    assert pullers(plan_of("train-trn2", ON)) == []
    assert pullers(plan_of("train-trn2", {"neuron.containers": [JAX]})) == []

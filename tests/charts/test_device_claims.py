"""Charts with Neuron devices ask for them in one of two ways, and refuse what no cluster could give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from bundled_charts import BundledChart, case_id, cases
from renders import NAMESPACE, Renders, helms, newest_helm

from local_kubernetes.model.chart_values import merged
from local_kubernetes.model.fields import expand
from local_kubernetes.model.release import Release
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.version import version_key
from neuron_cluster.kube.helm import HelmError
from neuron_cluster.schedulers.kubernetes.workloads.recipes import RECIPES

pytestmark = pytest.mark.slow
NEURON = "aws.amazon.com/neuron"
CLAIMING = [(chart, example) for chart, example in cases() if chart.kubernetes_from(example) is not None]
EXAMPLES = pytest.mark.parametrize(("chart", "example"), CLAIMING, ids=case_id)
AN_EXAMPLE_OF_EACH = pytest.mark.parametrize(
    ("chart", "example"),
    [
        pytest.param(chart, example, marks=() if dict(CLAIMING)[chart] == example else pytest.mark.exhaustive)
        for chart, example in CLAIMING
    ],
    ids=case_id,
)
OLDEST = helms()[0]
REFUSED: list[tuple[Mapping[str, Any], str]] = [
    ({"deviceManagement": "devicePlugin", "ultraServerMode": 1}, "only a claim"),
    ({"instanceType": "inf2.xlarge"}, "leaves out Inferentia"),
    ({"deviceManagement": "both"}, "deviceManagement"),
    ({"ultraServerMode": 3}, "ultraServerMode"),
]


def _objects(chart: BundledChart, example: str, renders: Renders, **machine: Any) -> tuple[Mapping[str, Any], ...]:
    return renders.of_values(chart, merged(chart.values(example), {"machine": machine}), newest_helm())


def _claim(objects: tuple[Mapping[str, Any], ...]) -> Mapping[str, Any]:
    (template,) = (body for body in objects if body["kind"] == "ResourceClaimTemplate")
    devices: Mapping[str, Any] = template["spec"]["spec"]["devices"]
    return devices


def test_every_workload_with_devices_has_an_example_that_claims() -> None:
    assert {chart.name for chart, _ in CLAIMING} == {name for name, recipe in RECIPES.items() if recipe.uses_devices}


@EXAMPLES
def test_a_pod_claims_and_asks_for_no_extended_resource(chart: BundledChart, example: str, renders: Renders) -> None:
    objects = renders.objects(chart, example, newest_helm())
    (request,) = _claim(objects)["requests"]
    machine = chart.values(example)["machine"]
    whole_node = machine.get("ultraServerMode", 0)
    assert request["exactly"]["deviceClassName"] == "neuron.aws.com"
    assert request["exactly"]["allocationMode"] == "ExactCount"
    assert request["exactly"]["count"] == (1 if whole_node else machine["neuronDevices"])
    assert bool(request["exactly"].get("selectors")) is bool(whole_node)
    claiming = [pod for pod in Release(objects, namespace=NAMESPACE).pods() if pod.spec.get("resourceClaims")]
    assert claiming
    for pod in claiming:
        resources = [each for _, each in expand(pod.spec, "containers.*.resources")]
        assert [each["claims"] for each in resources if "claims" in each] == [[{"name": "neurons"}]]
        amounts = [
            each for part in ("requests", "limits") for _, each in expand(pod.spec, f"containers.*.resources.{part}")
        ]
        assert all(NEURON not in each and "memory" in each for each in amounts)


@EXAMPLES
def test_the_plugins_way_differs_in_the_claim_alone(chart: BundledChart, example: str, renders: Renders) -> None:
    """EFA, huge pages, memory and all the rest stay as they are."""

    def rest(objects: tuple[Mapping[str, Any], ...]) -> list[Any]:
        retained = []
        for body in objects:
            for pod in Release([body], namespace=NAMESPACE).pods():
                pod.spec.pop("resourceClaims", None)
                for _, resources in expand(pod.spec, "containers.*.resources"):
                    resources.pop("claims", None)
                    for part in ("requests", "limits"):
                        resources.get(part, {}).pop(NEURON, None)
            if body["kind"] not in ("ResourceClaimTemplate", "Job"):
                retained.append(body)
            elif body["kind"] == "Job":  # its name holds a hash of the values
                retained.append(body["spec"])
        return retained

    by_plugin = _objects(chart, example, renders, deviceManagement="devicePlugin", ultraServerMode=0)
    assert rest(_objects(chart, example, renders)) == rest(by_plugin)
    assert all(body["kind"] != "ResourceClaimTemplate" for body in by_plugin)


@EXAMPLES
def test_the_claim_sets_the_logical_cores_that_the_values_name(
    chart: BundledChart, example: str, renders: Renders
) -> None:
    """apiVersion and fields: aws-neuron/aws-neuron-sdk:deploy/eks/dra.rst, examples 2 and 3."""
    machine = chart.values(example)["machine"]
    wanted = {"UltraServerConfig": {"ultraserverMode": machine.get("ultraServerMode", 0)}}
    wanted["NeuronConfig"] = {"logicalNeuronCore": machine["logicalNcConfig"]}
    said = {}
    for config in _claim(renders.objects(chart, example, newest_helm())).get("config", []):
        assert (config["requests"], config["opaque"]["driver"]) == (["neurons"], "neuron.aws.com")
        parameters = dict(config["opaque"]["parameters"])
        assert parameters.pop("apiVersion") == "neuron.aws.com/v1"
        said[parameters.pop("kind")] = parameters
    assert said == {kind: fields for kind, fields in wanted.items() if all(fields.values())}


@AN_EXAMPLE_OF_EACH
def test_another_claim_has_another_name(chart: BundledChart, example: str, renders: Renders) -> None:
    """The spec of a ResourceClaimTemplate cannot be changed: an upgrade makes a new one."""

    def name(**machine: Any) -> str:
        objects = _objects(chart, example, renders, **machine)
        (found,) = (body["metadata"]["name"] for body in objects if body["kind"] == "ResourceClaimTemplate")
        return str(found)

    if chart.values(example)["machine"].get("ultraServerMode"):
        assert name().endswith("-lnc-2")
    else:
        assert name() != name(neuronDevices=8)


def test_only_workers_of_an_mpijob_claim(renders: Renders) -> None:
    chart = next(chart for chart, _ in CLAIMING if chart.name == "neuron-training")
    objects = renders.of_values(chart, merged(chart.values("dra"), {"controller": "mpijob"}), newest_helm())
    pods = Release(objects, namespace=NAMESPACE).pods()
    assert [pod.path for pod in pods if pod.spec.get("resourceClaims")] == ["spec.mpiReplicaSpecs.Worker.template"]


@AN_EXAMPLE_OF_EACH
def test_an_older_kubernetes_is_refused_in_words(chart: BundledChart, example: str, renders: Renders) -> None:
    minimum = load_catalog().device_managements["dra"].kubernetes_from
    assert version_key(OLDEST.kube_version) < version_key(minimum or "")
    with pytest.raises(
        HelmError, match=rf"is Kubernetes v{OLDEST.kube_version}.*: the Neuron DRA driver wants {minimum}"
    ):
        renders.objects(chart, example, OLDEST)


@pytest.mark.parametrize(("edits", "text"), REFUSED, ids=str)
@AN_EXAMPLE_OF_EACH
def test_what_no_cluster_gives_is_refused(
    chart: BundledChart, example: str, edits: Mapping[str, Any], text: str, renders: Renders
) -> None:
    with pytest.raises(HelmError, match=text):
        _objects(chart, example, renders, **edits)


@pytest.mark.parametrize(
    ("name", "edits", "text"),
    [
        ("neuron-training", {"machine": {"ultraServerMode": 2}}, "ultraServerMode is 2 and ultraServer.size is 4"),
        ("neuron-training", {"machine": {"ultraServerMode": 0}}, "ultraServerMode is 0 and ultraServer.size is 4"),
        ("neuron-training", {"ultraServer": {"size": 0}}, "ultraServerMode is 4 and ultraServer.size is 0"),
        ("neuron-serving", {"machine": {"ultraServerMode": 4}}, "ultraServerMode is 4 and nodesPerReplica is 2"),
        ("neuron-serving", {"exclusiveTopologyKey": ""}, "set exclusiveTopologyKey to neuron.amazonaws.com"),
    ],
)
def test_the_claim_and_the_job_are_of_one_ultraserver(
    name: str, edits: Mapping[str, Any], text: str, renders: Renders
) -> None:
    chart = next(chart for chart, _ in CLAIMING if chart.name == name)
    with pytest.raises(HelmError, match=text):
        renders.of_values(chart, merged(chart.values("dra-ultraserver"), edits), newest_helm())

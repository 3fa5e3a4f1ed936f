"""The software stack: add-ons and charts that need nodes, in an order that works."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from .manifest_text import objects_of

CHART = "Custom::AWSCDK-EKS-HelmChart"


@pytest.fixture(scope="module")
def software(stack_of: Callable[..., Any]) -> Any:
    return stack_of("train-trn1", "software")


def _chart(stack: Any, release: str) -> dict[str, Any]:
    (chart,) = stack.find_resources(CHART, {"Properties": {"Release": release}}).values()
    return dict(chart)


def test_add_ons_that_need_nodes_are_here(software: Any) -> None:
    names = {addon["Properties"]["AddonName"] for addon in software.find_resources("AWS::EKS::Addon").values()}
    assert {"coredns", "aws-fsx-csi-driver"} <= names
    assert not names & {"vpc-cni", "kube-proxy"}


def test_software_comes_after_the_system_nodes_and_before_the_others(app_of: Callable[..., Any], tmp_path: Any) -> None:
    """Scarce machines are bought last, when the cluster works, and given back first (ADR 16)."""
    stacks = app_of("train-trn1", outdir=tmp_path, assets_copied=False).synth().stacks
    needed = {stack.stack_name: {dependency.id for dependency in stack.dependencies} for stack in stacks}
    assert "train-trn1-cluster" in needed["train-trn1-system"]
    assert "train-trn1-system" in needed["train-trn1-software"]
    assert "train-trn1-nodes" not in needed["train-trn1-software"]
    assert "train-trn1-software" in needed["train-trn1-nodes"]


def test_charts_are_pinned_and_placed(software: Any) -> None:
    charts = {
        chart["Properties"]["Release"]: (chart["Properties"]["Repository"], chart["Properties"]["Version"])
        for chart in software.find_resources(CHART).values()
    }
    assert charts == {
        "neuron": ("oci://public.ecr.aws/neuron/neuron-helm-chart", "1.10.0"),
        "aws-efa-k8s-device-plugin": ("https://aws.github.io/eks-charts", "v0.5.30"),
        "jobset": ("oci://registry.k8s.io/jobset/charts/jobset", "0.12.0"),
    }


def test_only_a_chart_with_a_webhook_waits_and_helm_gives_up_before_its_function(software: Any) -> None:
    charts = [chart["Properties"] for chart in software.find_resources(CHART).values()]
    assert {chart["Release"] for chart in charts if "Wait" in chart} == {"jobset"}
    assert {chart["Timeout"] for chart in charts} == {"600s"}


def test_values_keep_their_types(software: Any) -> None:
    values = json.loads(_chart(software, "neuron")["Properties"]["Values"])
    assert values["devicePlugin"]["enabled"] is True
    assert values["npd"]["enabled"] is True
    assert values["scheduler"]["enabled"] is False


def test_efa_plugin_tolerates_the_neuron_taint(software: Any) -> None:
    values = json.loads(_chart(software, "aws-efa-k8s-device-plugin")["Properties"]["Values"])
    assert {"key": "aws.amazon.com/neuron", "operator": "Exists", "effect": "NoSchedule"} in values["tolerations"]


def test_plugins_tolerate_further_taints_of_neuron_groups(stack_of: Callable[..., Any]) -> None:
    taints = [{"key": "team", "value": "research", "effect": "no_schedule"}]
    software = stack_of("train-trn1", "software", {"eks.node_groups.1.taints": taints})
    values = json.loads(_chart(software, "neuron")["Properties"]["Values"])
    tolerated = [toleration.get("key") for toleration in values["devicePlugin"]["tolerations"]]
    assert {"team", "aws.amazon.com/neuron"} <= set(tolerated)


def test_the_dra_driver_comes_after_the_release_that_loses_the_device_plugin(stack_of: Callable[..., Any]) -> None:
    software = stack_of("train-trn1", "software", {"eks.addons": {"neuron_dra_driver": True}})
    ((plugin_id, neuron),) = software.find_resources(CHART, {"Properties": {"Release": "neuron"}}).items()
    assert json.loads(neuron["Properties"]["Values"])["devicePlugin"]["enabled"] is False
    driver = _chart(software, "neuron-dra-driver")
    assert json.loads(driver["Properties"]["Values"])["draDriver"] == {"enabled": True}
    assert driver["DependsOn"] == [plugin_id]


def test_the_dra_driver_changes_no_other_stack(templates_of: Callable[..., Any]) -> None:
    before, after = templates_of("train-trn1"), templates_of("train-trn1", {"eks.addons": {"neuron_dra_driver": True}})
    assert [stack_key for stack_key in before if before[stack_key] != after[stack_key]] == ["software"]


def test_the_namespace_of_the_problem_detector_exists_before_its_chart(software: Any) -> None:
    """Helm makes the namespace of a release, not those of its objects."""
    manifests = software.find_resources("Custom::AWSCDK-EKS-KubernetesResource")
    logical_id, namespace = next(
        (logical_id, each)
        for logical_id, manifest in manifests.items()
        for each in objects_of(manifest)
        if (each["kind"], each["metadata"]["name"]) == ("Namespace", "neuron-healthcheck-system")
    )
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "privileged"
    assert logical_id in _chart(software, "neuron")["DependsOn"]


def test_everything_goes_through_the_one_kubectl_of_the_cluster(software: Any) -> None:
    """No provider of its own: no function, no role in this stack for kubectl."""
    software.resource_count_is("AWS::Lambda::Function", 0)
    for type_name in (CHART, "Custom::AWSCDK-EKS-KubernetesResource"):
        for resource in software.find_resources(type_name).values():
            assert resource["Properties"]["ServiceToken"]["Fn::ImportValue"].startswith("train-trn1-cluster:")


def test_a_chart_less_changes_no_other_stack(templates_of: Callable[..., Any]) -> None:
    """Consumers of the published contract come and go without a change to any producer."""
    before = templates_of("train-trn1")
    after = templates_of("train-trn1", {"eks.addons": {"efa_device_plugin": False}})
    assert [stack_key for stack_key in before if before[stack_key] != after[stack_key]] == ["software"]


def test_kueue_stays_when_it_leaves_the_file(stack_of: Callable[..., Any]) -> None:
    """Uninstalled while Workloads have finalizers, it could never come back; of a first deploy that fails it goes."""
    stack = stack_of("train-trn1", "software", {"eks.node_groups.1.queue": "training"})
    resources = stack.to_json()["Resources"]
    stays = {name for name, each in resources.items() if each.get("DeletionPolicy") == "RetainExceptOnCreate"}
    assert {name.rstrip("0123456789ABCDEF") for name in stays} == {"Chartkueue", "Namespacekueuesystem"}


OBJECTS, PATCH = "Custom::AWSCDK-EKS-KubernetesResource", "Custom::AWSCDK-EKS-KubernetesPatch"


def test_the_namespace_default_is_labelled_and_never_deleted(software: Any) -> None:
    (patch,) = software.find_resources(PATCH).values()
    asked = patch["Properties"]
    assert (asked["ResourceName"], asked["PatchType"]) == ("namespace/default", "merge")
    labels = json.loads(asked["ApplyPatchJson"])["metadata"]["labels"]
    assert {labels[f"pod-security.kubernetes.io/{mode}"] for mode in ("enforce", "warn", "audit")} == {"restricted"}
    assert labels["pod-security.kubernetes.io/enforce-version"] == "v1.35"
    assert (patch["DeletionPolicy"], patch["UpdateReplacePolicy"]) == ("Retain", "Retain")


def test_listed_namespaces_are_made_with_their_level_and_default_stays_restricted(stack_of: Callable[..., Any]) -> None:
    edits = {
        "eks.namespaces": [{"name": "research"}, {"name": "old", "pod_security": "baseline"}],
        "eks.node_groups.1.queue": "training",
    }
    stack = stack_of("train-trn1", "software", edits)
    made, homes = {}, {}
    for logical_id, each in stack.find_resources(OBJECTS).items():
        for body in objects_of(each):
            made[body["kind"], body["metadata"]["name"]] = (logical_id, each, body)
            if body["kind"] == "LocalQueue":
                homes[body["metadata"]["namespace"]] = each["DependsOn"]
    _, research, body = made["Namespace", "research"]
    assert body["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    assert research["DeletionPolicy"] == "Retain", "claims and their volumes would go with it"
    assert "PruneLabel" not in research["Properties"]
    old = made["Namespace", "old"][2]["metadata"]["labels"]
    assert old["pod-security.kubernetes.io/enforce"] == "baseline"
    assert old["pod-security.kubernetes.io/warn"] == "restricted"
    (patch,) = stack.find_resources(PATCH, {"Properties": {"ResourceName": "namespace/default"}}).values()
    assert '"pod-security.kubernetes.io/enforce":"restricted"' in patch["Properties"]["ApplyPatchJson"]
    assert homes.keys() == {"research", "old"}
    assert all(made["Namespace", name][0] in needs for name, needs in homes.items())

"""The software stack with everything that goes together: order, roles, namespaces, charts of ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.template_rules.run import check_templates

from .manifest_text import objects_of

CHART, OBJECTS = "Custom::AWSCDK-EKS-HelmChart", "Custom::AWSCDK-EKS-KubernetesResource"
SWITCHES = (
    "neuron_scheduler",
    "neuron_monitor",
    "ebs_csi_driver",
    "mountpoint_s3_csi_driver",
    "metrics_server",
    "kube_prometheus_stack",
    "jobset",
    "kubeflow_trainer",
    "aws_load_balancer_controller",
)
RICH = {
    "eks.addons": dict.fromkeys(SWITCHES, True),
    "eks.chart_values": {"jobset": {"certManager": {"enable": True}}},
    "eks.namespaces": [{"name": "default", "claims": ["lustre", "datasets"]}],
    "eks.node_groups.1.queue": "training",
}


@pytest.fixture(scope="module")
def templates(templates_of: Callable[..., Any]) -> Any:
    return templates_of("train-trn1", RICH)


@pytest.fixture(scope="module")
def resources(templates: Any) -> dict[str, dict[str, Any]]:
    return dict(templates["software"]["Resources"])


def _release(resources: dict[str, dict[str, Any]], name: str) -> tuple[str, dict[str, Any]]:
    (found,) = [
        (logical_id, each)
        for logical_id, each in resources.items()
        if each["Type"] == CHART and each["Properties"]["Release"] == name
    ]
    return found


def _objects(resources: dict[str, dict[str, Any]], kind: str) -> dict[str, dict[str, Any]]:
    return {
        logical_id: each
        for logical_id, each in resources.items()
        if each["Type"] == OBJECTS and objects_of(each)[0]["kind"] == kind
    }


def test_the_templates_break_no_rule(templates: Any) -> None:
    stacks = {f"train-trn1-{stack_key}": template for stack_key, template in templates.items()}
    assert [
        f"{f.id} {f.location} {f.message}" for f in check_templates(stacks, load_catalog(), region="us-west-2")
    ] == []


def test_needs_of_the_plan_are_dependencies_of_the_template(
    resources: dict[str, dict[str, Any]], plan_of: Callable[..., Any]
) -> None:
    for chart in plan_of("train-trn1", RICH).kubernetes.charts:
        _, made = _release(resources, chart.release)
        for need in chart.needs:
            if need != "coredns":
                assert _release(resources, need)[0] in made["DependsOn"], f"{chart.release} after {need}"


def test_queues_come_after_kueue_whose_pods_are_waited_for(resources: dict[str, dict[str, Any]]) -> None:
    kueue_id, kueue = _release(resources, "kueue")
    (queues,) = _objects(resources, "ResourceFlavor").values()
    assert kueue_id in queues["DependsOn"]
    assert kueue["Properties"]["Wait"] is True


def test_only_charts_with_failing_webhooks_wait(resources: dict[str, dict[str, Any]]) -> None:
    waiting = {
        each["Properties"]["Release"]
        for each in resources.values()
        if each["Type"] == CHART and each["Properties"].get("Wait")
    }
    assert waiting == {"jobset", "kubeflow-trainer", "cert-manager", "kueue", "aws-load-balancer-controller"}


def test_a_pod_gets_its_role_before_it_starts(resources: dict[str, dict[str, Any]]) -> None:
    ((identity_id, identity),) = [
        (logical_id, each)
        for logical_id, each in resources.items()
        if each["Type"] == "AWS::EKS::PodIdentityAssociation"
    ]
    _, chart = _release(resources, "aws-load-balancer-controller")
    assert identity_id in chart["DependsOn"]
    assert identity["Properties"]["ServiceAccount"] == "aws-load-balancer-controller"
    role = resources[identity["Properties"]["RoleArn"]["Fn::GetAtt"][0]]
    statements = role["Properties"]["AssumeRolePolicyDocument"]["Statement"]
    assert statements[0]["Principal"] == {"Service": "pods.eks.amazonaws.com"}
    tags = {
        "aws:RequestTag/eks-cluster-arn": "arn:aws:eks:us-west-2:111122223333:cluster/train-trn1",
        "aws:RequestTag/kubernetes-namespace": identity["Properties"]["Namespace"],
        "aws:RequestTag/kubernetes-service-account": "aws-load-balancer-controller",
    }
    assert [each["Condition"] for each in statements] == [{"StringEquals": tags}] * len(statements)
    assert json.dumps(statements).count("sts:AssumeRole") == json.dumps(statements).count("sts:TagSession") == 1


def test_each_role_of_pods_is_for_one_service_account_of_this_cluster(resources: dict[str, dict[str, Any]]) -> None:
    trusts = [
        json.dumps(statement)
        for each in resources.values()
        if each["Type"] == "AWS::IAM::Role"
        for statement in each["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        if statement["Principal"].get("Service") == "pods.eks.amazonaws.com"
    ]
    assert trusts
    assert [
        each for each in trusts if "cluster/train-trn1" not in each or "kubernetes-service-account" not in each
    ] == []


def test_the_load_balancer_controller_opens_groups_of_this_vpc_alone(resources: dict[str, dict[str, Any]]) -> None:
    (statement,) = [
        statement
        for role in resources.values()
        if role["Type"] == "AWS::IAM::Role"
        for policy in role["Properties"].get("Policies", [])
        for statement in policy["PolicyDocument"]["Statement"]
        if "ec2:AuthorizeSecurityGroupIngress" in statement["Action"]
    ]
    assert "train-trn1-network:" in json.dumps(statement["Condition"]["ArnLike"]["ec2:Vpc"])


def test_the_id_of_the_vpc_and_the_bucket_come_from_their_stacks(resources: dict[str, dict[str, Any]]) -> None:
    _, controller = _release(resources, "aws-load-balancer-controller")
    assert "train-trn1-network:" in json.dumps(controller["Properties"]["Values"]["Fn::Join"])
    roles = json.dumps([each for each in resources.values() if each["Type"] == "AWS::IAM::Role"])
    assert "train-trn1-storage:" in roles
    assert "<" not in roles


def test_a_chart_of_ours_is_an_asset_without_repository_and_version(resources: dict[str, dict[str, Any]]) -> None:
    properties = _release(resources, "neuron-monitor")[1]["Properties"]
    assert "ChartAssetURL" in properties
    assert not properties.keys() & {"Chart", "Repository", "Version", "CreateNamespace"}


def test_every_namespace_is_made_once_and_applied(resources: dict[str, dict[str, Any]]) -> None:
    made = [objects_of(each)[0] for each in _objects(resources, "Namespace").values()]
    names = [each["metadata"]["name"] for each in made]
    assert len(set(names)) == len(names)
    assert {"kueue-system", "jobset-system", "monitoring", "neuron-monitor"} <= set(names)
    assert all(each["Properties"]["Overwrite"] is True for each in _objects(resources, "Namespace").values())


def test_the_whole_set_changes_no_stack_that_it_stands_on(templates: Any, templates_of: Callable[..., Any]) -> None:
    before = templates_of("train-trn1")
    assert {stack_key for stack_key in before if before[stack_key] != templates[stack_key]} == {"nodes", "software"}


def test_of_the_nodes_only_a_label_changes(templates: Any, templates_of: Callable[..., Any]) -> None:
    before, after = templates_of("train-trn1")["nodes"]["Resources"], templates["nodes"]["Resources"]
    changed = [name for name in before if before[name] != after[name]]
    assert [after[name]["Properties"]["Labels"]["neuron-cluster/queue"] for name in changed] == ["training"]

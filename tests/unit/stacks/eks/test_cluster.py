"""The cluster stack: what is decided at creation, who may enter, and what nodes need before they can be Ready."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog

Stacks = Callable[..., Any]


@pytest.fixture(scope="module")
def cluster(stack_of: Stacks) -> Any:
    return stack_of("train-trn1", "cluster")


def _properties(stack: Any) -> dict[str, Any]:
    (cluster,) = stack.find_resources("AWS::EKS::Cluster").values()
    return dict(cluster["Properties"])


def test_what_can_only_be_said_at_creation_is_said(cluster: Any) -> None:
    assert _properties(cluster)["BootstrapSelfManagedAddons"] is False
    assert _properties(cluster)["AccessConfig"] == {
        "AuthenticationMode": "API",
        "BootstrapClusterCreatorAdminPermissions": False,
    }


def test_all_control_plane_logs_go_to_a_group_that_exists_before_the_cluster(cluster: Any) -> None:
    types = [entry["Type"] for entry in _properties(cluster)["Logging"]["ClusterLogging"]["EnabledTypes"]]
    assert sorted(types) == ["api", "audit", "authenticator", "controllerManager", "scheduler"]
    groups = cluster.find_resources("Custom::NeuronClusterLogGroup").items()
    ((logical_id, group),) = [each for each in groups if "ControlPlane" in each[0]]
    assert group["Properties"]["LogGroupName"] == "/aws/eks/train-trn1/cluster"
    assert group["Properties"]["RetentionInDays"] == 90
    assert "KmsKeyId" in group["Properties"]
    (resource,) = cluster.find_resources("AWS::EKS::Cluster").values()
    assert logical_id in resource["DependsOn"]


def test_the_function_of_kubectl_does_not_wait_for_the_cluster(cluster: Any) -> None:
    """Its rights do, and no resource of the stack calls it."""
    functions = cluster.find_resources("AWS::Lambda::Function")
    ((_, handler),) = [each for each in functions.items() if each[0].startswith("ClusterKubectlProviderHandler")]
    assert "DependsOn" not in handler
    kinds = {each["Type"] for each in cluster.to_json()["Resources"].values()}
    assert not any(kind.startswith("Custom::AWSCDK") for kind in kinds)


def test_what_cdks_functions_print_is_kept_a_month_under_the_clusters_key(cluster: Any) -> None:
    """The function prints its event, and with it the values of charts; CDK's own setting is two years and no key."""
    ((key, _),) = cluster.find_resources("AWS::KMS::Key").items()
    groups = cluster.find_resources("AWS::Logs::LogGroup").values()
    lambdas = [group["Properties"] for group in groups if "/aws/lambda/" in str(group["Properties"]["LogGroupName"])]
    assert [(each["RetentionInDays"], each["KmsKeyId"]) for each in lambdas] == [(30, {"Fn::GetAtt": [key, "Arn"]})] * 3
    (policy,) = [each["Properties"]["KeyPolicy"] for each in cluster.find_resources("AWS::KMS::Key").values()]
    (for_logs,) = [each for each in policy["Statement"] if each.get("Sid") == "LogsEncryptTheirGroups"]
    admitted = for_logs["Condition"]["ArnLike"]["kms:EncryptionContext:aws:logs:arn"]
    assert [arn.partition(":log-group:")[2] for arn in admitted] == [
        "/aws/eks/train-trn1/*",
        "/aws/lambda/*",
        "/aws/containerinsights/train-trn1/*",
    ]


def test_a_durable_cluster_is_protected_from_deletion_and_another_is_not(cluster: Any, stack_of: Stacks) -> None:
    assert _properties(cluster)["DeletionProtection"] is True
    assert "DeletionProtection" not in _properties(stack_of("dev-inf2", "cluster"))


def test_every_key_has_an_alias_with_the_environments_name(templates_of: Callable[..., Any]) -> None:
    aliases = {
        resource["Properties"]["AliasName"]
        for template in templates_of("train-trn1").values()
        for resource in template["Resources"].values()
        if resource["Type"] == "AWS::KMS::Alias"
    }
    assert aliases == {f"alias/neuron-cluster/train-trn1/{purpose}" for purpose in ("network", "data", "cluster")}


def test_secrets_are_encrypted_with_a_rotating_key(cluster: Any) -> None:
    ((logical_id, key),) = cluster.find_resources("AWS::KMS::Key").items()
    assert key["Properties"]["EnableKeyRotation"] is True
    assert _properties(cluster)["EncryptionConfig"] == [
        {"Provider": {"KeyArn": {"Fn::GetAtt": [logical_id, "Arn"]}}, "Resources": ["secrets"]}
    ]


def test_the_private_endpoint_alone_answers(cluster: Any) -> None:
    network = _properties(cluster)["ResourcesVpcConfig"]
    assert (network["EndpointPrivateAccess"], network["EndpointPublicAccess"]) == (True, False)


def test_a_public_endpoint_is_open_to_the_named_addresses_only(stack_of: Stacks) -> None:
    endpoint = {"access": "public_and_private", "public_access_cidrs": ["203.0.113.0/24"]}
    network = _properties(stack_of("train-trn1", "cluster", {"eks.endpoint": endpoint}))["ResourcesVpcConfig"]
    assert network["EndpointPublicAccess"] is True
    assert network["PublicAccessCidrs"] == ["203.0.113.0/24"]


def test_admins_and_viewers_enter_through_access_entries(stack_of: Stacks) -> None:
    viewer = "arn:aws:iam::111122223333:role/reader"
    cluster = stack_of("train-trn1", "cluster", {"eks.access.viewers": [viewer]})
    entries = {
        entry["Properties"]["PrincipalArn"]: str(entry["Properties"]["AccessPolicies"][0]["PolicyArn"])
        for entry in cluster.find_resources("AWS::EKS::AccessEntry").values()
        if isinstance(entry["Properties"]["PrincipalArn"], str)
    }
    assert entries["arn:aws:iam::111122223333:role/platform-admin"].endswith("/AmazonEKSClusterAdminPolicy")
    assert entries[viewer].endswith("/AmazonEKSViewPolicy"), "a viewer that reads Secrets is an administrator"
    assert len(entries) == 2


def test_nodes_find_network_and_identity_add_ons_but_none_that_needs_nodes(cluster: Any) -> None:
    """Without a CNI no node becomes Ready; coredns without nodes stays degraded until it times out."""
    names = {addon["Properties"]["AddonName"] for addon in cluster.find_resources("AWS::EKS::Addon").values()}
    assert {"vpc-cni", "kube-proxy", "eks-pod-identity-agent"} <= names
    needy = {addon.name for addon in load_catalog().managed_addons if addon.needs_nodes}
    assert not names & needy


def test_kubectl_may_read_charts_from_the_bootstrap_bucket_and_nothing_else_in_s3(cluster: Any) -> None:
    statements = [
        statement
        for policy in cluster.find_resources("AWS::IAM::Policy").values()
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        if "s3:" in str(statement["Action"])
    ]
    assert statements == [
        {
            "Action": "s3:GetObject",
            "Effect": "Allow",
            "Condition": {"StringEquals": {"aws:ResourceAccount": "111122223333"}},
            "Resource": "arn:aws:s3:::cdk-hnb659fds-assets-111122223333-us-west-2/*.zip",
        }
    ]


def test_functions_run_in_private_subnets_with_the_kubectl_group(cluster: Any) -> None:
    functions = cluster.find_resources("AWS::Lambda::Function")
    in_vpc = [each for name, each in functions.items() if not name.startswith("LogGroups")]
    assert len(in_vpc) == 2
    for function in in_vpc:
        (group,) = function["Properties"]["VpcConfig"]["SecurityGroupIds"]
        assert "Groupskubectl" in group["Fn::ImportValue"]


def test_the_keeper_of_the_log_group_may_touch_no_other_and_delete_none(cluster: Any) -> None:
    functions = cluster.find_resources("AWS::Lambda::Function")
    (keeper,) = [each["Properties"] for name, each in functions.items() if name.startswith("LogGroups")]
    assert "VpcConfig" not in keeper, "no interface of it holds a subnet"
    role = cluster.find_resources("AWS::IAM::Role")[keeper["Role"]["Fn::GetAtt"][0]]["Properties"]
    assert "ManagedPolicyArns" not in role
    (policy,) = role["Policies"]
    keeps, writes = policy["PolicyDocument"]["Statement"]
    group = "arn:aws:logs:us-west-2:111122223333:log-group:/aws/eks/train-trn1/cluster"
    assert set(keeps["Resource"]) >= {group, f"{group}:*"}
    assert all(
        "log-group:/aws/eks/train-trn1/cluster" in each or "/containerinsights/train-trn1/" in each
        for each in keeps["Resource"]
    )
    assert not any("Delete" in action or "*" in action for action in (*keeps["Action"], *writes["Action"]))


def test_the_control_plane_stays_out_of_zones_that_eks_excludes(templates_of: Callable[..., Any]) -> None:
    """Nodes may run there; the cluster's own subnets may not."""
    edits = {
        "region": "us-east-1",
        "network.availability_zones": ["use1-az3", "use1-az5", "use1-az6"],
        "storage": None,
        "eks.node_groups.1": None,
        "eks.addons": {"neuron_device_plugin": False, "neuron_node_problem_detector": False},
    }
    templates = templates_of("train-trn1", edits)
    names = [name["Fn::ImportValue"] for name in _subnet_ids(templates["cluster"])]
    assert len(names) == 2
    assert not any("use1az3" in name for name in names)
    assert "Privateuse1az3" in templates["network"]["Resources"]


def test_the_contract_is_published(cluster: Any) -> None:
    """Name, the cluster's own security group and the kubectl provider's service token."""
    exported = [str(output["Value"]) for output in cluster.to_json()["Outputs"].values() if "Export" in output]
    logical_id = next(iter(cluster.find_resources("AWS::EKS::Cluster")))
    assert str({"Ref": logical_id}) in exported
    assert str({"Fn::GetAtt": [logical_id, "ClusterSecurityGroupId"]}) in exported
    assert any("frameworkonEvent" in value for value in exported)


def _subnet_ids(template: dict[str, Any]) -> list[Any]:
    (cluster,) = [r for r in template["Resources"].values() if r["Type"] == "AWS::EKS::Cluster"]
    return list(cluster["Properties"]["ResourcesVpcConfig"]["SubnetIds"])


def test_log_groups_of_the_agent_have_a_retention_with_the_cloudwatch_addon(stack_of: Stacks) -> None:
    on = stack_of("train-trn1", "cluster", {"eks.control_plane_logs": ["audit"]})
    groups = [each["Properties"] for each in on.find_resources("Custom::NeuronClusterLogGroup").values()]
    retained = {each["LogGroupName"]: each["RetentionInDays"] for each in groups}
    agent = dict.fromkeys(("application", "dataplane", "host", "performance"), 30)
    expected = {f"/aws/containerinsights/train-trn1/{kind}": days for kind, days in agent.items()}
    assert retained == {**expected, "/aws/eks/train-trn1/cluster": 90}
    assert _properties(on)["Logging"]["ClusterLogging"]["EnabledTypes"] == [{"Type": "audit"}]
    (policy,) = [each["Properties"]["KeyPolicy"] for each in on.find_resources("AWS::KMS::Key").values()]
    assert "log-group:/aws/containerinsights/train-trn1/*" in str(policy)


def test_container_logs_are_switched_off_in_the_add_on(template_of: Callable[..., Any]) -> None:
    edits = {"observability.container_logs": False}
    for given, expected in (({}, None), (edits, '{"containerLogs": {"enabled": false}}')):
        resources = template_of("train-trn1", "software", given)["Resources"].values()
        addons = [each["Properties"] for each in resources if each["Type"] == "AWS::EKS::Addon"]
        (found,) = [each for each in addons if each["AddonName"] == "amazon-cloudwatch-observability"]
        assert found.get("ConfigurationValues") == expected

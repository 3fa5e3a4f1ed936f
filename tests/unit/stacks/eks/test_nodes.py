"""The nodes stack: launch templates as EC2 and EKS take them, and the node groups on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Stacks = Callable[..., Any]
TRN1 = "eks.node_groups.1"


@pytest.fixture(scope="module")
def nodes(stack_of: Stacks) -> Any:
    return stack_of("train-trn1", "nodes")


@pytest.fixture(scope="module")
def system(stack_of: Stacks) -> Any:
    return stack_of("train-trn1", "system")


def _data(stack: Any, instance_type: str) -> dict[str, Any]:
    wanted = {"Properties": {"LaunchTemplateData": {"InstanceType": instance_type}}}
    (template,) = stack.find_resources("AWS::EC2::LaunchTemplate", wanted).values()
    return dict(template["Properties"]["LaunchTemplateData"])


def _group(stack: Any, name: str) -> dict[str, Any]:
    wanted = {"Properties": {"Labels": {"neuron-cluster/node-group": name}}}
    (group,) = stack.find_resources("AWS::EKS::Nodegroup", wanted).values()
    return dict(group["Properties"])


def test_one_efa_interface_stands_on_each_of_the_eight_network_cards(nodes: Any) -> None:
    """Card 0 carries the primary interface with an address; the others have none and stand at device 1."""
    interfaces = _data(nodes, "trn1.32xlarge")["NetworkInterfaces"]
    assert [(i["NetworkCardIndex"], i["DeviceIndex"], i["InterfaceType"]) for i in interfaces] == [
        (0, 0, "efa"),
        *((card, 1, "efa-only") for card in range(1, 8)),
    ]


def test_groups_stand_on_interfaces_in_order_the_clusters_own_first(nodes: Any) -> None:
    data = _data(nodes, "trn1.32xlarge")
    first, *others = data["NetworkInterfaces"]
    assert [_role(group) for group in first["Groups"]] == ["cluster", "node", "efa", "storageclient"]
    assert [[_role(group) for group in other["Groups"]] for other in others] == [["efa"]] * 7
    assert "SecurityGroupIds" not in data


def test_a_machine_without_efa_has_one_plain_interface(system: Any) -> None:
    (interface,) = _data(system, "m7i.xlarge")["NetworkInterfaces"]
    assert (interface["DeviceIndex"], interface["InterfaceType"]) == (0, "interface")
    assert [_role(group) for group in interface["Groups"]] == ["cluster", "node", "storageclient"]


def test_no_interface_names_a_subnet_or_a_public_address(nodes: Any, system: Any) -> None:
    for stack, name in ((nodes, "trn1.32xlarge"), (system, "m7i.xlarge")):
        for interface in _data(stack, name)["NetworkInterfaces"]:
            assert {"SubnetId", "AssociatePublicIpAddress"} & set(interface) == set()
            assert interface["DeleteOnTermination"] is True


def test_metadata_needs_a_token_and_reaches_no_pod(nodes: Any, system: Any) -> None:
    """One hop ends at the machine: a pod that reads its node's role is its node to the Kubernetes API."""
    for stack, name in ((nodes, "trn1.32xlarge"), (system, "m7i.xlarge")):
        options = _data(stack, name)["MetadataOptions"]
        assert (options["HttpTokens"], options["HttpPutResponseHopLimit"]) == ("required", 1)


def test_the_root_volume_is_encrypted_and_as_the_environment_asks(nodes: Any) -> None:
    (root,) = _data(nodes, "trn1.32xlarge")["BlockDeviceMappings"]
    assert root["DeviceName"] == "/dev/xvda"
    assert root["Ebs"] == {
        "DeleteOnTermination": True,
        "Encrypted": True,
        "Iops": 6000,
        "Throughput": 500,
        "VolumeSize": 512,
        "VolumeType": "gp3",
    }


def test_the_group_takes_the_neuron_image_and_leaves_the_type_to_the_template(nodes: Any, system: Any) -> None:
    group = _group(nodes, "trn1")
    assert group["AmiType"] == "AL2023_x86_64_NEURON"
    assert {"InstanceTypes", "DiskSize", "RemoteAccess", "ReleaseVersion"} & set(group) == set()
    assert _group(system, "system")["AmiType"] == "AL2023_x86_64_STANDARD"


def test_neuron_nodes_are_tainted_labelled_and_repaired_and_system_nodes_are_not(nodes: Any, system: Any) -> None:
    group, others = _group(nodes, "trn1"), _group(system, "system")
    assert group["Taints"] == [{"Key": "aws.amazon.com/neuron", "Value": "true", "Effect": "NO_SCHEDULE"}]
    assert group["NodeRepairConfig"]["Enabled"] is True
    assert "Taints" not in others
    assert others["NodeRepairConfig"] == {"Enabled": False}


def test_repair_knows_neuron_errors_and_stops_before_it_costs_the_group(nodes: Any) -> None:
    """At most 3 of 16 nodes may be unhealthy, and one is repaired at a time; EKS wants every value of an override."""
    repair = _group(nodes, "trn1")["NodeRepairConfig"]
    assert (repair["MaxUnhealthyNodeThresholdCount"], repair["MaxParallelNodesRepairedCount"]) == (3, 1)
    assert {
        "NodeMonitoringCondition": "AcceleratedHardwareReady",
        "NodeUnhealthyReason": "NeuronHBMUncorrectableError",
        "RepairAction": "Replace",
        "MinRepairWaitTimeMins": 10,
    } in repair["NodeRepairConfigOverrides"]
    assert {len(override) for override in repair["NodeRepairConfigOverrides"]} == {4}


def test_node_repair_has_one_owner(nodes: Any, plan_of: Callable[..., Any]) -> None:
    """EKS repairs; the detector of the Neuron chart detects, and its own recovery stays off."""
    (chart,) = [each for each in plan_of("train-trn1").kubernetes.charts if "npd" in each.values]
    assert chart.values["npd"] == {"enabled": True, "nodeRecovery": {"enabled": False}}
    assert _group(nodes, "trn1")["NodeRepairConfig"]["Enabled"] is True


def test_repair_is_off_where_the_file_says_so(stack_of: Stacks) -> None:
    off = stack_of("train-trn1", "nodes", {f"{TRN1}.node_repair": False})
    assert _group(off, "trn1")["NodeRepairConfig"] == {"Enabled": False}


def test_efa_nodes_stand_in_one_zone_and_system_nodes_in_all(nodes: Any, system: Any) -> None:
    (subnet,) = _group(nodes, "trn1")["Subnets"]
    assert "Privateusw2az4" in subnet["Fn::ImportValue"]
    assert len(_group(system, "system")["Subnets"]) == 2


def test_efa_nodes_are_packed_close_together(nodes: Any, system: Any) -> None:
    ((logical_id, group),) = nodes.find_resources("AWS::EC2::PlacementGroup").items()
    assert group["Properties"]["Strategy"] == "cluster"
    assert _data(nodes, "trn1.32xlarge")["Placement"] == {"GroupName": {"Ref": logical_id}}
    assert "Placement" not in _data(system, "m7i.xlarge")


def test_efa_without_a_placement_group_when_the_file_says_so(stack_of: Stacks) -> None:
    """Two switches: EFA never forces a placement group."""
    nodes = stack_of("train-trn1", "nodes", {f"{TRN1}.placement": "none"})
    nodes.resource_count_is("AWS::EC2::PlacementGroup", 0)
    assert len(_data(nodes, "trn1.32xlarge")["NetworkInterfaces"]) == 8


def test_a_capacity_block_is_named_in_template_and_group_and_has_no_placement_group(stack_of: Stacks) -> None:
    capacity = {"kind": "capacity_block", "reservation_id": "cr-0123456789abcdef0"}
    nodes = stack_of("train-trn1", "nodes", {f"{TRN1}.capacity": capacity, f"{TRN1}.count.desired": 0})
    data = _data(nodes, "trn1.32xlarge")
    assert data["InstanceMarketOptions"] == {"MarketType": "capacity-block"}
    target = {"CapacityReservationTarget": {"CapacityReservationId": "cr-0123456789abcdef0"}}
    assert data["CapacityReservationSpecification"] == target
    assert _group(nodes, "trn1")["CapacityType"] == "CAPACITY_BLOCK"
    nodes.resource_count_is("AWS::EC2::PlacementGroup", 0)


def test_a_reservation_is_bought_on_demand_and_turns_the_placement_group_off(stack_of: Stacks) -> None:
    capacity = {"kind": "reservation", "reservation_id": "cr-0123456789abcdef0"}
    nodes = stack_of("train-trn1", "nodes", {f"{TRN1}.capacity": capacity})
    data = _data(nodes, "trn1.32xlarge")
    assert "InstanceMarketOptions" not in data
    assert data["CapacityReservationSpecification"]["CapacityReservationTarget"] == {
        "CapacityReservationId": "cr-0123456789abcdef0"
    }
    nodes.resource_count_is("AWS::EC2::PlacementGroup", 0)


@pytest.mark.parametrize(
    ("capacity", "update"),
    [
        (None, {"MaxUnavailable": 1, "UpdateStrategy": "MINIMAL"}),
        ({"kind": "spot"}, {"MaxUnavailable": 1}),
        (
            {"kind": "reservation", "reservation_id": "cr-0123456789abcdef0"},
            {"MaxUnavailable": 1, "UpdateStrategy": "MINIMAL"},
        ),
        ({"kind": "reservation", "match": "open"}, {"MaxUnavailable": 1, "UpdateStrategy": "MINIMAL"}),
    ],
)
def test_nodes_that_are_scarce_end_before_others_start(
    stack_of: Stacks, system: Any, capacity: dict[str, str] | None, update: dict[str, Any]
) -> None:
    """A reservation in use, and a full placement group, have no place for one more."""
    nodes = stack_of("train-trn1", "nodes", {f"{TRN1}.capacity": capacity} if capacity else {})
    assert _group(nodes, "trn1")["UpdateConfig"] == update
    assert _group(system, "system")["UpdateConfig"] == {"MaxUnavailable": 1}


def test_nodes_without_efa_start_before_others_end(stack_of: Stacks) -> None:
    nodes = stack_of("train-trn1", "nodes", {f"{TRN1}.efa": "off"})
    assert _group(nodes, "trn1")["UpdateConfig"] == {"MaxUnavailable": 1}


def test_another_core_size_than_the_chips_own_is_written_at_boot(stack_of: Stacks) -> None:
    """trn2 has 16 EFA interfaces and two logical core sizes; the default needs no user data."""
    trn2 = {
        "name": "trn2",
        "instance_type": "trn2.48xlarge",
        "availability_zone": "usw2-az4",
        "count": {"min": 0, "desired": 0, "max": 2},
        "root_volume": {"size_gib": 512},
    }
    at_default = _data(stack_of("train-trn1", "nodes", {TRN1: trn2}), "trn2.48xlarge")
    assert "NEURON_LOGICAL_NC_CONFIG" not in at_default["UserData"]["Fn::Base64"]
    assert len(at_default["NetworkInterfaces"]) == 16
    changed = _data(stack_of("train-trn1", "nodes", {TRN1: trn2 | {"logical_nc_config": 1}}), "trn2.48xlarge")
    text = changed["UserData"]["Fn::Base64"]
    assert text.startswith("MIME-Version: 1.0\n")
    assert "#!/bin/bash" in text
    assert "NEURON_LOGICAL_NC_CONFIG=1 > /opt/aws/neuron/logical_nc_config" in text


def test_local_disks_become_one_raid0_unless_they_are_left_alone(stack_of: Stacks, system: Any) -> None:
    """nodeadm joins them before the kubelet starts; a machine without user data is none of ours to set up."""
    (text,) = _data(stack_of("train-trn1", "nodes"), "trn1.32xlarge")["UserData"].values()
    assert "Content-Type: application/node.eks.aws\n" in text
    assert '"strategy": "RAID0"' in text
    alone = stack_of("train-trn1", "nodes", {f"{TRN1}.local_disks": "none"})
    assert "RAID0" not in _data(alone, "trn1.32xlarge")["UserData"]["Fn::Base64"]
    assert "UserData" not in _data(system, "m7i.xlarge")


def test_containers_may_lock_memory_where_their_node_has_efa(stack_of: Stacks) -> None:
    assert "RLIMIT_MEMLOCK" in _data(stack_of("train-trn1", "nodes"), "trn1.32xlarge")["UserData"]["Fn::Base64"]
    without = _data(stack_of("train-trn1", "nodes", {f"{TRN1}.efa": "off"}), "trn1.32xlarge")
    assert "RLIMIT_MEMLOCK" not in without["UserData"]["Fn::Base64"]


@pytest.mark.parametrize(
    ("layout", "first", "last"),
    [
        ("efa_all", [(0, 0, "efa")], (7, 1, "efa")),
        ("ena_primary", [(0, 0, "interface"), (0, 1, "efa-only")], (7, 0, "efa-only")),
    ],
)
def test_another_layout_of_the_interfaces_reaches_the_template(
    stack_of: Stacks, layout: str, first: list[tuple[int, int, str]], last: tuple[int, int, str]
) -> None:
    interfaces = _data(stack_of("train-trn1", "nodes", {f"{TRN1}.efa": layout}), "trn1.32xlarge")["NetworkInterfaces"]
    places = [(i["NetworkCardIndex"], i["DeviceIndex"], i["InterfaceType"]) for i in interfaces]
    assert places[: len(first)] == first
    assert places[-1] == last
    for interface in interfaces:
        groups = [_role(group) for group in interface["Groups"]]
        assert groups == ["efa"] if interface["InterfaceType"] == "efa-only" else groups[:2] == ["cluster", "node"]


def test_a_node_role_holds_aws_policies_for_nodes_and_the_channels_of_sessions(nodes: Any) -> None:
    """AmazonSSMManagedInstanceCore would add ``ssm:GetParameter`` on every parameter of the account."""
    (role,) = nodes.find_resources("AWS::IAM::Role").values()
    names = {str(arn).rpartition("/")[2].rstrip("']}") for arn in role["Properties"]["ManagedPolicyArns"]}
    assert names == {"AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly"}
    (policy,) = role["Properties"]["Policies"]
    register, channels = policy["PolicyDocument"]["Statement"]
    assert (register["Action"], register["Resource"]) == (
        "ssm:UpdateInstanceInformation",
        "arn:aws:ec2:us-west-2:111122223333:instance/*",
    )
    assert {action.partition(":")[0] for action in channels["Action"]} == {"ssmmessages"}
    nodes.resource_count_is("AWS::IAM::Policy", 0)


@pytest.mark.parametrize("edits", [{"tags": {"cost-center": "other", "owner": "me"}}, {"tags": None}], ids=str)
def test_free_tags_never_reach_what_they_would_replace(template_of: Callable[..., Any], edits: dict[str, Any]) -> None:
    """A tag would replace a placement group and roll the nodes of a launch template."""
    types = ("AWS::EC2::LaunchTemplate", "AWS::EC2::PlacementGroup", "AWS::EKS::Nodegroup")
    for stack_key, groups in (("system", 2), ("nodes", 3)):
        before, after = template_of("train-trn1", stack_key), template_of("train-trn1", stack_key, edits)
        retained = {key: value for key, value in before["Resources"].items() if value["Type"] in types}
        assert retained == {key: value for key, value in after["Resources"].items() if value["Type"] in types}
        assert len(retained) == groups
        assert before != after


def test_instances_volumes_and_interfaces_are_tagged_with_their_identity(stack_of: Stacks) -> None:
    nodes = stack_of("train-trn1", "nodes", {f"{TRN1}.team": "research"})
    specifications = _data(nodes, "trn1.32xlarge")["TagSpecifications"]
    assert [s["ResourceType"] for s in specifications] == ["instance", "volume", "network-interface"]
    for specification in specifications:
        assert {tag["Key"]: tag["Value"] for tag in specification["Tags"]} == {
            "Name": "train-trn1/trn1",
            "neuron-cluster:environment": "train-trn1",
            "neuron-cluster:node-group": "trn1",
            "neuron-cluster:team": "research",
        }


def test_tags_that_are_propagated_at_launch_reach_instances_volumes_and_interfaces(stack_of: Stacks) -> None:
    edits = {"tags": {"cost-center": "ml", "owner": "me"}, "propagate_at_launch": ["cost-center"]}
    specifications = _data(stack_of("train-trn1", "nodes", edits), "trn1.32xlarge")["TagSpecifications"]
    assert [s["ResourceType"] for s in specifications] == ["instance", "volume", "network-interface"]
    for specification in specifications:
        tags = {tag["Key"]: tag["Value"] for tag in specification["Tags"]}
        assert tags["cost-center"] == "ml"
        assert "owner" not in tags


def _role(group: Any) -> str:
    """The role that the export's name tells."""
    name = str(group["Fn::ImportValue"])
    if "ClusterSecurityGroupId" in name:
        return "cluster"
    return name.partition("FnGetAttGroups")[2].partition("GroupId")[0][:-8]

"""Changes of nodes, data, access and stacks, on three small stacks."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.effects import EffectKind
from neuron_cluster.changes.summary.access_change import AccessChange, AccessChangeKind
from neuron_cluster.changes.summary.data_change import DataChangeKind
from neuron_cluster.changes.summary.node_change import NodeChangeKind
from neuron_cluster.changes.summary.stack_change import StackState
from neuron_cluster.changes.summary.template_diff import TemplateDiff, diff_templates

CATALOG = load_catalog()

Stacks = dict[str, dict[str, Any]]
RESERVED = {"CapacityReservationTarget": {"CapacityReservationId": "cr-0123456789abcdef0"}}


@pytest.fixture(autouse=True)
def _named_and_sized(deployed: Stacks, new: Stacks) -> None:
    """The group has a name and counts in both states."""
    for stacks in (deployed, new):
        properties(stacks, "Nodes").update(
            Labels={"neuron-cluster/node-group": "trn1"},
            ScalingConfig={"MinSize": 0, "DesiredSize": 16, "MaxSize": 16},
            UpdateConfig={"MaxUnavailable": 1},
        )


def properties(stacks: Stacks, logical_id: str) -> dict[str, Any]:
    found: dict[str, Any] = next(
        stack["Resources"][logical_id] for stack in stacks.values() if logical_id in stack["Resources"]
    )["Properties"]
    return found


def template_data(stacks: Stacks) -> dict[str, Any]:
    found: dict[str, Any] = properties(stacks, "Template")["LaunchTemplateData"]
    return found


def nodes(found: TemplateDiff) -> list[tuple[str, str, int | None]]:
    return [(change.group, change.kind.value, change.nodes) for change in found.nodes]


def data(found: TemplateDiff) -> dict[str, DataChangeKind]:
    return {change.resource: change.kind for change in found.data}


def test_the_same_stacks_have_no_difference(deployed: Stacks, new: Stacks) -> None:
    found = diff_templates(deployed, new, CATALOG)
    assert found.is_none
    assert set(data(found).values()) == {DataChangeKind.RETAINED}
    assert found.nodes == found.access == found.resources == ()


def test_protection_that_comes_or_goes_is_told_though_no_template_shows_it(deployed: Stacks, new: Stacks) -> None:
    stack = min(deployed)
    found = diff_templates(deployed, new, CATALOG, ({stack}, ()))
    assert not found.is_none
    refused, allowed = "blocked (termination protection)", "allowed"
    assert found.access == (AccessChange(f"deletion of {stack}", AccessChangeKind.CHANGED, refused, allowed),)
    back = diff_templates(deployed, new, CATALOG, ((), {stack, "new-stack"}))
    assert [(change.before, change.after) for change in back.access] == [(allowed, refused)]
    assert diff_templates(deployed, new, CATALOG, ({stack}, {stack})).is_none


def with_endpoints(stacks: Stacks, *services: str, has_nat: bool = False) -> None:
    resources = stacks[min(stacks)]["Resources"]
    for service in services:
        name = f"com.amazonaws.us-west-2.{service}"
        resources[f"Endpoint{service}"] = {"Type": "AWS::EC2::VPCEndpoint", "Properties": {"ServiceName": name}}
    if has_nat:
        resources["Nat"] = {"Type": "AWS::EC2::NatGateway", "Properties": {}}


@pytest.mark.parametrize(
    ("has_nat", "without"), [(True, "through NAT"), (False, "without a route from private subnets")]
)
def test_a_service_that_loses_its_endpoint_is_named_with_what_calls_it(
    deployed: Stacks, new: Stacks, has_nat: bool, without: str
) -> None:
    with_endpoints(deployed, "s3", "fsx", has_nat=has_nat)
    with_endpoints(new, "s3", "logs", has_nat=has_nat)
    lost, gained = diff_templates(deployed, new, CATALOG).access
    assert (lost.who, lost.kind, lost.after) == ("calls to fsx", AccessChangeKind.CHANGED, without)
    assert lost.before == "through a VPC endpoint (the FSx CSI driver asks for file systems here)"
    assert (gained.who, gained.kind, gained.before) == ("calls to logs", AccessChangeKind.ADDED, "")


SOONER = "S3 deletes older versions of the whole bucket 3 days after they are replaced or deleted (now: 30 days)"


@pytest.mark.parametrize(
    ("days", "kind", "said"), [(3, DataChangeKind.EXPIRING, True), (60, DataChangeKind.CHANGED, False)]
)
def test_fewer_days_of_old_versions_are_said_to_delete(
    deployed: Stacks, new: Stacks, days: int, kind: DataChangeKind, said: bool
) -> None:
    for stacks, retained in ((deployed, 30), (new, days)):
        rule = {"NoncurrentVersionExpiration": {"NoncurrentDays": retained}, "Status": "Enabled"}
        properties(stacks, "Bucket")["LifecycleConfiguration"] = {"Rules": [rule]}
    (bucket,) = [change for change in diff_templates(deployed, new, CATALOG).data if change.resource == "Bucket"]
    assert bucket.kind is kind
    assert bucket.what.startswith(SOONER) == said


def test_an_edit_of_the_launch_template_rolls_the_group_and_says_what_of_it(deployed: Stacks, new: Stacks) -> None:
    template_data(new)["InstanceType"] = "trn1n.32xlarge"
    found = diff_templates(deployed, new, CATALOG)
    assert nodes(found) == [("trn1", "rolled", 16)]
    assert "one by one: LaunchTemplateData/InstanceType: trn1.32xlarge -> trn1n.32xlarge" in found.nodes[0].what


def test_nodes_that_end_first_are_said_to(deployed: Stacks, new: Stacks) -> None:
    for stacks in (deployed, new):
        properties(stacks, "Nodes")["UpdateConfig"]["UpdateStrategy"] = "MINIMAL"
    template_data(new)["InstanceType"] = "trn1n.32xlarge"
    (node,) = diff_templates(deployed, new, CATALOG).nodes
    assert "one by one, each ended before its successor starts: LaunchTemplateData/InstanceType" in node.what


def test_another_release_rolls_the_group_at_its_pace(deployed: Stacks, new: Stacks) -> None:
    for stacks in (deployed, new):
        properties(stacks, "Nodes")["UpdateConfig"] = {"MaxUnavailable": 4}
    properties(new, "Nodes")["ReleaseVersion"] = "1.35.2-20260714"
    found = diff_templates(deployed, new, CATALOG)
    assert nodes(found) == [("trn1", "rolled", 16)]
    assert "4 at a time: ReleaseVersion: nothing -> 1.35.2-20260714" in found.nodes[0].what


def test_other_counts_scale_the_group_and_nothing_else(deployed: Stacks, new: Stacks) -> None:
    properties(new, "Nodes")["ScalingConfig"] = {"MinSize": 0, "DesiredSize": 4, "MaxSize": 32}
    found = diff_templates(deployed, new, CATALOG)
    assert nodes(found) == [("trn1", "scaled", 12)]
    assert found.nodes[0].what == "desired 16 -> 4, max 16 -> 32"


def test_taints_change_in_place_on_no_node_anew(deployed: Stacks, new: Stacks) -> None:
    properties(new, "Nodes")["Taints"] = [{"Key": "team", "Effect": "NO_SCHEDULE"}]
    assert nodes(diff_templates(deployed, new, CATALOG)) == [("trn1", "changed in place", 0)]


def test_a_replaced_group_says_the_cause_and_not_its_hashed_name(deployed: Stacks, new: Stacks) -> None:
    properties(new, "Nodes")["NodegroupName"] = "trn1-22222222"
    template_data(new)["InstanceType"] = "trn1n.32xlarge"
    found = diff_templates(deployed, new, CATALOG)
    assert nodes(found) == [("trn1", "replaced", 16)]
    assert "because of LaunchTemplateData/InstanceType: trn1.32xlarge -> trn1n.32xlarge" in found.nodes[0].what
    assert "16 x trn1n.32xlarge (0 to 16), on demand" in found.nodes[0].what
    assert not found.nodes[0].is_refused


def test_a_replaced_group_in_a_reservation_is_refused_and_names_it(deployed: Stacks, new: Stacks) -> None:
    for stacks in (deployed, new):
        template_data(stacks)["CapacityReservationSpecification"] = RESERVED
    properties(new, "Nodes").update(AmiType="AL2023_x86_64_STANDARD", NodegroupName="trn1-22222222")
    found = diff_templates(deployed, new, CATALOG)
    (change,) = found.nodes
    assert (change.kind, change.reservation_id, change.is_refused) == ("replaced", "cr-0123456789abcdef0", True)
    assert [finding.id for finding in found.findings] == ["E9007"]


def test_a_replaced_group_in_a_resource_group_is_refused_and_names_it(deployed: Stacks, new: Stacks) -> None:
    arn = "arn:aws:resource-groups:us-west-2:111122223333:group/trn1"
    for stacks in (deployed, new):
        target = {"CapacityReservationTarget": {"CapacityReservationResourceGroupArn": arn}}
        template_data(stacks)["CapacityReservationSpecification"] = target
    properties(new, "Nodes").update(AmiType="AL2023_x86_64_STANDARD", NodegroupName="trn1-22222222")
    (change,) = diff_templates(deployed, new, CATALOG).nodes
    assert (change.reservation_id, change.is_refused) == (arn, True)


def test_a_replaced_group_that_only_prefers_reservations_holds_none(deployed: Stacks, new: Stacks) -> None:
    for stacks in (deployed, new):
        template_data(stacks)["CapacityReservationSpecification"] = {"CapacityReservationPreference": "open"}
    properties(new, "Nodes").update(AmiType="AL2023_x86_64_STANDARD", NodegroupName="trn1-22222222")
    found = diff_templates(deployed, new, CATALOG)
    assert (found.nodes[0].reservation_id, found.nodes[0].is_refused, found.findings) == (None, False, ())


def test_groups_come_and_go_by_their_names(deployed: Stacks, new: Stacks) -> None:
    resources = new["cluster"]["Resources"]
    resources["Other"] = resources.pop("Nodes")
    resources["Other"]["Properties"] |= {
        "NodegroupName": "inf2-33333333",
        "Labels": {"neuron-cluster/node-group": "inf2"},
        "ScalingConfig": {"MinSize": 1, "DesiredSize": 1, "MaxSize": 2},
    }
    found = diff_templates(deployed, new, CATALOG)
    assert nodes(found) == [("inf2", "added", 1), ("trn1", "removed", 16)]


def test_a_group_goes_with_a_stack_that_the_file_has_no_more(deployed: Stacks, new: Stacks) -> None:
    del new["cluster"]
    found = diff_templates(deployed, new, CATALOG)
    assert [change.kind for change in found.nodes] == [NodeChangeKind.REMOVED]
    assert {stack.stack: stack.state for stack in found.stacks}["cluster"] is StackState.DELETED
    assert {change.kind for change in found.resources} == {EffectKind.REMOVED}
    assert "E9004" in {finding.id for finding in found.findings}


def test_a_file_system_that_grows_is_kept(deployed: Stacks, new: Stacks) -> None:
    properties(new, "Lustre")["StorageCapacity"] = 7200
    found = diff_templates(deployed, new, CATALOG)
    assert data(found)["Lustre"] is DataChangeKind.GROWN
    assert data(found)["Bucket"] is DataChangeKind.RETAINED
    assert [finding.id for finding in found.findings] == ["W9042"]


def test_another_setting_in_place_does_not_count_as_growth(deployed: Stacks, new: Stacks) -> None:
    properties(new, "Lustre")["StorageCapacity"] = 2400
    assert data(diff_templates(deployed, new, CATALOG))["Lustre"] is DataChangeKind.CHANGED


def test_data_that_would_be_replaced_is_refused_and_says_what_is_behind_it(deployed: Stacks, new: Stacks) -> None:
    properties(new, "Vpc")["CidrBlock"] = "10.50.0.0/16"
    found = diff_templates(deployed, new, CATALOG)
    lustre = next(change for change in found.data if change.resource == "Lustre")
    assert (lustre.kind, lustre.is_refused) == (DataChangeKind.REPLACED, True)
    assert "10.20.0.0/16 -> 10.50.0.0/16" in lustre.what
    assert data(found)["Bucket"] is DataChangeKind.RETAINED


def test_removed_data_would_be_left_behind_and_an_association_is_only_removed(deployed: Stacks, new: Stacks) -> None:
    for logical_id in ("Bucket", "Sync"):
        del new["storage"]["Resources"][logical_id]
    found = diff_templates(deployed, new, CATALOG)
    assert data(found)["Bucket"] is DataChangeKind.LEFT
    assert data(found)["Sync"] is DataChangeKind.REMOVED
    assert {change.resource for change in found.data if change.is_refused} == {"Bucket"}


def entry(arn: Any, policy: str) -> dict[str, Any]:
    joined = {"Fn::Join": ["", ["arn:", {"Ref": "AWS::Partition"}, f":eks::aws:cluster-access-policy/{policy}"]]}
    properties = {"PrincipalArn": arn, "AccessPolicies": [{"PolicyArn": joined, "AccessScope": {"Type": "cluster"}}]}
    return {"Type": "AWS::EKS::AccessEntry", "Properties": properties}


def test_principals_that_come_go_or_change_are_told_with_their_policies(deployed: Stacks, new: Stacks) -> None:
    deployed["cluster"]["Resources"] |= {"One": entry("arn:one", "Admin"), "Two": entry("arn:two", "View")}
    new["cluster"]["Resources"] |= {"Two": entry("arn:two", "Admin"), "Three": entry("arn:three", "View")}
    assert list(diff_templates(deployed, new, CATALOG).access) == [
        AccessChange("arn:one", AccessChangeKind.REMOVED, "Admin", ""),
        AccessChange("arn:three", AccessChangeKind.ADDED, "", "View"),
        AccessChange("arn:two", AccessChangeKind.CHANGED, "View", "Admin"),
    ]


def test_an_endpoint_that_opens_is_access_too(deployed: Stacks, new: Stacks) -> None:
    for stacks, public in ((deployed, False), (new, True)):
        network = properties(stacks, "Cluster")["ResourcesVpcConfig"]
        network |= {"EndpointPrivateAccess": True, "EndpointPublicAccess": public}
    (change,) = diff_templates(deployed, new, CATALOG).access
    assert (change.who, change.before) == ("endpoint of train", "private")
    assert change.after == "private and public from 0.0.0.0/0"


def test_resources_are_counted_by_stack_and_an_output_alone_is_no_resource(deployed: Stacks, new: Stacks) -> None:
    new["net"]["Outputs"]["C"] = {"Value": "c", "Export": {"Name": "net:c"}}
    template_data(new)["InstanceType"] = "trn1n.32xlarge"
    new["more"] = {"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}}
    found = diff_templates(deployed, new, CATALOG)
    assert {stack.stack: (stack.state.value, stack.added, stack.updated) for stack in found.stacks} == {
        "net": ("no resource changes", 0, 0),
        "storage": ("unchanged", 0, 0),
        "cluster": ("changed", 0, 2),
        "more": ("new", 1, 0),
    }
    assert not found.is_none


def test_every_resource_says_its_properties_or_what_it_refers_to(deployed: Stacks, new: Stacks) -> None:
    template_data(new)["InstanceType"] = "trn1n.32xlarge"
    why = {change.logical_id: change.why for change in diff_templates(deployed, new, CATALOG).resources}
    assert why == {
        "Template": ("LaunchTemplateData/InstanceType: trn1.32xlarge -> trn1n.32xlarge",),
        "Nodes": ("LaunchTemplate/Version: AWS::EC2::LaunchTemplate Template changes",),
    }


def test_nothing_deployed_makes_everything_new(new: Stacks) -> None:
    found = diff_templates({}, new, CATALOG)
    assert {stack.state for stack in found.stacks} == {StackState.NEW}
    assert set(data(found).values()) == {DataChangeKind.ADDED}
    assert found.findings == ()

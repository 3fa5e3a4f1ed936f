"""Effects of a deploy on each resource, and changes that are rejected."""

from __future__ import annotations

import copy
from typing import Any

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings, effects

CATALOG = load_catalog()

Stacks = dict[str, dict[str, Any]]


def properties(stacks: Stacks, stack: str, logical_id: str) -> Any:
    return stacks[stack]["Resources"][logical_id]["Properties"]


def kinds(deployed: Stacks, new: Stacks) -> dict[str, str]:
    return {str(effect.address): effect.kind.value for effect in effects(deployed, new, CATALOG)}


def refused(deployed: Stacks, new: Stacks) -> set[tuple[str, str]]:
    return {
        (finding.id, f"{finding.location.file}/{finding.location.path}")
        for finding in change_findings(deployed, new, CATALOG)
    }


def test_equal_templates_do_nothing(deployed: Stacks, new: Stacks) -> None:
    assert effects(deployed, new, CATALOG) == []
    assert change_findings(deployed, new, CATALOG) == []


def test_a_first_deploy_only_adds(new: Stacks) -> None:
    assert set(kinds({}, new).values()) == {"added"}
    assert change_findings({}, new, CATALOG) == []


def test_an_edited_vpc_cidr_replaces_the_file_system_of_an_equal_template(deployed: Stacks, new: Stacks) -> None:
    properties(new, "net", "Vpc")["CidrBlock"] = "10.40.0.0/16"
    assert new["storage"] == deployed["storage"]
    assert kinds(deployed, new)["storage/Lustre"] == "replaced"
    assert ("E9001", "storage/Lustre") in refused(deployed, new)
    assert ("E9005", "net/SubnetA") in refused(deployed, new)
    message = next(f.message for f in change_findings(deployed, new, CATALOG) if f.location.path == "Lustre")
    assert "SubnetIds refers to the subnet of usw2-az4, which would be replaced" in message
    assert "CidrBlock of the VPC: 10.20.0.0/16 -> 10.40.0.0/16" in message


def test_lustre_grows_in_place(deployed: Stacks, new: Stacks) -> None:
    properties(new, "storage", "Lustre")["StorageCapacity"] = 7200
    assert kinds(deployed, new) == {"storage/Lustre": "updated in place"}
    assert refused(deployed, new) == {("W9042", "storage/Lustre")}


def test_lustre_does_not_shrink(deployed: Stacks, new: Stacks) -> None:
    properties(new, "storage", "Lustre")["StorageCapacity"] = 2400
    assert refused(deployed, new) == {("E9011", "storage/Lustre")}


def test_a_mirror_that_goes_while_the_file_system_stays_is_a_warning(deployed: Stacks, new: Stacks) -> None:
    del new["storage"]["Resources"]["Sync"]
    assert refused(deployed, new) == {("W9017", "storage/Sync")}


def test_kubernetes_goes_up_one_minor_version_at_a_time(deployed: Stacks, new: Stacks) -> None:
    (cluster,) = [(s, i) for s in new for i, r in new[s]["Resources"].items() if r["Type"] == "AWS::EKS::Cluster"]
    for old, version, expected in [
        ("1.34", "1.35", set()),
        ("1.33", "1.35", {"E9012"}),
        ("1.35", "1.34", {"E9012"}),
    ]:
        properties(deployed, *cluster)["Version"] = old
        properties(new, *cluster)["Version"] = version
        assert {finding for finding, _ in refused(deployed, new)} == expected, (old, version)


def test_a_number_and_its_text_are_the_same_value(deployed: Stacks, new: Stacks) -> None:
    """GetTemplate gives back what was sent; another writer of the same template may have quoted the number."""
    properties(new, "storage", "Lustre")["StorageCapacity"] = "4800"
    assert effects(deployed, new, CATALOG) == []


def test_a_mirror_becomes_an_archive_in_place(deployed: Stacks, new: Stacks) -> None:
    for stacks, events in ((deployed, ["NEW", "CHANGED", "DELETED"]), (new, ["NEW", "CHANGED"])):
        properties(stacks, "storage", "Sync")["S3"] = {"AutoExportPolicy": {"Events": events}}
    assert kinds(deployed, new) == {"storage/Sync": "updated in place"}
    assert change_findings(deployed, new, CATALOG) == []


def test_lustre_in_another_zone_would_replace_state(deployed: Stacks, new: Stacks) -> None:
    """The association goes with it and collides with nothing: its FileSystemId is a new one."""
    properties(new, "storage", "Lustre")["SubnetIds"] = [{"Fn::ImportValue": "net:b"}]
    assert refused(deployed, new) == {("E9001", "storage/Lustre")}
    assert kinds(deployed, new)["storage/Sync"] == "replaced"


def test_another_lustre_deployment_type_replaces_data_although_the_schema_omits_it(
    deployed: Stacks, new: Stacks
) -> None:
    properties(new, "storage", "Lustre")["LustreConfiguration"]["DeploymentType"] = "SCRATCH_2"
    (finding,) = change_findings(deployed, new, CATALOG)
    assert (finding.id, finding.location.file, finding.location.path) == ("E9001", "storage", "Lustre")
    assert "LustreConfiguration/DeploymentType: PERSISTENT_2 -> SCRATCH_2" in finding.message


def test_a_renamed_logical_id_of_a_bucket_would_leave_the_data_behind(deployed: Stacks, new: Stacks) -> None:
    resources = new["storage"]["Resources"]
    resources["Checkpoints"] = resources.pop("Bucket")
    properties(new, "storage", "Sync")["DataRepositoryPath"] = {"Fn::Sub": "s3://${Checkpoints}/checkpoints/"}
    assert ("E9002", "storage/Bucket") in refused(deployed, new)
    assert kinds(deployed, new)["storage/Checkpoints"] == "added"


def test_a_storage_stack_taken_out_would_leave_the_data_behind(deployed: Stacks, new: Stacks) -> None:
    del new["storage"]
    assert refused(deployed, new) == {("E9002", f"storage/{name}") for name in ("Bucket", "Key", "Lustre")}


def test_what_would_replace_the_cluster_is_refused(deployed: Stacks, new: Stacks) -> None:
    edits = {
        "Name": "other",
        "RoleArn": "arn:aws:iam::111122223333:role/other",
        "KubernetesNetworkConfig": {"ServiceIpv4Cidr": "172.30.0.0/16"},
        "EncryptionConfig": [{"Provider": {"KeyArn": "arn:aws:kms:us-west-2:111122223333:key/other"}}],
    }
    before = dict(properties(new, "cluster", "Cluster"))
    for name, value in edits.items():
        new["cluster"]["Resources"]["Cluster"]["Properties"] = before | {name: value}
        assert ("E9003", "cluster/Cluster") in refused(deployed, new), name


def test_a_key_replaced_by_its_type_reaches_the_cluster_that_refers_to_it(deployed: Stacks, new: Stacks) -> None:
    new["cluster"]["Resources"]["ClusterKey"]["Type"] = "AWS::KMS::ReplicaKey"
    assert ("E9003", "cluster/Cluster") in refused(deployed, new)


def test_another_kubernetes_version_updates_the_cluster_in_place(deployed: Stacks, new: Stacks) -> None:
    properties(new, "cluster", "Cluster")["Version"] = "1.36"
    assert kinds(deployed, new) == {"cluster/Cluster": "updated in place"}
    assert change_findings(deployed, new, CATALOG) == []


def test_a_cluster_taken_out_is_refused(deployed: Stacks, new: Stacks) -> None:
    del new["cluster"]
    assert refused(deployed, new) == {("E9004", "cluster/Cluster")}


def test_another_instance_type_replaces_the_node_group_and_nothing_else(deployed: Stacks, new: Stacks) -> None:
    properties(new, "cluster", "Template")["LaunchTemplateData"]["InstanceType"] = "trn1.2xlarge"
    properties(new, "cluster", "Nodes")["NodegroupName"] = "trn1-22222222"
    assert kinds(deployed, new) == {"cluster/Template": "updated in place", "cluster/Nodes": "replaced"}
    assert change_findings(deployed, new, CATALOG) == []


def test_a_new_version_of_the_launch_template_rolls_the_node_group(deployed: Stacks, new: Stacks) -> None:
    """The node group's own properties are the same text: only LatestVersionNumber gives another value."""
    properties(new, "cluster", "Template")["LaunchTemplateData"]["KeyName"] = "x"
    assert kinds(deployed, new)["cluster/Nodes"] == "updated in place"


def test_a_node_group_replaced_under_its_old_name_collides_with_itself(deployed: Stacks, new: Stacks) -> None:
    properties(new, "cluster", "Nodes")["AmiType"] = "AL2023_x86_64_STANDARD"
    assert refused(deployed, new) == {("E9008", "cluster/Nodes")}


def test_an_association_cannot_stand_beside_its_replacement(deployed: Stacks, new: Stacks) -> None:
    """FSx refuses a second association for the same folder."""
    properties(new, "storage", "Sync")["DataRepositoryPath"] = {"Fn::Sub": "s3://${Bucket}/runs/"}
    assert refused(deployed, new) == {("E9008", "storage/Sync")}


def test_a_network_of_other_addresses_is_refused_though_nothing_stands_in_it() -> None:
    """EC2 attaches an internet gateway to one VPC at a time, and the new attachment comes before the old one goes."""
    vpc = {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.20.0.0/16"}}
    gateway = {"Type": "AWS::EC2::InternetGateway", "Properties": {}}
    attached = {"VpcId": {"Ref": "Vpc"}, "InternetGatewayId": {"Ref": "Gateway"}}
    attachment = {"Type": "AWS::EC2::VPCGatewayAttachment", "Properties": attached}
    old: Stacks = {"net": {"Resources": {"Vpc": vpc, "Gateway": gateway, "Attachment": attachment}}}
    new = copy.deepcopy(old)
    properties(new, "net", "Vpc")["CidrBlock"] = "10.40.0.0/16"
    assert refused(old, new) == {("E9008", "net/Attachment")}
    (finding,) = change_findings(old, new, CATALOG)
    assert "destroy NAME" in finding.hint, "nothing here holds data, so it frees the addresses"


def subnet(cidr: str) -> dict[str, Any]:
    return {"Type": "AWS::EC2::Subnet", "Properties": {"VpcId": {"Ref": "Vpc"}, "CidrBlock": cidr}}


def network_of(**cidrs: str) -> Stacks:
    """A network that nothing else refers to, with these subnets."""
    vpc = {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.20.0.0/16"}}
    return {"net": {"Resources": {"Vpc": vpc, **{name: subnet(cidr) for name, cidr in cidrs.items()}}}}


def test_a_network_that_holds_nothing_moves_to_other_addresses() -> None:
    old, new = network_of(A="10.20.0.0/19"), network_of(A="10.40.0.0/19")
    properties(new, "net", "Vpc")["CidrBlock"] = "10.40.0.0/16"
    assert kinds(old, new) == {"net/Vpc": "replaced", "net/A": "replaced"}
    assert change_findings(old, new, CATALOG) == []


def test_a_subnet_does_not_get_addresses_that_another_one_holds_until_the_end() -> None:
    """The first zone taken out: the second moves up into its addresses, while they are still taken."""
    old, new = network_of(A="10.20.0.0/19", B="10.20.32.0/19"), network_of(B="10.20.0.0/19")
    assert refused(old, new) == {("E9022", "net/B")}
    (finding,) = change_findings(old, new, CATALOG)
    assert "A holds 10.20.0.0/19" in finding.message


def test_a_subnet_does_not_grow_over_itself() -> None:
    old, new = network_of(A="10.20.0.0/20"), network_of(A="10.20.0.0/19")
    assert refused(old, new) == {("E9022", "net/A")}


def test_a_subnet_gets_addresses_that_nobody_holds() -> None:
    assert (
        change_findings(network_of(A="10.20.0.0/19"), network_of(A="10.20.32.0/19", B="10.20.64.0/19"), CATALOG) == []
    )


def test_a_zone_appended_is_harmless(deployed: Stacks, new: Stacks) -> None:
    new["net"]["Resources"]["SubnetC"] = {
        "Type": "AWS::EC2::Subnet",
        "Properties": {"VpcId": {"Ref": "Vpc"}, "CidrBlock": "10.20.64.0/19", "AvailabilityZoneId": "usw2-az2"},
    }
    new["net"]["Outputs"]["C"] = {"Value": {"Ref": "SubnetC"}, "Export": {"Name": "net:c"}}
    subnets = properties(new, "cluster", "Cluster")["ResourcesVpcConfig"]["SubnetIds"]
    subnets.append({"Fn::ImportValue": "net:c"})
    assert kinds(deployed, new) == {"net/SubnetC": "added", "cluster/Cluster": "updated in place"}
    assert change_findings(deployed, new, CATALOG) == []


def test_zones_reordered_would_replace_state(deployed: Stacks, new: Stacks) -> None:
    first, second = properties(new, "net", "SubnetA"), properties(new, "net", "SubnetB")
    first["CidrBlock"], second["CidrBlock"] = second["CidrBlock"], first["CidrBlock"]
    assert ("E9001", "storage/Lustre") in refused(deployed, new)


def test_a_zone_taken_out_is_refused_while_its_subnet_is_imported(deployed: Stacks, new: Stacks) -> None:
    del new["net"]["Resources"]["SubnetB"]
    del new["net"]["Outputs"]["B"]
    properties(new, "cluster", "Cluster")["ResourcesVpcConfig"]["SubnetIds"].pop()
    properties(new, "cluster", "Nodes")["Subnets"] = [{"Fn::ImportValue": "net:a"}]
    properties(new, "cluster", "Nodes")["NodegroupName"] = "trn1-33333333"
    (finding,) = change_findings(deployed, new, CATALOG)
    assert (finding.id, finding.location.path) == ("E9006", "SubnetB")
    assert "cdk deploy -c environment=NAME --exclusively cluster" in finding.hint


def test_an_export_that_only_gets_another_name_replaces_nothing_but_is_refused(deployed: Stacks, new: Stacks) -> None:
    """The subnet stays, so the file system does; yet CloudFormation does not remove an export in use."""
    new["net"]["Outputs"]["A"]["Export"]["Name"] = "net:first"
    properties(new, "storage", "Lustre")["SubnetIds"] = [{"Fn::ImportValue": "net:first"}]
    properties(new, "cluster", "Cluster")["ResourcesVpcConfig"]["SubnetIds"][0] = {"Fn::ImportValue": "net:first"}
    assert effects(deployed, new, CATALOG) == []
    assert refused(deployed, new) == {("E9006", "net/SubnetA")}


def reserve(stacks: Stacks, reservation: str, logical_id: str = "Template") -> None:
    target = {"CapacityReservationTarget": {"CapacityReservationId": reservation}}
    properties(stacks, "cluster", logical_id)["LaunchTemplateData"]["CapacityReservationSpecification"] = target


def test_a_replacement_on_the_same_reservation_takes_two_steps(deployed: Stacks, new: Stacks) -> None:
    for stacks in (deployed, new):
        reserve(stacks, "cr-0123456789abcdef0")
    properties(new, "cluster", "Nodes")["NodegroupName"] = "trn1-22222222"
    (finding,) = change_findings(deployed, new, CATALOG)
    assert (finding.id, finding.location.path) == ("E9007", "Nodes")
    assert "1. " in finding.hint
    assert "2. " in finding.hint


def test_a_replacement_on_another_reservation_is_free_to_start(deployed: Stacks, new: Stacks) -> None:
    reserve(deployed, "cr-0123456789abcdef0")
    reserve(new, "cr-0123456789abcdef1")
    properties(new, "cluster", "Nodes")["NodegroupName"] = "trn1-22222222"
    assert change_findings(deployed, new, CATALOG) == []


def test_a_renamed_group_in_a_capacity_block_takes_two_steps(deployed: Stacks, new: Stacks) -> None:
    for stacks in (deployed, new):
        properties(stacks, "cluster", "Nodes")["CapacityType"] = "CAPACITY_BLOCK"
    resources = new["cluster"]["Resources"]
    resources["Others"] = resources.pop("Nodes")
    assert refused(deployed, new) == {("E9007", "cluster/Nodes")}


def test_a_type_without_a_schema_is_said_and_not_guessed(deployed: Stacks, new: Stacks) -> None:
    for stacks in (deployed, new):
        stacks["net"]["Resources"]["Odd"] = {"Type": "AWS::Nobody::Knows", "Properties": {"Name": "a"}}
    properties(new, "net", "Odd")["Name"] = "b"
    assert refused(deployed, new) == {("W9009", "net/Odd")}


def test_a_stack_that_no_file_asks_for_any_more_is_said_to_be_deleted(deployed: Stacks, new: Stacks) -> None:
    deployed["box"] = {"Resources": {"Machine": {"Type": "AWS::EC2::Instance", "Properties": {}}}}
    (finding,) = change_findings(deployed, new, CATALOG)
    assert (finding.id, finding.location.file) == ("W9504", "box")
    assert "a deploy deletes it with its 1 resource" in finding.message


def test_where_a_deploy_is_refused_nothing_is_left(deployed: Stacks, new: Stacks) -> None:
    del new["storage"]
    assert {finding_id for finding_id, _ in refused(deployed, new)} == {"E9002"}

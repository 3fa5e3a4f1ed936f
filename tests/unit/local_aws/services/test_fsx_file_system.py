"""Lustre file systems: shape, interfaces, refusals, updates."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

OWN_GROUND = True


@pytest.fixture
def lustre_group(client, ground):
    """A security group that lets Lustre through."""
    ec2 = client("ec2")
    group = ec2.create_security_group(GroupName="lustre", Description="test", VpcId=ground.vpc)["GroupId"]
    rule = {"IpProtocol": "tcp", "FromPort": 988, "ToPort": 988, "UserIdGroupPairs": [{"GroupId": group}]}
    ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[rule])
    return group


@pytest.fixture
def wish(ground, lustre_group):
    return {
        "FileSystemType": "LUSTRE",
        "StorageCapacity": 1200,
        "SubnetIds": ground.subnets[:1],
        "SecurityGroupIds": [lustre_group],
        "FileSystemTypeVersion": "2.15",
        "LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 125},
    }


@pytest.fixture
def file_system(fsx, wish):
    return fsx.create_file_system(**wish)["FileSystem"]


def changed(wish, lustre=(), **members):
    return {**wish, **members, "LustreConfiguration": {**wish["LustreConfiguration"], **dict(lustre)}}


def test_a_new_file_system_has_the_shape_of_the_service(*, fsx, client, file_system, ground, lustre_group, account):
    (reported,) = fsx.describe_file_systems(FileSystemIds=[file_system["FileSystemId"]])["FileSystems"]
    file_system_id = reported["FileSystemId"]
    assert re.fullmatch(r"fs-[0-9a-f]{17}", file_system_id)
    assert reported["Lifecycle"] == "AVAILABLE"
    assert reported["DNSName"] == f"{file_system_id}.fsx.us-west-2.amazonaws.com"
    assert reported["ResourceARN"] == f"arn:aws:fsx:us-west-2:{account}:file-system/{file_system_id}"
    assert reported["VpcId"] == ground.vpc
    assert reported["KmsKeyId"].startswith(f"arn:aws:kms:us-west-2:{account}:key/")
    assert re.fullmatch(r"[a-z]{8}", reported["LustreConfiguration"]["MountName"])
    assert reported["LustreConfiguration"]["DataCompressionType"] == "NONE"
    interfaces = client("ec2").describe_network_interfaces(NetworkInterfaceIds=reported["NetworkInterfaceIds"])
    for interface in interfaces["NetworkInterfaces"]:
        assert interface["SubnetId"] == ground.subnets[0]
        assert [group["GroupId"] for group in interface["Groups"]] == [lustre_group]


def test_file_systems_that_name_no_key_share_the_one_that_aws_keeps_for_fsx(client, fsx, wish):
    first, second = (fsx.create_file_system(**wish)["FileSystem"] for _ in range(2))
    key = client("kms").describe_key(KeyId="alias/aws/fsx")["KeyMetadata"]
    assert first["KmsKeyId"] == second["KmsKeyId"] == key["Arn"]
    listed = {row["AliasName"]: row.get("TargetKeyId") for row in client("kms").list_aliases()["Aliases"]}
    assert listed["alias/aws/fsx"] == key["KeyId"]


def test_its_interfaces_keep_subnet_and_group_until_it_is_deleted(fsx, client, file_system, ground, refused):
    ec2 = client("ec2")
    assert refused(ec2.delete_subnet, SubnetId=ground.subnets[0])[0] == "DependencyViolation"
    fsx.delete_file_system(FileSystemId=file_system["FileSystemId"])
    ec2.delete_subnet(SubnetId=ground.subnets[0])


@pytest.mark.parametrize(
    ("version", "lustre", "expected"),
    [
        (None, {}, "2.12"),
        (None, {"MetadataConfiguration": {"Mode": "AUTOMATIC"}}, "2.15"),
        ("2.12", {}, "2.12"),
    ],
)
def test_the_version_follows_the_metadata_configuration(fsx, wish, version, lustre, expected):
    del wish["FileSystemTypeVersion"]
    given = changed(wish, lustre, **({"FileSystemTypeVersion": version} if version else {}))
    assert fsx.create_file_system(**given)["FileSystem"]["FileSystemTypeVersion"] == expected


@pytest.mark.parametrize(
    ("members", "lustre", "text"),
    [
        (
            {"StorageCapacity": 3600},
            {},
            "Invalid Lustre FS storage capacity: 3600. Must be 1200 or a multiple of 2400.",
        ),
        ({}, {"PerUnitStorageThroughput": 100}, "the provided throughput is invalid"),
        ({"FileSystemTypeVersion": "2.10"}, {}, "FileSystemTypeVersion 2.10 is not supported"),
        ({}, {"ImportPath": "s3://bucket"}, "using the LustreConfiguration is not supported"),
        ({}, {"MetadataConfiguration": {"Mode": "AUTOMATIC", "Iops": 1500}}, "Metadata Iops cannot be specified"),
        ({}, {"MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 2000}}, "Metadata Iops 2000 is not valid"),
        (
            {},
            {"EfaEnabled": True, "MetadataConfiguration": {"Mode": "AUTOMATIC"}},
            "Must be a multiple of 38400",
        ),
        ({"StorageType": "HDD"}, {}, "Lustre file systems on SSD and of Intelligent-Tiering only"),
        ({"SubnetIds": []}, {}, "Exactly one subnet ID"),
        ({"KmsKeyId": "00000000-0000-0000-0000-000000000000"}, {}, "is not usable"),
    ],
)
def test_what_a_file_system_may_not_ask(*, fsx, wish, refused, members, lustre, text):
    code, message = refused(fsx.create_file_system, **changed(wish, lustre, **members))
    assert code == "BadRequest"
    assert text in message
    assert fsx.describe_file_systems()["FileSystems"] == []


def test_groups_must_let_lustre_through(fsx, wish, ground, refused):
    code, message = refused(fsx.create_file_system, **{**wish, "SecurityGroupIds": [ground.group]})
    assert code == "InvalidNetworkSettings"
    assert "do not permit Lustre LNET network traffic on port 988" in message


def test_it_grows_and_never_shrinks(fsx, file_system, refused):
    file_system_id = file_system["FileSystemId"]
    fsx.update_file_system(FileSystemId=file_system_id, StorageCapacity=4800)
    message = refused(fsx.update_file_system, FileSystemId=file_system_id, StorageCapacity=2400)[1]
    assert "Must be greater than the current storage capacity 4800" in message
    assert fsx.describe_file_systems()["FileSystems"][0]["StorageCapacity"] == 4800


def test_an_update_of_one_setting_waits_for_hours_and_is_listed(fsx, file_system, refused):
    file_system_id = file_system["FileSystemId"]
    fsx.update_file_system(FileSystemId=file_system_id, StorageCapacity=4800)
    code, message = refused(fsx.update_file_system, FileSystemId=file_system_id, StorageCapacity=7200)
    assert code == "BadRequest"
    assert "StorageCapacity can be updated 6 hours after its last update" in message
    fsx.update_file_system(FileSystemId=file_system_id, LustreConfiguration={"PerUnitStorageThroughput": 500})
    (described,) = fsx.describe_file_systems()["FileSystems"]
    actions = described["AdministrativeActions"]
    kinds = [(each["AdministrativeActionType"], each["Status"]) for each in actions]
    assert kinds == [
        ("FILE_SYSTEM_UPDATE", "COMPLETED"),
        ("FILE_SYSTEM_UPDATE", "COMPLETED"),
        ("STORAGE_OPTIMIZATION", "COMPLETED"),
    ]
    targets = [each["TargetFileSystemValues"] for each in actions if "TargetFileSystemValues" in each]
    assert targets[1] == {"StorageCapacity": 4800}
    assert targets[0]["LustreConfiguration"] == {"PerUnitStorageThroughput": 500}


def test_an_update_after_the_hours_is_accepted(fsx, file_system, local_aws, account):
    file_system_id = file_system["FileSystemId"]
    fsx.update_file_system(FileSystemId=file_system_id, StorageCapacity=4800)
    row = local_aws.store.table(account, "us-west-2", "fsx.file_systems")[file_system_id]
    for action in row["AdministrativeActions"]:
        action["RequestTime"] -= timedelta(hours=6)
    fsx.update_file_system(FileSystemId=file_system_id, StorageCapacity=7200)
    assert fsx.describe_file_systems()["FileSystems"][0]["StorageCapacity"] == 7200


def test_it_changes_throughput_compression_and_maintenance_in_place(fsx, file_system):
    lustre = {
        "PerUnitStorageThroughput": 250,
        "DataCompressionType": "LZ4",
        "WeeklyMaintenanceStartTime": "7:03:30",
    }
    fsx.update_file_system(FileSystemId=file_system["FileSystemId"], LustreConfiguration=lustre)
    reported = fsx.describe_file_systems()["FileSystems"][0]["LustreConfiguration"]
    assert {name: reported[name] for name in lustre} == lustre
    assert reported["MountName"] == file_system["LustreConfiguration"]["MountName"]


def test_a_refused_update_changes_nothing(fsx, file_system, refused):
    before = fsx.describe_file_systems()["FileSystems"]
    refused(
        fsx.update_file_system,
        FileSystemId=file_system["FileSystemId"],
        StorageCapacity=3600,
        LustreConfiguration={"DataCompressionType": "LZ4"},
    )
    assert fsx.describe_file_systems()["FileSystems"] == before


def test_the_version_only_goes_up(fsx, wish, refused):
    older = fsx.create_file_system(**{**wish, "FileSystemTypeVersion": "2.12"})["FileSystem"]["FileSystemId"]
    fsx.update_file_system(FileSystemId=older, FileSystemTypeVersion="2.15")
    assert refused(fsx.update_file_system, FileSystemId=older, FileSystemTypeVersion="2.12")[0] == "BadRequest"


def test_an_unknown_file_system_is_refused(fsx, refused):
    assert refused(fsx.delete_file_system, FileSystemId="fs-00000000000000000") == (
        "FileSystemNotFound",
        "File system 'fs-00000000000000000' does not exist.",
    )


def test_tags_are_kept_by_arn(fsx, file_system):
    arn = file_system["ResourceARN"]
    fsx.tag_resource(ResourceARN=arn, Tags=[{"Key": "a", "Value": "1"}, {"Key": "b", "Value": "2"}])
    fsx.untag_resource(ResourceARN=arn, TagKeys=["a"])
    assert fsx.list_tags_for_resource(ResourceARN=arn)["Tags"] == [{"Key": "b", "Value": "2"}]

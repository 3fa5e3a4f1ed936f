"""AWS::FSx::FileSystem and DataRepositoryAssociation: read back as given, changed in place, deleted in order."""

from __future__ import annotations

import pytest
from botocore.exceptions import ClientError, ParamValidationError
from msgspec import structs

from local_aws.engine.status_reasons import ResourceFailedError

FILE_SYSTEM = "AWS::FSx::FileSystem"
ASSOCIATION = "AWS::FSx::DataRepositoryAssociation"
BUCKET = "checkpoints-of-300000000004"


@pytest.fixture
def stage(bench, local_aws, make_ground):
    """The workbench with a group that lets Lustre through, and a bucket."""
    local_aws.store.tables.clear()
    bench = structs.replace(bench, account="300000000004")
    ground = make_ground(bench.client)
    rule = {"IpProtocol": "tcp", "FromPort": 988, "ToPort": 1023, "UserIdGroupPairs": [{"GroupId": ground.group}]}
    bench.client("ec2").authorize_security_group_ingress(GroupId=ground.group, IpPermissions=[rule])
    bench.client("s3").create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    yield bench, ground
    bench.client("s3").delete_bucket(Bucket=BUCKET)


@pytest.fixture
def given(stage):
    bench, ground = stage
    return {
        "FileSystemType": "LUSTRE",
        "FileSystemTypeVersion": "2.15",
        "StorageCapacity": "4800",
        "StorageType": "SSD",
        "SubnetIds": ground.subnets[:1],
        "SecurityGroupIds": [ground.group],
        "KmsKeyId": bench.client("kms").create_key()["KeyMetadata"]["Arn"],
        "LustreConfiguration": {
            "DeploymentType": "PERSISTENT_2",
            "PerUnitStorageThroughput": 250,
            "DataCompressionType": "LZ4",
            "WeeklyMaintenanceStartTime": "7:03:30",
            "MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 6000},
            "LogConfiguration": {"Level": "WARN_ERROR"},
        },
        "Tags": [{"Key": "environment", "Value": "train"}],
    }


@pytest.fixture
def link(stage, given):
    bench, _ = stage
    file_system = bench.create(FILE_SYSTEM, given)
    return {
        "FileSystemId": file_system.physical_id,
        "FileSystemPath": "/checkpoints",
        "DataRepositoryPath": f"s3://{BUCKET}/runs",
        "BatchImportMetaDataOnCreate": True,
        "ImportedFileChunkSize": 2048,
        "S3": {
            "AutoImportPolicy": {"Events": ["NEW", "CHANGED", "DELETED"]},
            "AutoExportPolicy": {"Events": ["NEW", "CHANGED"]},
        },
        "Tags": [{"Key": "environment", "Value": "train"}],
    }


def test_a_file_system_is_read_back_as_given(stage, given, holds):
    bench, _ = stage
    made = bench.create(FILE_SYSTEM, given)
    (row,) = bench.client("fsx").describe_file_systems()["FileSystems"]
    assert made.physical_id == row["FileSystemId"]
    assert made.attributes["DNSName"] == row["DNSName"]
    assert made.attributes["LustreMountName"] == row["LustreConfiguration"]["MountName"]
    assert made.attributes["ResourceARN"] == row["ResourceARN"]
    assert holds(bench.read(FILE_SYSTEM, made), given)


def test_a_file_system_changes_in_place(stage, given, holds):
    bench, _ = stage
    made = bench.create(FILE_SYSTEM, given)
    new = {
        **given,
        "StorageCapacity": 7200,
        "LustreConfiguration": {
            **given["LustreConfiguration"],
            "PerUnitStorageThroughput": 500,
            "WeeklyMaintenanceStartTime": "1:04:00",
            "MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 12000},
        },
        "Tags": [{"Key": "environment", "Value": "other"}],
    }
    changed = bench.update(FILE_SYSTEM, made, given, new)
    assert changed.attributes == made.attributes
    assert holds(bench.read(FILE_SYSTEM, changed), new)


def test_settings_taken_away_go_back_to_the_defaults(stage, given):
    bench, _ = stage
    made = bench.create(FILE_SYSTEM, given)
    retained = ("DeploymentType", "PerUnitStorageThroughput", "MetadataConfiguration")
    lustre = {name: given["LustreConfiguration"][name] for name in retained}
    bench.update(FILE_SYSTEM, made, given, {**given, "LustreConfiguration": lustre})
    read = bench.read(FILE_SYSTEM, made)["LustreConfiguration"]
    assert (read["DataCompressionType"], read["LogConfiguration"]) == ("NONE", {"Level": "DISABLED"})


def test_a_change_that_fsx_cannot_make_is_refused(stage, given):
    bench, _ = stage
    made = bench.create(FILE_SYSTEM, given)
    lustre = {**given["LustreConfiguration"], "DeploymentType": "SCRATCH_2"}
    with pytest.raises(ParamValidationError, match="DeploymentType"):
        bench.update(FILE_SYSTEM, made, given, {**given, "LustreConfiguration": lustre})


def test_an_update_that_fsx_rejects_is_rolled_back(stage, given):
    bench, _ = stage
    larger = {**given, "StorageCapacity": "2400"}
    made = bench.create(FILE_SYSTEM, larger)
    with pytest.raises(ClientError, match="Must be greater than the current storage capacity 2400"):
        bench.update(FILE_SYSTEM, made, larger, {**given, "StorageCapacity": 1200})
    bench.update(FILE_SYSTEM, made, {**given, "StorageCapacity": 1200}, larger)
    assert bench.read(FILE_SYSTEM, made)["StorageCapacity"] == 2400


def test_a_refused_size_leaves_no_interface(stage, given):
    bench, ground = stage
    with pytest.raises(ClientError, match="Must be 1200 or a multiple of 2400"):
        bench.create(FILE_SYSTEM, {**given, "StorageCapacity": 1300})
    of_vpc = [{"Name": "vpc-id", "Values": [ground.vpc]}]
    assert bench.client("ec2").describe_network_interfaces(Filters=of_vpc)["NetworkInterfaces"] == []


@pytest.mark.parametrize("wrong", [{"Storage": 1200}, {"LustreConfiguration": {"DeploymentTyp": "PERSISTENT_2"}}])
def test_a_misspelt_property_fails(stage, given, wrong):
    bench, _ = stage
    with pytest.raises(ResourceFailedError, match="extraneous key"):
        bench.create(FILE_SYSTEM, {**given, **wrong})
    assert bench.client("fsx").describe_file_systems()["FileSystems"] == []


def test_an_association_is_read_back_as_given(stage, link, holds):
    bench, _ = stage
    made = bench.create(ASSOCIATION, link)
    assert made.physical_id == made.attributes["AssociationId"]
    assert made.attributes["ResourceARN"].endswith(made.physical_id)
    assert holds(bench.read(ASSOCIATION, made), link)


def test_an_association_changes_its_policies_in_place(stage, link):
    bench, _ = stage
    made = bench.create(ASSOCIATION, link)
    new = {**link, "S3": {"AutoImportPolicy": {"Events": ["NEW"]}}, "Tags": [{"Key": "a", "Value": "b"}]}
    changed = bench.update(ASSOCIATION, made, link, new)
    assert changed.physical_id == made.physical_id
    read = bench.read(ASSOCIATION, changed)
    assert read["S3"] == {"AutoImportPolicy": {"Events": ["NEW"]}, "AutoExportPolicy": {"Events": []}}
    assert read["Tags"] == new["Tags"]


def test_the_network_goes_last(stage, given, link):
    bench, ground = stage
    association = bench.create(ASSOCIATION, link)
    file_system = structs.replace(association, physical_id=link["FileSystemId"])
    ec2 = bench.client("ec2")
    with pytest.raises(ClientError, match="has dependencies and cannot be deleted"):
        ec2.delete_subnet(SubnetId=ground.subnets[0])
    bench.delete(ASSOCIATION, association, link)
    bench.delete(FILE_SYSTEM, file_system, given)
    bench.delete(FILE_SYSTEM, file_system, given)
    bench.delete(ASSOCIATION, association, link)
    ec2.delete_subnet(SubnetId=ground.subnets[0])
    ec2.delete_security_group(GroupId=ground.group)

"""Requests that FSx rejects about file systems and associations, call by call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Refused = Callable[..., tuple[str, str]]
DURABLE = {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 125}
SCRATCH = {"DeploymentType": "SCRATCH_2"}
OLDER = {"DeploymentType": "PERSISTENT_1", "PerUnitStorageThroughput": 100}
METADATA = {"MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 3000}}
BUCKET = "refused-of-300000000000"


@pytest.fixture
def create(fsx: Any, ground: Any) -> Callable[..., Any]:
    def call(lustre: dict[str, Any], **members: Any) -> Any:
        given = {
            "FileSystemType": "LUSTRE",
            "StorageCapacity": 1200,
            "SubnetIds": ground.subnets[:1],
            "FileSystemTypeVersion": "2.15",
            "LustreConfiguration": lustre,
        }
        return fsx.create_file_system(**{**given, **members})

    return call


@pytest.fixture
def bucket(client: Any) -> Any:
    s3 = client("s3")
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    yield f"s3://{BUCKET}"
    s3.delete_bucket(Bucket=BUCKET)


@pytest.mark.parametrize(
    ("lustre", "members", "text"),
    [
        ({"DeploymentType": "SCRATCH_1"}, {}, "does not make the Lustre deployment type SCRATCH_1"),
        ({**DURABLE, **METADATA}, {"FileSystemTypeVersion": "2.12"}, "with a metadata configuration"),
        ({**OLDER, **METADATA}, {}, "MetadataConfiguration is not supported for PERSISTENT_1"),
        ({**DURABLE, "EfaEnabled": True}, {}, "EFA is only supported for PERSISTENT_2 file systems"),
        (SCRATCH, {"KmsKeyId": "arn:aws:kms:us-west-2:300000000000:key/x"}, "KmsKeyId is not supported for SCRATCH_2"),
        ({**SCRATCH, "AutomaticBackupRetentionDays": 7}, {}, "Backups are not supported for SCRATCH_2"),
        ({**DURABLE, "DriveCacheType": "READ"}, {}, "DriveCacheType is only supported for file systems with HDD"),
        ({**DURABLE, "MetadataConfiguration": {"Mode": "USER_PROVISIONED"}}, {}, "Metadata Iops must be specified"),
        ({**DURABLE, "DailyAutomaticBackupStartTime": "05:00"}, {}, "requires AutomaticBackupRetentionDays"),
    ],
)
def test_a_file_system_is_refused(
    create: Callable[..., Any], refused: Refused, lustre: dict[str, Any], members: dict[str, Any], text: str
) -> None:
    code, message = refused(create, lustre=lustre, **members)
    assert (code, text in message) == ("BadRequest", True), message


@pytest.mark.parametrize(
    "lustre",
    [
        {"DriveCacheType": "NONE"},
        METADATA,
        {"MetadataConfiguration": {"Mode": "AUTOMATIC"}},
        {"DailyAutomaticBackupStartTime": "05:00", "AutomaticBackupRetentionDays": 1},
    ],
)
def test_a_file_system_is_made(create: Callable[..., Any], lustre: dict[str, Any]) -> None:
    made = create(lustre={**DURABLE, **lustre})["FileSystem"]["LustreConfiguration"]
    assert made["DeploymentType"] == "PERSISTENT_2"


def test_a_file_system_is_refused_for_its_network(client: Any, create: Callable[..., Any], refused: Refused) -> None:
    ec2 = client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.9.0.0/16")["Vpc"]["VpcId"]
    group = ec2.create_security_group(GroupName="foreign", Description="x", VpcId=vpc)["GroupId"]
    rule = {"IpProtocol": "tcp", "FromPort": 988, "ToPort": 988, "IpRanges": [{"CidrIp": "10.0.0.0/8"}]}
    ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[rule])
    for members, text in (
        ({"SubnetIds": ["subnet-00000000000000000"]}, "subnet-00000000000000000"),
        ({"SecurityGroupIds": ["sg-00000000000000000"]}, "sg-00000000000000000"),
        ({"SecurityGroupIds": [group]}, "The security groups and the subnet belong to different VPCs."),
    ):
        code, message = refused(create, lustre=DURABLE, **members)
        assert (code, text in message) == ("InvalidNetworkSettings", True), message


@pytest.mark.parametrize(
    ("made", "capacity", "members", "text"),
    [
        (DURABLE, 1200, {"StorageType": "HDD"}, "StorageType cannot be updated"),
        (DURABLE, 1200, {"StorageCapacity": 3600}, "Must be 1200 or a multiple of 2400"),
        (DURABLE, 1200, {"LustreConfiguration": {"PerUnitStorageThroughput": 300}}, "throughput is invalid"),
        (DURABLE, 1200, {"LustreConfiguration": {"AutoImportPolicy": "NEW"}}, "is not supported for this file system"),
        (
            DURABLE,
            1200,
            {"LustreConfiguration": {"MetadataConfiguration": {"Mode": "AUTOMATIC"}}},
            "can only be updated when the file system was created with one",
        ),
        (
            {**DURABLE, **METADATA},
            1200,
            {"LustreConfiguration": {"MetadataConfiguration": {"Iops": 1500}}},
            "Metadata Iops can only be increased.",
        ),
        (
            {**DURABLE, **METADATA, "EfaEnabled": True},
            38400,
            {"LustreConfiguration": {"PerUnitStorageThroughput": 250}},
            "The throughput of an EFA-enabled file system cannot be updated.",
        ),
    ],
)
def test_an_update_is_refused(
    fsx: Any, create: Callable[..., Any], refused: Refused, made: Any, capacity: int, members: Any, text: str
) -> None:
    file_system = create(made, StorageCapacity=capacity)["FileSystem"]
    code, message = refused(fsx.update_file_system, FileSystemId=file_system["FileSystemId"], **members)
    assert (code, text in message) == ("BadRequest", True), message


def test_backups_and_links_to_buckets_exclude_each_other(
    fsx: Any, create: Callable[..., Any], refused: Refused, bucket: str
) -> None:
    text = "Backups cannot be enabled on S3-linked file systems."
    backed_up = create({**DURABLE, "AutomaticBackupRetentionDays": 7})["FileSystem"]["FileSystemId"]
    link = {"FileSystemPath": "/a", "DataRepositoryPath": f"{bucket}/a/"}
    associate = fsx.create_data_repository_association
    assert refused(associate, FileSystemId=backed_up, **link) == ("BadRequest", text)
    linked = create(DURABLE)["FileSystem"]["FileSystemId"]
    associate(FileSystemId=linked, **link)
    backups = {"AutomaticBackupRetentionDays": 7}
    assert refused(fsx.update_file_system, FileSystemId=linked, LustreConfiguration=backups) == ("BadRequest", text)


def test_an_association_is_refused(fsx: Any, create: Callable[..., Any], refused: Refused, bucket: str) -> None:
    file_system = create(DURABLE)["FileSystem"]["FileSystemId"]
    associate = fsx.create_data_repository_association
    wrong = {"FileSystemPath": "/a", "DataRepositoryPath": "nfs://server/a"}
    code, message = refused(associate, FileSystemId=file_system, **wrong)
    assert (code, "must have the form s3://" in message) == ("BadRequest", True)
    for number in range(8):
        place = {"FileSystemPath": f"/{number}", "DataRepositoryPath": f"{bucket}/{number}/"}
        associate(FileSystemId=file_system, **place)
    ninth = {"FileSystemPath": "/9", "DataRepositoryPath": f"{bucket}/9/"}
    code, message = refused(associate, FileSystemId=file_system, **ninth)
    assert (code, message) == (
        "ServiceLimitExceeded",
        "A file system can have at most 8 data repository associations.",
    )
    by_backup = [{"Name": "backup-type", "Values": ["USER_INITIATED"]}]
    _, message = refused(fsx.describe_data_repository_associations, Filters=by_backup)
    assert "The filter backup-type is not supported" in message


def test_what_is_not_there_or_not_done_is_refused(fsx: Any, create: Callable[..., Any], refused: Refused) -> None:
    arn = "arn:aws:fsx:us-west-2:300000000000:file-system/fs-00000000000000000"
    assert refused(fsx.list_tags_for_resource, ResourceARN=arn)[0] == "ResourceNotFound"
    file_system = create(DURABLE)["FileSystem"]["FileSystemId"]
    final = {"SkipFinalBackup": False}
    _, message = refused(fsx.delete_file_system, FileSystemId=file_system, LustreConfiguration=final)
    assert "takes no backups" in message


def test_a_token_makes_one_file_system(create: Callable[..., Any], fsx: Any, refused: Refused) -> None:
    first, second = (create(DURABLE, ClientRequestToken="once")["FileSystem"]["FileSystemId"] for _ in range(2))
    assert first == second
    answer = refused(create, lustre=DURABLE, StorageCapacity=2400, ClientRequestToken="once")
    assert answer[0] == "IncompatibleParameterError"
    assert [row["FileSystemId"] for row in fsx.describe_file_systems()["FileSystems"]] == [first]
    assert create(DURABLE, ClientRequestToken="twice")["FileSystem"]["FileSystemId"] != first
    for _ in range(2):
        fsx.delete_file_system(FileSystemId=first, ClientRequestToken="gone")
    assert refused(fsx.delete_file_system, FileSystemId=first, ClientRequestToken="other")[0] == "FileSystemNotFound"


TIERING: dict[str, Any] = {
    "DeploymentType": "PERSISTENT_2",
    "ThroughputCapacity": 8000,
    "MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 6000},
    "DataReadCacheConfiguration": {"SizingMode": "USER_PROVISIONED", "SizeGiB": 64},
}
OF_TIERING = {"StorageType": "INTELLIGENT_TIERING"}


@pytest.fixture
def create_tiering(fsx: Any, ground: Any) -> Callable[..., Any]:
    def call(lustre: dict[str, Any], **members: Any) -> Any:
        given = {"FileSystemType": "LUSTRE", "SubnetIds": ground.subnets[:1], "FileSystemTypeVersion": "2.15"}
        return fsx.create_file_system(**{**given, **OF_TIERING, "LustreConfiguration": lustre, **members})

    return call


@pytest.mark.parametrize(
    ("lustre", "members", "text"),
    [
        ({**TIERING, "DeploymentType": "PERSISTENT_1"}, {}, "only supported for PERSISTENT_2"),
        (TIERING, {"StorageCapacity": 1200}, "StorageCapacity and PerUnitStorageThroughput"),
        ({**TIERING, "ThroughputCapacity": 6000}, {}, "a multiple of 4000"),
        ({**TIERING, "MetadataConfiguration": {"Mode": "AUTOMATIC"}}, {}, "USER_PROVISIONED with 6000 or 12000"),
        ({**TIERING, "DataReadCacheConfiguration": {"SizingMode": "USER_PROVISIONED", "SizeGiB": 32}}, {}, "64 and"),
        ({name: TIERING[name] for name in TIERING if name != "DataReadCacheConfiguration"}, {}, "is required"),
        (TIERING, {"StorageType": "SSD", "StorageCapacity": 1200}, "only supported for INTELLIGENT_TIERING"),
    ],
)
def test_a_file_system_of_intelligent_tiering_is_refused(
    create_tiering: Callable[..., Any], refused: Refused, lustre: dict[str, Any], members: dict[str, Any], text: str
) -> None:
    code, message = refused(create_tiering, lustre=lustre, **members)
    assert (code, text in message) == ("BadRequest", True), message


def test_intelligent_tiering_only_raises_throughput_and_links_no_bucket(
    create_tiering: Callable[..., Any], fsx: Any, refused: Refused, bucket: str
) -> None:
    made = create_tiering(TIERING)["FileSystem"]
    assert "StorageCapacity" not in made
    update = {"FileSystemId": made["FileSystemId"]}
    raised = fsx.update_file_system(
        **update,
        LustreConfiguration={"ThroughputCapacity": 8000, "DataReadCacheConfiguration": {"SizingMode": "NO_CACHE"}},
    )
    assert raised["FileSystem"]["LustreConfiguration"]["DataReadCacheConfiguration"] == {"SizingMode": "NO_CACHE"}
    lowered = refused(fsx.update_file_system, **update, LustreConfiguration={"ThroughputCapacity": 4000})
    assert lowered == ("BadRequest", "ThroughputCapacity cannot be decreased.")
    linked = {"FileSystemPath": "/data", "DataRepositoryPath": f"{bucket}/data/"}
    _, message = refused(fsx.create_data_repository_association, **update, **linked)
    assert "not supported on INTELLIGENT_TIERING" in message


def test_an_update_for_intelligent_tiering_alone_is_refused_of_others(
    create: Callable[..., Any], fsx: Any, refused: Refused
) -> None:
    made = create(DURABLE)["FileSystem"]["FileSystemId"]
    raised = refused(fsx.update_file_system, FileSystemId=made, LustreConfiguration={"ThroughputCapacity": 8000})
    assert raised[0] == "BadRequest"
    assert "INTELLIGENT_TIERING" in raised[1]

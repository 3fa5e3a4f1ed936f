"""The storage stack: what holds data stays, encrypted with a key that FSx may use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture(scope="module")
def storage(stack_of: Callable[..., Any]) -> Any:
    return stack_of("train-trn1", "storage")


@pytest.mark.parametrize("type_name", ["AWS::KMS::Key", "AWS::S3::Bucket", "AWS::FSx::FileSystem"])
def test_state_outlives_its_stack_and_its_replacement(storage: Any, type_name: str) -> None:
    """RetainExceptOnCreate: only what a failed first creation left behind is cleaned up."""
    for resource in storage.find_resources(type_name).values():
        assert resource["DeletionPolicy"] == "RetainExceptOnCreate"
        assert resource["UpdateReplacePolicy"] == "Retain"


def test_the_key_admits_the_service_linked_role_of_fsx_through_s3_alone(storage: Any) -> None:
    """Without this statement the association never imports."""
    (statement,) = [s for s in _key_policy(storage) if s.get("Sid") == "LustreReadsAndWritesTheBucket"]
    assert statement["Condition"]["StringEquals"] == {
        "kms:CallerAccount": "111122223333",
        "kms:ViaService": "s3.us-west-2.amazonaws.com",
    }
    assert statement["Condition"]["ArnLike"] == {
        "aws:PrincipalArn": "arn:aws:iam::111122223333:role/aws-service-role/"
        "s3.data-source.lustre.fsx.amazonaws.com/AWSServiceRoleForFSxS3Access_*",
        "kms:EncryptionContext:aws:s3:arn": "arn:aws:s3:::*",
    }


def test_the_key_policy_names_neither_bucket_nor_file_system(storage: Any) -> None:
    """Both refer to the key: a policy that refers back is a cycle."""
    assert "Ref" not in str(_key_policy(storage))
    assert "Fn::" not in str(_key_policy(storage))


def test_bucket_is_private_versioned_and_encrypted_with_the_data_key(storage: Any) -> None:
    key = next(iter(storage.find_resources("AWS::KMS::Key")))
    storage.has_resource_properties(
        "AWS::S3::Bucket",
        {
            "VersioningConfiguration": {"Status": "Enabled"},
            "PublicAccessBlockConfiguration": {
                "BlockPublicAcls": True,
                "BlockPublicPolicy": True,
                "IgnorePublicAcls": True,
                "RestrictPublicBuckets": True,
            },
            "BucketEncryption": {
                "ServerSideEncryptionConfiguration": [
                    {
                        "BucketKeyEnabled": True,
                        "ServerSideEncryptionByDefault": {
                            "SSEAlgorithm": "aws:kms",
                            "KMSMasterKeyID": {"Fn::GetAtt": [key, "Arn"]},
                        },
                    }
                ]
            },
        },
    )


def test_bucket_policy_refuses_plain_http_and_old_tls(storage: Any) -> None:
    (policy,) = storage.find_resources("AWS::S3::BucketPolicy").values()
    conditions = [
        statement["Condition"]
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        if statement["Effect"] == "Deny" and statement["Principal"] == {"AWS": "*"}
    ]
    assert {"Bool": {"aws:SecureTransport": "false"}} in conditions
    assert {"NumericLessThan": {"s3:TlsVersion": 1.2}} in conditions


def test_file_system_is_what_the_environment_asks_for(storage: Any) -> None:
    storage.has_resource_properties(
        "AWS::FSx::FileSystem",
        {
            "FileSystemType": "LUSTRE",
            "FileSystemTypeVersion": "2.15",
            "StorageCapacity": 4800,
            "LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 250},
        },
    )


def test_a_scratch_file_system_has_no_key_of_ours(stack_of: Callable[..., Any]) -> None:
    """FSx encrypts it with a key of its own, and refuses another."""
    edits = {"storage.lustre.deployment_type": "scratch_2", "storage.lustre.throughput_mbps_per_tib": None}
    stack = stack_of("train-trn1", "storage", edits)
    (scratch,) = stack.find_resources("AWS::FSx::FileSystem").values()
    assert scratch["Properties"]["LustreConfiguration"]["DeploymentType"] == "SCRATCH_2"
    assert "KmsKeyId" not in scratch["Properties"]


def test_association_comes_after_the_bucket_policy(storage: Any) -> None:
    (association,) = storage.find_resources("AWS::FSx::DataRepositoryAssociation").values()
    assert association["Properties"]["FileSystemPath"] == "/checkpoints"
    assert set(association["DependsOn"]) == set(storage.find_resources("AWS::S3::BucketPolicy"))


def test_the_maintenance_window_is_that_of_the_file_or_of_fsx(stack_of: Callable[..., Any]) -> None:
    edits = {"storage.lustre.maintenance_window": "7:03:30"}
    for given, expected in ((edits, "7:03:30"), ({}, None)):
        (system,) = stack_of("train-trn1", "storage", given).find_resources("AWS::FSx::FileSystem").values()
        assert system["Properties"]["LustreConfiguration"].get("WeeklyMaintenanceStartTime") == expected


TIERING = {
    "storage.lustre": {"availability_zone": "usw2-az4", "storage_type": "intelligent_tiering", "throughput_mbps": 8000},
    "storage.checkpoints": None,
}


@pytest.mark.parametrize(
    ("size", "cache"),
    [
        (None, {"SizingMode": "PROPORTIONAL_TO_THROUGHPUT_CAPACITY"}),
        (0, {"SizingMode": "NO_CACHE"}),
        (64, {"SizingMode": "USER_PROVISIONED", "SizeGiB": 64}),
    ],
)
def test_intelligent_tiering_has_throughput_iops_and_a_cache_but_no_capacity(
    stack_of: Callable[..., Any], size: int | None, cache: dict[str, Any]
) -> None:
    edits = TIERING if size is None else {**TIERING, "storage.lustre.read_cache_gib": size}
    (system,) = stack_of("train-trn1", "storage", edits).find_resources("AWS::FSx::FileSystem").values()
    properties = system["Properties"]
    assert (properties["StorageType"], "StorageCapacity" in properties) == ("INTELLIGENT_TIERING", False)
    lustre = properties["LustreConfiguration"]
    assert (lustre["ThroughputCapacity"], "PerUnitStorageThroughput" in lustre) == (8000, False)
    assert lustre["MetadataConfiguration"] == {"Mode": "USER_PROVISIONED", "Iops": 6000}
    assert lustre["DataReadCacheConfiguration"] == cache


def test_nothing_watches_the_capacity_of_intelligent_tiering(stack_of: Callable[..., Any]) -> None:
    edits = {"observability": {"metrics": "cloudwatch"}}
    with_capacity = str(stack_of("train-trn1", "observability", edits).find_resources("AWS::CloudWatch::Alarm"))
    without = str(
        stack_of("train-trn1", "observability", {**edits, **TIERING}).find_resources("AWS::CloudWatch::Alarm")
    )
    assert ("FreeDataStorageCapacity" in with_capacity, "FreeDataStorageCapacity" in without) == (True, False)


def test_without_sync_there_is_no_association(stack_of: Callable[..., Any]) -> None:
    storage = stack_of("train-trn1", "storage", {"storage.lustre.sync": None})
    storage.resource_count_is("AWS::FSx::DataRepositoryAssociation", 0)
    storage.resource_count_is("AWS::FSx::FileSystem", 1)


def test_an_environment_without_data_has_no_storage_stack(templates_of: Callable[..., Any]) -> None:
    assert list(templates_of("dev-inf2")) == ["network", "cluster", "system", "software", "nodes"]


def _sync(stack: Any) -> Any:
    (association,) = stack.find_resources("AWS::FSx::DataRepositoryAssociation").values()
    return association["Properties"]["S3"]


def _lifecycle(stack: Any) -> Any:
    (bucket,) = stack.find_resources("AWS::S3::Bucket").values()
    return bucket["Properties"]["LifecycleConfiguration"]["Rules"]


def test_an_archive_synchronizes_no_deletion_and_expires(storage: Any) -> None:
    events = {"Events": ["NEW", "CHANGED"]}
    assert _sync(storage) == {"AutoImportPolicy": events, "AutoExportPolicy": events}
    assert _lifecycle(storage)[1] == {
        "Id": "expire-archive",
        "Prefix": "checkpoints/",
        "ExpirationInDays": 7,
        "NoncurrentVersionExpiration": {"NoncurrentDays": 3},
        "Status": "Enabled",
    }


def test_an_archive_of_an_ephemeral_environment_keeps_versions_for_a_day(stack_of: Callable[..., Any]) -> None:
    rule = _lifecycle(stack_of("train-trn1", "storage", {"lifecycle": "ephemeral"}))[1]
    assert rule["NoncurrentVersionExpiration"] == {"NoncurrentDays": 1}


def test_a_sync_without_a_mode_mirrors_deletions_and_expires_nothing(stack_of: Callable[..., Any]) -> None:
    mirror = stack_of("train-trn1", "storage", {"storage.lustre.sync": {}})
    events = {"Events": ["NEW", "CHANGED", "DELETED"]}
    assert _sync(mirror) == {"AutoImportPolicy": events, "AutoExportPolicy": events}
    assert [rule["Id"] for rule in _lifecycle(mirror)] == ["expire-old-versions"]


def _key_policy(storage: Any) -> list[dict[str, Any]]:
    (key,) = storage.find_resources("AWS::KMS::Key").values()
    return list(key["Properties"]["KeyPolicy"]["Statement"])


def test_compiled_graphs_expire_and_the_rule_of_the_whole_bucket_stays(stack_of: Callable[..., Any]) -> None:
    edits = {"storage.compile_cache": {"expire_days": 60}}
    (bucket,) = stack_of("train-trn1", "storage", edits).find_resources("AWS::S3::Bucket").values()
    (before,) = stack_of("train-trn1", "storage").find_resources("AWS::S3::Bucket").values()
    rules = bucket["Properties"]["LifecycleConfiguration"]["Rules"]
    expiry = {"ExpirationInDays": 60, "NoncurrentVersionExpiration": {"NoncurrentDays": 1}, "Prefix": "compile-cache/"}
    assert rules[:-1] == before["Properties"]["LifecycleConfiguration"]["Rules"]
    assert rules[-1:] == [{"Id": "expire-compile-cache", "Status": "Enabled", **expiry}]


def test_an_express_bucket_is_in_its_zone_kept_and_encrypted_with_the_data_key(stack_of: Callable[..., Any]) -> None:
    edits = {"storage.express": {"availability_zone": "usw2-az4", "expiration_days": 7}}
    stack = stack_of("train-trn1", "storage", edits)
    ((name, bucket),) = stack.find_resources("AWS::S3Express::DirectoryBucket").items()
    (key,) = stack.find_resources("AWS::KMS::Key")
    properties = bucket["Properties"]
    assert (properties["LocationName"], "BucketName" in properties) == ("usw2-az4", False)
    assert (bucket["DeletionPolicy"], bucket["UpdateReplacePolicy"]) == ("RetainExceptOnCreate", "Retain")
    (rule,) = properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert rule["ServerSideEncryptionByDefault"]["KMSMasterKeyID"] == {"Fn::GetAtt": [key, "Arn"]}
    assert [each.get("ExpirationInDays") for each in properties["LifecycleConfiguration"]["Rules"]] == [None, 7]
    (policy,) = stack.find_resources("AWS::S3Express::BucketPolicy").values()
    plain, lifecycle = policy["Properties"]["PolicyDocument"]["Statement"]
    assert (plain["Effect"], plain["Condition"]) == ("Deny", {"Bool": {"aws:SecureTransport": "false"}})
    assert plain["Resource"] == lifecycle["Resource"] == {"Fn::GetAtt": [name, "Arn"]}
    session = {"s3express:SessionMode": "ReadWrite", "aws:SourceAccount": "111122223333"}
    assert lifecycle["Principal"] == {"Service": "lifecycle.s3.amazonaws.com"}
    assert (lifecycle["Effect"], lifecycle["Action"]) == ("Allow", "s3express:CreateSession")
    assert lifecycle["Condition"] == {"StringEquals": session}


def test_an_express_bucket_adds_a_gateway_endpoint_and_sessions_of_the_driver(
    templates_of: Callable[..., Any],
) -> None:
    edits = {
        "storage.express": {"availability_zone": "usw2-az4"},
        "eks.addons.mountpoint_s3_csi_driver": True,
    }
    templates = templates_of("train-trn1", edits)
    kinds = [each["Properties"] for each in templates["network"]["Resources"].values() if "Endpoint" in each["Type"]]
    assert "com.amazonaws.us-west-2.s3express" in [each["ServiceName"] for each in kinds]
    assert "s3express:CreateSession" in str(templates["software"]) + str(templates["system"])
    assert "s3express" not in str(templates_of("train-trn1"))


@pytest.mark.parametrize(("days", "rules"), [({}, []), ({"storage.checkpoints.golden_days": "365"}, [365])])
def test_golden_checkpoints_expire_after_days_of_their_own_or_never(
    stack_of: Callable[..., Any], days: dict[str, str], rules: list[int]
) -> None:
    """An old version of one stays as long as the bucket keeps any."""
    edits = {"storage.checkpoints.golden_every": "50", **days}
    (bucket,) = stack_of("train-trn1", "storage", edits).find_resources("AWS::S3::Bucket").values()
    found = bucket["Properties"]["LifecycleConfiguration"]["Rules"]
    golden = [rule for rule in found if rule.get("Prefix") == "golden/"]
    assert [rule["ExpirationInDays"] for rule in golden] == rules
    assert {rule["NoncurrentVersionExpiration"]["NoncurrentDays"] for rule in golden} <= {30}


EFS = {"storage.efs": {"access_points": [{"name": "home", "path": "/home", "mode": "750"}], "backup": True}}


def test_an_efs_file_system_is_kept_encrypted_with_the_data_key_and_in_each_zone(stack_of: Callable[..., Any]) -> None:
    stack = stack_of("train-trn1", "storage", EFS)
    ((system, found),) = stack.find_resources("AWS::EFS::FileSystem").items()
    (key,) = stack.find_resources("AWS::KMS::Key")
    assert (found["DeletionPolicy"], found["UpdateReplacePolicy"]) == ("RetainExceptOnCreate", "Retain")
    assert found["Properties"]["KmsKeyId"] == {"Fn::GetAtt": [key, "Arn"]}
    assert (found["Properties"]["Encrypted"], found["Properties"]["ThroughputMode"]) == (True, "elastic")
    assert found["Properties"]["BackupPolicy"] == {"Status": "ENABLED"}
    targets = stack.find_resources("AWS::EFS::MountTarget")
    subnets = {str(each["Properties"]["SubnetId"]) for each in targets.values()}
    assert (len(targets), len(subnets)) == (2, 2)
    ((_, point),) = stack.find_resources("AWS::EFS::AccessPoint").items()
    assert "DependsOn" not in point, "whatever mounts it is in a stack that waits for this one"
    assert point["Properties"]["PosixUser"] == {"Uid": "1000", "Gid": "1000"}
    created = {"OwnerUid": "1000", "OwnerGid": "1000", "Permissions": "0750"}
    assert point["Properties"]["RootDirectory"] == {"Path": "/home", "CreationInfo": created}
    assert point["Properties"]["FileSystemId"] == {"Ref": system}


def test_efs_is_mounted_with_tls_through_access_points_and_never_as_root(stack_of: Callable[..., Any]) -> None:
    (found,) = stack_of("train-trn1", "storage", EFS).find_resources("AWS::EFS::FileSystem").values()
    statements = {each["Sid"]: each for each in found["Properties"]["FileSystemPolicy"]["Statement"]}
    allowed = [each for each in statements.values() if each["Effect"] == "Allow"]
    assert [each["Action"] for each in allowed] == [["elasticfilesystem:ClientMount", "elasticfilesystem:ClientWrite"]]
    points = "arn:aws:elasticfilesystem:us-west-2:111122223333:access-point/*"
    without = statements["NoMountWithoutAccessPoint"]
    assert without["Condition"] == {"StringNotLike": {"elasticfilesystem:AccessPointArn": points}}
    assert "elasticfilesystem:ClientMount" in without["Action"]
    assert "Condition" not in statements["NoRoot"]
    assert statements["TlsAlone"]["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


def test_nodes_and_workstations_alone_reach_the_mount_targets(stack_of: Callable[..., Any]) -> None:
    network = stack_of("train-trn1", "network", EFS)
    rules = [each["Properties"] for each in network.find_resources("AWS::EC2::SecurityGroupIngress").values()]
    nfs = [each for each in rules if each.get("FromPort") == 2049]
    assert {each["Description"] for each in nfs} == {"From node", "From workstation"}
    assert {each["ToPort"] for each in nfs} == {2049}
    (group,) = {each["GroupId"]["Fn::GetAtt"][0] for each in nfs}
    assert group.startswith("Groupsefs")
    assert "2049" not in str(stack_of("train-trn1", "network").to_json())


S3_FILES = {"storage.s3_files": {"prefix": "shared/files"}}


def test_an_s3_files_system_is_retained_and_has_a_mount_target_in_each_zone(
    stack_of: Callable[..., Any],
) -> None:
    stack = stack_of("train-trn1", "storage", S3_FILES)
    (found,) = stack.find_resources("AWS::S3Files::FileSystem").values()
    (key,) = stack.find_resources("AWS::KMS::Key")
    (bucket,) = stack.find_resources("AWS::S3::Bucket")
    assert (found["DeletionPolicy"], found["UpdateReplacePolicy"]) == ("RetainExceptOnCreate", "Retain")
    assert found["Properties"]["Prefix"] == "shared/files/"
    assert found["Properties"]["Bucket"] == {"Fn::GetAtt": [bucket, "Arn"]}
    assert found["Properties"]["KmsKeyId"] == {"Fn::GetAtt": [key, "Arn"]}
    targets = stack.find_resources("AWS::S3Files::MountTarget").values()
    assert len({str(each["Properties"]["SubnetId"]) for each in targets}) == len(targets) == 2
    network = stack_of("train-trn1", "network", S3_FILES)
    assert "Mount targets of EFS and S3 Files" in str(network.find_resources("AWS::EC2::SecurityGroup"))


def test_s3_files_assumes_a_role_that_reaches_its_prefix_and_its_own_rules(stack_of: Callable[..., Any]) -> None:
    stack = stack_of("train-trn1", "storage", S3_FILES)
    (role,) = [each["Properties"] for each in stack.find_resources("AWS::IAM::Role").values()]
    (trust,) = role["AssumeRolePolicyDocument"]["Statement"]
    assert trust["Principal"] == {"Service": "elasticfilesystem.amazonaws.com"}
    assert trust["Condition"] == {
        "StringEquals": {"aws:SourceAccount": "111122223333"},
        "ArnLike": {"aws:SourceArn": "arn:aws:s3files:us-west-2:111122223333:file-system/*"},
    }
    objects, rules = (each["PolicyDocument"]["Statement"] for each in role["Policies"])
    listing, files, key = objects
    assert listing["Condition"] == {"StringLike": {"s3:prefix": "shared/files/*"}}
    assert files["Resource"]["Fn::Join"][1][-1] == "/shared/files/*"
    assert key["Condition"] == {"StringEquals": {"kms:ViaService": "s3.us-west-2.amazonaws.com"}}
    managed, read = rules
    assert managed["Resource"].endswith(":111122223333:rule/DO-NOT-DELETE-S3-Files*")
    assert managed["Condition"] == {"StringEquals": {"events:ManagedBy": "elasticfilesystem.amazonaws.com"}}
    assert {action.split(":")[1][:4] for action in read["Action"]} == {"Desc", "List"}
    actions = [action for each in (*objects, *rules) for action in each["Action"]]
    assert not [action for action in actions if "*" in action]


BACKUP = {
    "resources": ["homes", "lustre", "efs"],
    "rules": [
        {"name": "daily", "schedule": "cron(0 5 ? * * *)", "delete_after_days": "35"},
        {
            "name": "monthly",
            "schedule": "cron(0 5 1 * ? *)",
            "delete_after_days": "365",
            "cold_after_days": "30",
        },
    ],
    "vault_lock": {"min_days": "7", "max_days": "365"},
}
BACKED_UP = {
    "storage.lustre.sync": None,
    "storage.homes": [{"name": "alice", "availability_zone": "usw2-az4", "size_gib": "100"}],
    "storage.efs": {"access_points": [{"name": "home", "path": "/home"}]},
    "storage.backup": BACKUP,
}


def test_the_backup_vault_is_kept_locked_and_encrypted_with_the_data_key(stack_of: Callable[..., Any]) -> None:
    stack = stack_of("train-trn1", "storage", BACKED_UP)
    ((name, vault),) = stack.find_resources("AWS::Backup::BackupVault").items()
    (key,) = stack.find_resources("AWS::KMS::Key")
    assert (vault["DeletionPolicy"], vault["UpdateReplacePolicy"]) == ("RetainExceptOnCreate", "Retain")
    properties = vault["Properties"]
    assert properties["EncryptionKeyArn"] == {"Fn::GetAtt": [key, "Arn"]}
    assert properties["LockConfiguration"] == {"MinRetentionDays": 7, "MaxRetentionDays": 365}
    assert "AWS::StackId" in str(properties["BackupVaultName"])
    (plan,) = stack.find_resources("AWS::Backup::BackupPlan").values()
    daily, monthly = plan["Properties"]["BackupPlan"]["BackupPlanRule"]
    assert daily == {
        "RuleName": "daily",
        "ScheduleExpression": "cron(0 5 ? * * *)",
        "TargetBackupVault": {"Ref": name},
        "Lifecycle": {"DeleteAfterDays": 35},
    }
    assert monthly["Lifecycle"] == {
        "DeleteAfterDays": 365,
        "MoveToColdStorageAfterDays": 30,
        "OptInToArchiveForSupportedResources": True,
    }


def test_each_resource_is_selected_by_its_arn_alone(stack_of: Callable[..., Any]) -> None:
    """A selection is replaced by any change of it: another home leaves those of the others."""
    stack = stack_of("train-trn1", "storage", BACKED_UP)
    (volume,) = stack.find_resources("AWS::EC2::Volume")
    (system,) = stack.find_resources("AWS::FSx::FileSystem")
    (efs,) = stack.find_resources("AWS::EFS::FileSystem")
    found = [
        each["Properties"]["BackupSelection"] for each in stack.find_resources("AWS::Backup::BackupSelection").values()
    ]
    arns = {each["SelectionName"]: each["Resources"] for each in found}
    assert arns == {
        "home-alice": [{"Fn::Join": ["", ["arn:aws:ec2:us-west-2:111122223333:volume/", {"Ref": volume}]]}],
        "lustre": [{"Fn::Join": ["", ["arn:aws:fsx:us-west-2:111122223333:file-system/", {"Ref": system}]]}],
        "efs": [{"Fn::Join": ["", ["arn:aws:elasticfilesystem:us-west-2:111122223333:file-system/", {"Ref": efs}]]}],
    }


@pytest.mark.parametrize(
    ("resource", "policies"),
    [
        ("homes", ["service-role/AWSBackupServiceRolePolicyForBackup"]),
        ("efs", ["service-role/AWSBackupServiceRolePolicyForBackup"]),
        (
            "checkpoint_bucket",
            ["service-role/AWSBackupServiceRolePolicyForBackup", "AWSBackupServiceRolePolicyForS3Backup"],
        ),
    ],
)
def test_the_role_of_aws_backup_restores_nothing_and_reads_buckets_only_for_one(
    stack_of: Callable[..., Any], resource: str, policies: list[str]
) -> None:
    daily = {**BACKUP, "resources": [resource], "rules": BACKUP["rules"][:1]}
    stack = stack_of("train-trn1", "storage", {**BACKED_UP, "storage.backup": daily})
    (role,) = stack.find_resources("AWS::IAM::Role").values()
    (statement,) = role["Properties"]["AssumeRolePolicyDocument"]["Statement"]
    assert statement["Principal"] == {"Service": "backup.amazonaws.com"}
    attached = [each["Fn::Join"][1][-1] for each in role["Properties"]["ManagedPolicyArns"]]
    assert attached == [f":iam::aws:policy/{name}" for name in policies]


REPLICATION = {
    "bucket": "checkpoints-replica",
    "region": "us-east-2",
    "key_arn": "arn:aws:kms:us-east-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
}


def _replicated(stack_of: Callable[..., Any], **more: Any) -> tuple[Any, list[dict[str, Any]]]:
    """The replication configuration of the bucket, and the statements of its role."""
    edits = {"storage.checkpoint_bucket.replication": {**REPLICATION, **more}}
    stack = stack_of("train-trn1", "storage", edits)
    (bucket,) = stack.find_resources("AWS::S3::Bucket").values()
    (policy,) = stack.find_resources("AWS::IAM::Policy").values()
    return bucket["Properties"]["ReplicationConfiguration"], policy["Properties"]["PolicyDocument"]["Statement"]


def test_new_golden_checkpoints_are_replicated_with_the_key_of_the_target(stack_of: Callable[..., Any]) -> None:
    configuration, _ = _replicated(stack_of)
    assert configuration["Rules"] == [
        {
            "Id": "replicate-1",
            "Priority": 1,
            "Status": "Enabled",
            "Filter": {"Prefix": "golden/"},
            "DeleteMarkerReplication": {"Status": "Disabled"},
            "SourceSelectionCriteria": {"SseKmsEncryptedObjects": {"Status": "Enabled"}},
            "Destination": {
                "Bucket": "arn:aws:s3:::checkpoints-replica",
                "EncryptionConfiguration": {"ReplicaKmsKeyID": REPLICATION["key_arn"]},
            },
        }
    ]


def test_the_role_of_replication_reads_and_writes_the_prefixes_alone(stack_of: Callable[..., Any]) -> None:
    _, statements = _replicated(stack_of, prefixes=["golden", "release"])
    on_objects = [each for each in statements if "s3:ReplicateObject" in each["Action"]]
    assert [each["Resource"] for each in on_objects] == [
        ["arn:aws:s3:::checkpoints-replica/golden/*", "arn:aws:s3:::checkpoints-replica/release/*"]
    ]
    actions = {
        action
        for each in statements
        for action in ([each["Action"]] if isinstance(each["Action"], str) else each["Action"])
    }
    assert not {action for action in actions if "Delete" in action or "Owner" in action or "*" in action}
    encrypts, decrypts = (
        next(each for each in statements if action in each["Action"]) for action in ("kms:Encrypt", "kms:Decrypt")
    )
    assert encrypts["Resource"] == REPLICATION["key_arn"]
    assert encrypts["Condition"]["StringEquals"] == {"kms:ViaService": "s3.us-east-2.amazonaws.com"}
    assert decrypts["Condition"]["StringEquals"] == {"kms:ViaService": "s3.us-west-2.amazonaws.com"}
    assert "aws:s3:arn" in str(decrypts["Condition"]["StringLike"])


def test_copies_in_another_account_are_owned_by_it(stack_of: Callable[..., Any]) -> None:
    more = {"account": "444455556666", "delete_markers": True, "time_control": True}
    configuration, statements = _replicated(stack_of, **more)
    (rule,) = configuration["Rules"]
    destination = rule["Destination"]
    assert (destination["Account"], destination["AccessControlTranslation"]) == (
        "444455556666",
        {"Owner": "Destination"},
    )
    assert destination["ReplicationTime"] == {"Status": "Enabled", "Time": {"Minutes": 15}}
    assert rule["DeleteMarkerReplication"] == {"Status": "Enabled"}
    (actions,) = [each["Action"] for each in statements if "s3:ReplicateObject" in each["Action"]]
    assert {"s3:ObjectOwnerOverrideToBucketOwner", "s3:ReplicateDelete"} <= set(actions)


@pytest.mark.parametrize("mode", ["governance", "compliance"])
def test_object_lock_is_a_default_retention_and_none_without_the_key(stack_of: Callable[..., Any], mode: str) -> None:
    edits = {"storage.checkpoint_bucket.object_lock": {"mode": mode, "days": 7}}
    (bucket,) = stack_of("train-trn1", "storage", edits).find_resources("AWS::S3::Bucket").values()
    retention = {"Mode": mode.upper(), "Days": 7}
    assert bucket["Properties"]["ObjectLockEnabled"] is True
    assert bucket["Properties"]["ObjectLockConfiguration"] == {
        "ObjectLockEnabled": "Enabled",
        "Rule": {"DefaultRetention": retention},
    }
    assert "ObjectLock" not in str(stack_of("train-trn1", "storage").find_resources("AWS::S3::Bucket"))


def test_the_role_of_replication_reads_retentions_only_of_a_bucket_with_object_lock(
    stack_of: Callable[..., Any],
) -> None:
    edits = {
        "storage.checkpoint_bucket.replication": REPLICATION,
        "storage.checkpoint_bucket.object_lock": {"mode": "governance", "days": 7},
    }
    (policy,) = stack_of("train-trn1", "storage", edits).find_resources("AWS::IAM::Policy").values()
    locked = {"s3:GetObjectRetention", "s3:GetObjectLegalHold"}
    (reads,) = [each for each in policy["Properties"]["PolicyDocument"]["Statement"] if locked & set(each["Action"])]
    assert locked <= set(reads["Action"])
    assert "golden/*" in str(reads["Resource"])
    assert not locked & {action for each in _replicated(stack_of)[1] for action in each["Action"]}

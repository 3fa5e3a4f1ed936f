"""FSx for Lustre file systems: create, describe, delete. Each is available at once and stores nothing."""

from __future__ import annotations

import secrets
import string
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.api_errors import api_error
from local_aws.clients import partition_of
from local_aws.contract import Call
from local_aws.knowledge.rows import LustreDeployment
from local_aws.registry import operation
from local_aws.service_enis import release_interfaces
from local_aws.services.client_tokens import once_by_token
from local_aws.services.eks.names import dns_suffix_of
from local_aws.services.fsx.lustre_rules import (
    deployment_of,
    is_tiering,
    require_backups_allowed,
    require_capacity,
    require_efa,
    require_key_allowed,
    require_linkable,
    require_metadata,
    require_throughput,
    require_tiering,
    version_of,
)
from local_aws.services.fsx.network import find_subnet, hold_server_interfaces
from local_aws.services.fsx.tables import Row, associations, associations_of, file_systems, find_file_system, now
from local_aws.services.kms.key_states import key_error
from local_aws.services.paging import listing
from local_aws.services.seed_data import seed_data

LUSTRE = "LUSTRE"
SSD = "SSD"
ID_DIGITS, NAME_LENGTH = 17, 8
OWN_KEY = "alias/aws/fsx"
"""Alias of the key that FSx makes for an account with the first file system that names none; AWS manages it."""
OWN_KEY_DESCRIPTION = "Default key that protects my FSx resources when no other key is defined"


@operation("fsx", "CreateFileSystem")
@once_by_token
def create_file_system(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    lustre = given.get("LustreConfiguration", {})
    deployment = deployment_of(lustre)
    if is_tiering(given):
        require_tiering(given, lustre)
    else:
        _require_ssd(deployment, given)
    require_efa(deployment, lustre, given.get("StorageCapacity", 0))
    require_linkable(deployment, lustre)
    require_key_allowed(deployment, given.get("KmsKeyId"))
    require_backups_allowed(deployment, lustre)
    subnet = find_subnet(call, given["SubnetIds"])
    row = _new_file_system(call, deployment, subnet)
    file_system_id = row["FileSystemId"]
    row["NetworkInterfaceIds"] = hold_server_interfaces(call, file_system_id, subnet, given.get("SecurityGroupIds", []))
    file_systems(call)[file_system_id] = row
    return {"FileSystem": row}


@operation("fsx", "DescribeFileSystems")
def describe_file_systems(call: Call) -> Mapping[str, Any]:
    wanted = call.parameters.get("FileSystemIds") or list(file_systems(call))
    rows = [find_file_system(call, file_system_id) for file_system_id in wanted]
    return listing(call, "FileSystems", rows)


@operation("fsx", "DeleteFileSystem")
@once_by_token
def delete_file_system(call: Call) -> Mapping[str, Any]:
    """Deletes the file system, its interfaces and its associations."""
    row = find_file_system(call, call.parameters["FileSystemId"])
    release_interfaces(call, row["NetworkInterfaceIds"])
    for association in associations_of(call, row["FileSystemId"]):
        del associations(call)[association["AssociationId"]]
    del file_systems(call)[row["FileSystemId"]]
    return {"FileSystemId": row["FileSystemId"], "Lifecycle": "DELETING"}


def _require_ssd(deployment: LustreDeployment, given: Mapping[str, Any]) -> None:
    lustre = given.get("LustreConfiguration", {})
    if "ThroughputCapacity" in lustre or "DataReadCacheConfiguration" in lustre:
        raise api_error("fsx.only_of_tiering")
    require_capacity(deployment, given.get("StorageCapacity", 0))
    require_throughput(deployment, lustre.get("PerUnitStorageThroughput"))
    if "MetadataConfiguration" in lustre:
        require_metadata(deployment, lustre["MetadataConfiguration"])


def _new_file_system(call: Call, deployment: LustreDeployment, subnet: Mapping[str, Any]) -> Row:
    given = call.parameters
    lustre = given.get("LustreConfiguration", {})
    file_system_id = f"fs-{secrets.token_hex(ID_DIGITS)[:ID_DIGITS]}"
    version = version_of(
        deployment, given.get("FileSystemTypeVersion"), with_metadata="MetadataConfiguration" in lustre
    )
    return {
        "OwnerId": call.account,
        "CreationTime": now(),
        "FileSystemId": file_system_id,
        "FileSystemType": LUSTRE,
        "Lifecycle": "AVAILABLE",
        **({} if is_tiering(given) else {"StorageCapacity": given["StorageCapacity"]}),
        "StorageType": given.get("StorageType", SSD),
        "VpcId": subnet["VpcId"],
        "SubnetIds": [subnet["SubnetId"]],
        "DNSName": f"{file_system_id}.fsx.{call.region}.{dns_suffix_of(call.region)}",
        "KmsKeyId": _key_arn(call, given.get("KmsKeyId")),
        "ResourceARN": f"arn:{partition_of(call.region)}:fsx:{call.region}:{call.account}:file-system/{file_system_id}",
        "Tags": list(given.get("Tags", [])),
        "FileSystemTypeVersion": version,
        "NetworkType": given.get("NetworkType", "IPV4"),
        "LustreConfiguration": {
            "WeeklyMaintenanceStartTime": seed_data("fsx")["weekly_maintenance_start_time"],
            "MountName": "".join(secrets.choice(string.ascii_lowercase) for _ in range(NAME_LENGTH)),
            "DataCompressionType": "NONE",
            "EfaEnabled": False,
            "LogConfiguration": {"Level": "DISABLED"},
            **({"AutomaticBackupRetentionDays": 0, "CopyTagsToBackups": False} if deployment.durable else {}),
            **lustre,
        },
    }


def _key_arn(call: Call, key: str | None) -> str:
    """FSx tells the key by ARN; without one given it is the service's own, made on first use."""
    kms = call.client("kms")
    if key is not None:
        try:
            arn: str = kms.describe_key(KeyId=key)["KeyMetadata"]["Arn"]
        except ClientError as error:
            raise api_error("fsx.key_unusable", key=key, reason=error.response["Error"]["Message"]) from error
        if unusable := key_error(call.moto_backend("kms"), arn):
            raise api_error("fsx.key_unusable", key=key, reason=unusable.message)
        return arn
    try:
        return str(kms.describe_key(KeyId=OWN_KEY)["KeyMetadata"]["Arn"])
    except kms.exceptions.NotFoundException:
        made = kms.create_key(Description=OWN_KEY_DESCRIPTION)["KeyMetadata"]
        call.moto_backend("kms").create_alias(made["KeyId"], OWN_KEY)  # no caller may give a key such a name
        return str(made["Arn"])

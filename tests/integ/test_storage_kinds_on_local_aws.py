"""Every kind of storage in one environment: deployed, changed in place, kept by `destroy`, and deleted by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client

from .conftest import CHECKOUT

pytestmark = pytest.mark.slow
NAME = "storage-kinds"
FILE = CHECKOUT / "tests" / "fixtures" / "environments" / f"{NAME}.yaml"
EXPRESS = "  express:\n    availability_zone: usw2-az4\n"
DATASETS = "      - {name: datasets, path: /datasets}\n"
EDITS = {
    "capacity_gib: 1200": "capacity_gib: 2400",
    "noncurrent_version_days: 30": "noncurrent_version_days: 60",
    "object_lock: {mode: governance, days: 7}": "object_lock: {mode: governance, days: 14}",
    "      delete_markers: true\n": "",
    "compile_cache: {}": "compile_cache: {expire_days: 30}",
    EXPRESS: EXPRESS + "    expiration_days: 7\n",
    DATASETS: "      - {name: datasets, path: /people}\n      - {name: cache, path: /cache, uid: 2000}\n",
    "    throughput: elastic\n": "    throughput: bursting\n",
    "size_gib: 100}": "size_gib: 200}",
    "delete_after_days: 35}": "delete_after_days: 30}",
    "access: write": "access: read",
    "vault_lock: {min_days: 7,": "vault_lock: {min_days: 14,",
}
"""Edits in place, but for the access point datasets, which is replaced: no volume of the cluster mounts it."""
HOME = "      - {name: home, path: /home, uid: 2000, gid: 2000}\n"
MOVED = {"prefix: files": "prefix: people", HOME: HOME.replace("/home", "/team")}
WITHOUT_EFS = {
    f"  efs:\n    access_points:\n{HOME}": "",
    DATASETS: "",
    "    throughput: elastic\n": "",
    "lustre, efs,": "lustre,",
    "    efs: [home]\n": "",
    ", efs-home": "",
}
Write = Callable[[Mapping[str, str]], None]


@pytest.fixture
def write(project: Path) -> Write:
    """Writes the environment into the project, with these edits of its text."""

    def written(edits: Mapping[str, str]) -> None:
        text = FILE.read_text()
        for before, after in edits.items():
            assert text.count(before) == 1, before
            text = text.replace(before, after)
        (project / "environments" / FILE.name).write_text(text)

    return written


def data_of(target: LocalTarget) -> Mapping[str, set[str]]:
    """Returns resources with data by kind, with the mount targets of file systems."""
    efs, files = client(target, "efs"), client(target, "s3files")
    systems = {each["FileSystemId"] for each in efs.describe_file_systems()["FileSystems"]}
    of_bucket = {each["fileSystemId"] for each in files.list_file_systems()["fileSystems"]}
    volumes = client(target, "ec2").describe_volumes(Filters=[{"Name": "tag:Name", "Values": ["*home alice"]}])
    vaults = client(target, "backup").list_backup_vaults()["BackupVaultList"]
    buckets = {each["Name"] for each in client(target, "s3").list_buckets()["Buckets"] if each["Name"].startswith(NAME)}
    mounts = [each for one in systems for each in efs.describe_mount_targets(FileSystemId=one)["MountTargets"]]
    zones = [each for one in of_bucket for each in files.list_mount_targets(fileSystemId=one)["mountTargets"]]
    return {
        "express": (express := {each for each in buckets if each.endswith("--usw2-az4--x-s3")}),
        "buckets": buckets - express,
        "lustre": {each["FileSystemId"] for each in client(target, "fsx").describe_file_systems()["FileSystems"]},
        "efs": systems,
        "mount targets of efs": {each["MountTargetId"] for each in mounts},
        "s3 files": of_bucket,
        "zones of s3 files": {each["availabilityZoneId"] for each in zones},
        "vaults": {each["BackupVaultName"] for each in vaults},
        "homes": {each["VolumeId"] for each in volumes["Volumes"]},
    }


def access_points(target: LocalTarget) -> Mapping[str, str]:
    """Their ids by path."""
    found = client(target, "efs").describe_access_points()["AccessPoints"]
    return {each["RootDirectory"]["Path"]: each["AccessPointId"] for each in found}


def test_all_data_stays_until_it_is_deleted_by_name(
    write: Write, command: Callable[..., Any], target: LocalTarget
) -> None:
    write({})
    deployed = command("deploy", "--local", NAME)
    assert deployed.status == 0, deployed.err
    assert listed_status(command) == "complete"
    made, points, s3 = data_of(target), access_points(target), client(target, "s3")
    two = {"mount targets of efs": 2, "zones of s3 files": 2}
    assert {kind: len(found) for kind, found in made.items()} == {**dict.fromkeys(made, 1), **two}
    mounted = [each["command"] for each in deployed.document["next_steps"] if "accesspoint=" in each["command"]]
    assert [each.split()[5] for each in mounted] == [
        f"tls,accesspoint={points[path]}" for path in ("/home", "/datasets")
    ]
    (system,) = client(target, "efs").describe_file_systems()["FileSystems"]
    assert (system["Encrypted"], system["ThroughputMode"]) == (True, "elastic")
    assert client(target, "s3files").get_file_system(fileSystemId=min(made["s3 files"]))["prefix"] == "files/"
    assert command("diff", "--local", NAME).document["is_different"] is False
    express = min(made["express"])
    s3.put_object(Bucket=express, Key="step-1/model", Body=b"weights")
    s3.create_multipart_upload(Bucket=express, Key="step-2/model")

    write(EDITS)
    stopped = command("deploy", "--local", NAME)
    (error,) = [each for each in stopped.document["findings"] if each["severity"] == "error"]
    assert (stopped.status, error["id"], error["path"]) == (1, "E9049", "storage.express")
    assert "Counted: 0 of 1 object (0.0 GB) have the age" in error["message"]
    other = command("deploy", "--local", NAME, "--accept-deletion", "other")
    assert (other.status, "nothing was changed" in str(other.document["findings"])) == (1, True)
    assert data_of(target) == made
    changed = command("deploy", "--local", NAME, "--accept-deletion", NAME)
    assert changed.status == 0, changed.err
    assert data_of(target) == made
    assert command("diff", "--local", NAME).document["is_different"] is False
    assert_changed(target, made, points)

    for edits, ids in ((MOVED, {"E9001", "E9005"}), (WITHOUT_EFS, {"E9002", "E9006"})):
        write(EDITS | edits)
        rejected = command("deploy", "--local", NAME)
        assert (rejected.status, {each for each in rejected.ids if each[0] == "E"}) == (1, ids)
    assert data_of(target) == made

    write(EDITS)
    assert command("destroy", "--local", NAME).status == 0
    assert data_of(target) == made
    assert listed_status(command).startswith("destroyed, and kept with its data: 2 of ")
    destroyed = command("destroy", "--local", NAME, "--delete-data", NAME)
    assert destroyed.status == 0, destroyed.document
    assert {kind: found for kind, found in data_of(target).items() if found} == {}
    left = [each["Name"] for each in s3.list_buckets()["Buckets"]]
    assert [name for name in left if not name.startswith("cdk-")] == []


def listed_status(command: Callable[..., Any]) -> str:
    (found,) = [each for each in command("list", "--local").document["deployed"] if each["environment"] == NAME]
    assert bool(found["missing"]) == (found["status"] != "complete")
    return str(found["status"])


def assert_changed(target: LocalTarget, made: Mapping[str, set[str]], points: Mapping[str, str]) -> None:
    """The edits have arrived; of the access points those that stay are the same."""
    (lustre,) = client(target, "fsx").describe_file_systems()["FileSystems"]
    (volume,) = client(target, "ec2").describe_volumes(VolumeIds=[*made["homes"]])["Volumes"]
    assert (lustre["StorageCapacity"], volume["Size"]) == (2400, 200)
    efs = client(target, "efs")
    (system,) = efs.describe_file_systems()["FileSystems"]
    policy = efs.describe_backup_policy(FileSystemId=system["FileSystemId"])["BackupPolicy"]
    assert (system["ThroughputMode"], policy["Status"]) == ("bursting", "DISABLED")
    now = access_points(target)
    assert {*now} == {"/home", "/people", "/cache"}
    assert {*now.values()} & {*points.values()} == {points["/home"]}
    rules = client(target, "s3").get_bucket_lifecycle_configuration(Bucket=min(made["express"]))["Rules"]
    assert [each["Expiration"]["Days"] for each in rules if "Expiration" in each] == [7]

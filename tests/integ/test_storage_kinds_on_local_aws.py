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
EDITS = {
    "capacity_gib: 1200": "capacity_gib: 2400",
    "noncurrent_version_days: 30": "noncurrent_version_days: 60",
    "object_lock: {mode: governance, days: 7}": "object_lock: {mode: governance, days: 14}",
    "      delete_markers: true\n": "",
    "compile_cache: {}": "compile_cache: {expire_days: 30}",
    "      - {name: datasets, path: /datasets}\n": "",
    "size_gib: 100}": "size_gib: 200}",
    "delete_after_days: 35}": "delete_after_days: 30}",
    "access: write": "access: read",
    "vault_lock: {min_days: 7,": "vault_lock: {min_days: 14,",
}


def data_of(target: LocalTarget) -> Mapping[str, set[str]]:
    """What holds data, by kind, and the access points."""
    efs = client(target, "efs").describe_file_systems()["FileSystems"]
    files = client(target, "s3files").list_file_systems()["fileSystems"]
    volumes = client(target, "ec2").describe_volumes(Filters=[{"Name": "tag:Name", "Values": ["*home alice"]}])
    vaults = client(target, "backup").list_backup_vaults()["BackupVaultList"]
    buckets = client(target, "s3").list_buckets()["Buckets"]
    return {
        "buckets": {each["Name"] for each in buckets if each["Name"].startswith(NAME)},  # with that of S3 Express
        "lustre": {each["FileSystemId"] for each in client(target, "fsx").describe_file_systems()["FileSystems"]},
        "efs": {each["FileSystemId"] for each in efs},
        "s3 files": {each["fileSystemId"] for each in files},
        "vaults": {each["BackupVaultName"] for each in vaults},
        "homes": {each["VolumeId"] for each in volumes["Volumes"]},
    }


@pytest.fixture
def write(project: Path) -> Callable[[Mapping[str, str]], None]:
    """Writes the environment into the project, with these edits of its text."""

    def written(edits: Mapping[str, str]) -> None:
        text = FILE.read_text()
        for before, after in edits.items():
            assert text.count(before) == 1, before
            text = text.replace(before, after)
        (project / "environments" / FILE.name).write_text(text)

    return written


def test_all_data_stays_until_it_is_deleted_by_name(
    write: Callable[[Mapping[str, str]], None], command: Callable[..., Any], target: LocalTarget
) -> None:
    write({})
    deployed = command("deploy", "--local", NAME)
    assert deployed.status == 0, deployed.err
    made = data_of(target)
    assert {kind: len(found) for kind, found in made.items()} == {**dict.fromkeys(made, 1), "buckets": 2}
    assert command("diff", "--local", NAME).document["is_different"] is False

    write(EDITS)
    changed = command("deploy", "--local", NAME)
    assert changed.status == 0, changed.err
    assert data_of(target) == made
    assert command("diff", "--local", NAME).document["is_different"] is False
    (lustre,) = client(target, "fsx").describe_file_systems()["FileSystems"]
    (volume,) = client(target, "ec2").describe_volumes(VolumeIds=[*made["homes"]])["Volumes"]
    assert (lustre["StorageCapacity"], volume["Size"]) == (2400, 200)

    write({})
    assert command("destroy", "--local", NAME).status == 0
    assert data_of(target) == made
    destroyed = command("destroy", "--local", NAME, "--delete-data", NAME)
    assert destroyed.status == 0, destroyed.document
    assert {kind: found for kind, found in data_of(target).items() if found} == {}

"""A file system of S3 Files: deployed, kept by `destroy`, and deleted by name before the bucket that it writes to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client

from .only_data import ONLY_DATA, with_only_data

pytestmark = pytest.mark.slow

WITH_FILES = ONLY_DATA.replace("  lustre: {availability_zone: usw2-az4, capacity_gib: 1200}\n", "  s3_files: {}\n")


@pytest.mark.exhaustive
def test_it_stays_over_its_prefix_and_is_deleted_by_name_alone(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    def deployed(text: str) -> Any:
        with_only_data(project, text)
        return command("deploy", "--local", "only-data")

    files = client(target, "s3files")
    made = deployed(WITH_FILES)
    assert made.status == 0, made.document
    (system,) = files.list_file_systems()["fileSystems"]
    identity = system["fileSystemId"]
    assert files.get_file_system(fileSystemId=identity)["prefix"] == "files/"
    targets = files.list_mount_targets(fileSystemId=identity)["mountTargets"]
    assert len({each["availabilityZoneId"] for each in targets}) == len(targets) == 2
    (point,) = files.list_access_points(fileSystemId=identity)["accessPoints"]
    assert (point["rootDirectory"]["path"], point["posixUser"]["uid"]) == ("/pods", 1000)

    moved = deployed(WITH_FILES.replace("s3_files: {}", "s3_files: {prefix: people}"))
    assert moved.status == 1
    assert "E9001" in {each["id"] for each in moved.document["findings"]}

    with_only_data(project, WITH_FILES)
    assert command("destroy", "--local", "only-data").status == 0
    assert files.get_file_system(fileSystemId=identity)["fileSystemId"] == identity
    destroyed = command("destroy", "--local", "only-data", "--delete-data", "only-data")
    assert destroyed.status == 0, destroyed.document
    assert files.list_file_systems()["fileSystems"] == []
    left = [each["Name"] for each in client(target, "s3").list_buckets()["Buckets"]]
    assert [name for name in left if not name.startswith("cdk-")] == []

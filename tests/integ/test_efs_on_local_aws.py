"""An EFS file system: deployed, changed in place, kept by `destroy`, and deleted by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client

from .only_data import ONLY_DATA, with_only_data

pytestmark = pytest.mark.slow

HOME = "{name: home, path: /home}"
WITH_EFS = ONLY_DATA.replace(
    "  lustre: {availability_zone: usw2-az4, capacity_gib: 1200}\n", f"  efs: {{access_points: [{HOME}]}}\n"
)


def test_it_is_changed_in_place_and_its_data_is_deleted_by_name_alone(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    def deployed(text: str) -> Any:
        with_only_data(project, text)
        return command("deploy", "--local", "only-data")

    efs = client(target, "efs")
    made = deployed(WITH_EFS)
    assert made.status == 0, made.document
    (system,) = efs.describe_file_systems()["FileSystems"]
    identity = {"FileSystemId": system["FileSystemId"]}
    assert (system["Encrypted"], system["ThroughputMode"]) == (True, "elastic")
    assert len(efs.describe_mount_targets(**identity)["MountTargets"]) == 2
    (point,) = efs.describe_access_points(**identity)["AccessPoints"]
    steps = [each for each in made.document["next_steps"] if point["AccessPointId"] in each["command"]]
    assert [each["command"].split()[5] for each in steps] == [f"tls,accesspoint={point['AccessPointId']}"]

    grown = WITH_EFS.replace(HOME, f"{HOME}, {{name: cache, path: /cache, uid: 2000}}").replace(
        "efs: {", "efs: {throughput: bursting, backup: true, "
    )
    assert deployed(grown).status == 0
    (system,) = efs.describe_file_systems()["FileSystems"]
    assert (system["FileSystemId"], system["ThroughputMode"]) == (identity["FileSystemId"], "bursting")
    assert efs.describe_backup_policy(**identity)["BackupPolicy"]["Status"] == "ENABLED"
    points = {each["AccessPointId"] for each in efs.describe_access_points(**identity)["AccessPoints"]}
    assert (len(points), point["AccessPointId"] in points) == (2, True)

    # Nothing mounts it through a volume of a cluster: the access point alone is replaced.
    assert deployed(WITH_EFS.replace("path: /home", "path: /people")).status == 0
    (moved,) = efs.describe_access_points(**identity)["AccessPoints"]
    assert (moved["RootDirectory"]["Path"], moved["AccessPointId"] in points) == ("/people", False)

    without = deployed(ONLY_DATA.replace("  lustre: {availability_zone: usw2-az4, capacity_gib: 1200}\n", ""))
    assert without.status == 1
    assert "E9002" in {each["id"] for each in without.document["findings"]}

    with_only_data(project, WITH_EFS)
    assert command("destroy", "--local", "only-data").status == 0
    assert len(efs.describe_mount_targets(**identity)["MountTargets"]) == 2
    destroyed = command("destroy", "--local", "only-data", "--delete-data", "only-data")
    assert destroyed.status == 0, destroyed.document
    assert efs.describe_file_systems()["FileSystems"] == []

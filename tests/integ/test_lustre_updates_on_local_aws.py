"""A second update of one setting of a file system is stopped before it is deployed, and possible after some hours."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client

from .conftest import ACCOUNT, REGION
from .only_data import ONLY_DATA, with_only_data

pytestmark = pytest.mark.slow


def file_system(target: LocalTarget) -> dict[str, Any]:
    (row,) = client(target, "fsx").describe_file_systems()["FileSystems"]
    return dict(row)


@pytest.mark.exhaustive
@pytest.mark.hints("E9549")
def test_the_second_one_waits_for_the_hours_and_another_setting_does_not(
    project: Path, command: Callable[..., Any], target: LocalTarget, local_aws: LocalAws
) -> None:
    """The maintenance window moves in place in the same deploys, and stays without its key."""

    def deployed(keys: str) -> Any:
        with_only_data(project, ONLY_DATA.replace("capacity_gib: 1200", keys))
        return command("deploy", "--local", "only-data")

    assert deployed("capacity_gib: 1200").status == 0
    made = file_system(target)["FileSystemId"]
    assert deployed('capacity_gib: 2400, maintenance_window: "7:03:30"').status == 0
    assert file_system(target)["LustreConfiguration"]["WeeklyMaintenanceStartTime"] == "7:03:30"

    stopped = deployed('capacity_gib: 4800, maintenance_window: "7:03:30"')
    row = file_system(target)
    assert (stopped.status, stopped.ids, row["StorageCapacity"]) == (1, ["E9549"], 2400)
    (finding,) = stopped.document["findings"]
    allowed = row["AdministrativeActions"][0]["RequestTime"] + timedelta(hours=6)
    assert f"{allowed:%Y-%m-%d %H:%M} UTC" in finding["message"]
    assert (finding["path"], "capacity_gib" in finding["hint"]) == ("storage.lustre", True)
    compared = command("diff", "--local", "only-data")
    assert (compared.status, [each for each in compared.document["findings"] if each["id"] == "E9549"]) == (
        1,
        [finding],
    )

    faster = "capacity_gib: 2400, throughput_mbps_per_tib: 250"
    moved = f'{faster}, maintenance_window: "3:12:00"'
    with_only_data(project, ONLY_DATA.replace("capacity_gib: 1200", moved))
    assert "E9549" not in command("diff", "--local", "only-data").ids
    assert deployed(moved).status == 0
    assert file_system(target)["LustreConfiguration"]["WeeklyMaintenanceStartTime"] == "3:12:00"

    table = local_aws.store.table(ACCOUNT, REGION, "fsx.file_systems")
    for action in table[made]["AdministrativeActions"]:
        action["RequestTime"] -= timedelta(hours=6)
    assert deployed(faster.replace("2400", "4800")).status == 0
    grown = file_system(target)
    assert (grown["FileSystemId"], grown["StorageCapacity"]) == (made, 4800)
    assert grown["LustreConfiguration"]["WeeklyMaintenanceStartTime"] == "3:12:00"

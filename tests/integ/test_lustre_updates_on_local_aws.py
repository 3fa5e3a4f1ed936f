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


def capacity(target: LocalTarget) -> int:
    (row,) = client(target, "fsx").describe_file_systems()["FileSystems"]
    return int(row["StorageCapacity"])


@pytest.mark.hints("E9549")
def test_the_second_one_waits_for_the_hours_and_another_setting_does_not(
    project: Path, command: Callable[..., Any], target: LocalTarget, local_aws: LocalAws
) -> None:
    for gib in (1200, 2400):
        with_only_data(project, ONLY_DATA.replace("capacity_gib: 1200", f"capacity_gib: {gib}"))
        assert command("deploy", "--local", "only-data").status == 0

    with_only_data(project, ONLY_DATA.replace("capacity_gib: 1200", "capacity_gib: 4800"))
    stopped = command("deploy", "--local", "only-data")
    assert (stopped.status, stopped.ids, capacity(target)) == (1, ["E9549"], 2400)
    (finding,) = stopped.document["findings"]
    (row,) = client(target, "fsx").describe_file_systems()["FileSystems"]
    allowed = row["AdministrativeActions"][0]["RequestTime"] + timedelta(hours=6)
    assert f"{allowed:%Y-%m-%d %H:%M} UTC" in finding["message"]
    assert (finding["path"], "capacity_gib" in finding["hint"]) == ("storage.lustre", True)
    compared = command("diff", "--local", "only-data")
    assert (compared.status, [each for each in compared.document["findings"] if each["id"] == "E9549"]) == (
        1,
        [finding],
    )

    faster = "capacity_gib: 2400, throughput_mbps_per_tib: 250"
    with_only_data(project, ONLY_DATA.replace("capacity_gib: 1200", faster))
    assert "E9549" not in command("diff", "--local", "only-data").ids
    assert command("deploy", "--local", "only-data").status == 0

    table = local_aws.store.table(ACCOUNT, REGION, "fsx.file_systems")
    for action in table[row["FileSystemId"]]["AdministrativeActions"]:
        action["RequestTime"] -= timedelta(hours=6)
    with_only_data(project, ONLY_DATA.replace("capacity_gib: 1200", faster.replace("2400", "4800")))
    assert command("deploy", "--local", "only-data").status == 0
    assert capacity(target) == 4800


def test_the_maintenance_window_moves_in_place_and_stays_without_its_key(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    """Of the grown file system, where the other test has run; else of a new one."""
    seen = []
    for key in (', maintenance_window: "7:03:30"', ', maintenance_window: "3:12:00"', ""):
        grown = f"capacity_gib: 4800, throughput_mbps_per_tib: 250{key}"
        with_only_data(project, ONLY_DATA.replace("capacity_gib: 1200", grown))
        assert command("deploy", "--local", "only-data").status == 0
        (row,) = client(target, "fsx").describe_file_systems()["FileSystems"]
        seen.append((row["FileSystemId"], row["LustreConfiguration"]["WeeklyMaintenanceStartTime"]))
    assert len({file_system_id for file_system_id, _ in seen}) == 1
    assert [window for _, window in seen] == ["7:03:30", "3:12:00", "3:12:00"]

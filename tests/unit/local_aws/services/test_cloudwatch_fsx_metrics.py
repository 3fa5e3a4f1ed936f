"""FSx publishes the free capacity of a file system to CloudWatch."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from local_aws.server import LocalAws
from local_aws.services.cloudwatch.fsx_metrics import fill

from .conftest import ACCOUNT, REGION

Clients = Callable[[str], Any]
FREE = "FreeDataStorageCapacity"


def newest(client: Clients, file_system_id: str) -> list[float]:
    metric = {
        "Namespace": "AWS/FSx",
        "MetricName": FREE,
        "Dimensions": [{"Name": "FileSystemId", "Value": file_system_id}],
    }
    now = datetime.now(UTC)
    answer = client("cloudwatch").get_metric_data(
        MetricDataQueries=[{"Id": "free", "MetricStat": {"Metric": metric, "Period": 60, "Stat": "Sum"}}],
        StartTime=now - timedelta(minutes=15),
        EndTime=now,
        ScanBy="TimestampDescending",
    )
    found: list[float] = answer["MetricDataResults"][0]["Values"]
    return found


def new_file_system(client: Clients, subnet: str) -> str:
    made = client("fsx").create_file_system(
        FileSystemType="LUSTRE",
        StorageCapacity=1200,
        SubnetIds=[subnet],
        LustreConfiguration={"DeploymentType": "SCRATCH_2"},
    )
    return str(made["FileSystem"]["FileSystemId"])


def test_a_file_system_without_files_has_its_capacity_free(client: Clients, ground: Any) -> None:
    system = new_file_system(client, ground.subnets[0])
    assert newest(client, system) == [1200 * 2**30]


def test_the_free_capacity_is_what_a_test_leaves_of_it(local_aws: LocalAws, client: Clients, ground: Any) -> None:
    system = new_file_system(client, ground.subnets[0])
    newest(client, system)
    fill(local_aws.store, ACCOUNT, REGION, system, 95)
    assert newest(client, system) == [60 * 2**30]


def test_an_unknown_file_system_publishes_nothing(client: Clients, account: str) -> None:
    assert newest(client, "fs-0123456789abcdef0") == []

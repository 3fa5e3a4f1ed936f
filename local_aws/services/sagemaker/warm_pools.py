"""Warm pools of training jobs: instances that a job leaves, and a like job takes.

Source: https://docs.aws.amazon.com/sagemaker/latest/dg/train-warm-pools.html. The greatest age of a pool, 28 days, and
session tags are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.quotas import counted_value, quota_named
from local_aws.services.sagemaker.job_rows import (
    END,
    ENDED,
    KEEP_ALIVE,
    LENGTHS,
    PLAN,
    POOL,
    SPOT,
    STARTED,
    STATUS,
    Row,
    instances_of,
    jobs,
)

AVAILABLE, IN_USE, REUSED, TERMINATED = "Available", "InUse", "Reused", "Terminated"
SAME = ("RoleArn", "VpcConfig", "EnableInterContainerTrafficEncryption", "EnableNetworkIsolation", SPOT)
SAME_OF_RESOURCES = ("InstanceCount", "InstanceType", "VolumeKmsKeyId", "VolumeSizeInGB", PLAN)
"""The values that a job and the job before it have in common; inferred: Spot and the plan."""


def pool_status(row: Mapping[str, Any], moment: datetime) -> Row | None:
    """The warm pool of a job as DescribeTrainingJob returns it; None for a job that has none."""
    if row[STATUS] not in ENDED:
        return {"Status": IN_USE} if keep_alive(row) and STARTED in row else None
    pool = row.get(POOL)
    if pool is None:
        return None
    if not pool["is_kept"]:
        return {"Status": TERMINATED}
    if moment < pool["until"]:
        return {"Status": AVAILABLE}
    billable = {"ResourceRetainedBillableTimeInSeconds": int((pool["until"] - row[END]).total_seconds())}
    if "reused_by" in pool:
        return {"Status": REUSED, **billable, "ReusedByJob": pool["reused_by"]}
    return {"Status": TERMINATED, **billable}


def keep_alive(row: Mapping[str, Any]) -> int:
    """Seconds for which the job's instances are kept after it; 0 for a job without a warm pool."""
    return int(row["ResourceConfig"].get(KEEP_ALIVE) or 0)


def available_pools(call: Call, moment: datetime) -> Iterator[Row]:
    """The jobs whose warm pools wait for another job."""
    for row in jobs(call):
        status = pool_status(row, moment)
        if status is not None and status["Status"] == AVAILABLE:
            yield row


def pool_for(call: Call, row: Mapping[str, Any], moment: datetime) -> Row | None:
    """The job whose warm pool a job can take; None without one."""
    return next((each for each in available_pools(call, moment) if _signature(each) == _signature(row)), None)


def take_instances(call: Call, row: Row, moment: datetime) -> None:
    """The job runs on the warm pool of a like job where there is one, which takes no time to prepare."""
    found = pool_for(call, row, moment)
    if found is not None:
        found[POOL] |= {"reused_by": row["TrainingJobName"], "until": moment}
        row[LENGTHS] = {**row[LENGTHS], "Starting": timedelta()}


def keep_instances(call: Call, row: Row, moment: datetime) -> None:
    """The job leaves a warm pool, if it asks for one and the quota of warm pools has room for it.

    Source: https://docs.aws.amazon.com/sagemaker/latest/dg/train-warm-pools-resource-limits.html
    """
    if keep_alive(row):
        is_kept = all(_is_within_quota(call, name, count, moment) for name, count in instances_of(row).items())
        row[POOL] = {"is_kept": is_kept, "until": moment + timedelta(seconds=keep_alive(row))}


def change_keep_alive(row: Row, seconds: int) -> None:
    """The job keeps its instances for another time, which counts from its end; 0 ends the pool."""
    row["ResourceConfig"] = {**row["ResourceConfig"], KEEP_ALIVE: seconds}
    if POOL in row:
        row[POOL]["until"] = max(CLOCK.now(), row[END] + timedelta(seconds=seconds))


def _is_within_quota(call: Call, instance_type: str, count: int, moment: datetime) -> bool:
    quota = quota_named("sagemaker", f"{instance_type} for training warm pool usage")
    if quota is None:
        return True
    kept = sum(instances_of(row).get(instance_type, 0) for row in available_pools(call, moment))
    return kept + count <= counted_value(call.store, call.account, call.region, quota)


def _signature(row: Mapping[str, Any]) -> list[Any]:
    resources = row["ResourceConfig"]
    return [*(row.get(name) for name in SAME), *(resources.get(name) for name in SAME_OF_RESOURCES)]

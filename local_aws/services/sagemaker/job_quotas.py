"""Quotas of training jobs: instances of a type, On-Demand and Spot apart; warm pools count as On-Demand.

Source: https://docs.aws.amazon.com/sagemaker/latest/dg/train-warm-pools-resource-limits.html has it of warm pools;
inferred: that instances of training plans do not count, and that jobs count which wait.
"""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.quotas import counted_quotas, counted_value, quota_named
from local_aws.services.sagemaker.job_rows import ENDED, SPOT, STATUS, Row, instances_of, jobs, plan_of
from local_aws.services.sagemaker.warm_pools import available_pools, pool_for


def require_quotas(call: Call, row: Row) -> None:
    """Raises ServiceError for a job whose instances are more than a quota allows."""
    if plan_of(row) is not None or pool_for(call, row, CLOCK.now()) is not None:
        return
    for name, count in instances_of(row).items():
        quota = quota_named("sagemaker", f"{name} for {'spot ' if row[SPOT] else ''}training job usage")
        if quota is None:
            continue
        limit = int(counted_value(call.store, call.account, call.region, quota))
        used = sum(instances_of(each).get(name, 0) for each in _counted(call, is_spot=row[SPOT]))
        if used + count > limit:
            title = counted_quotas()[quota].name
            raise api_error("sagemaker.job_limit", name=title, limit=limit, used=used, wanted=count)


def _counted(call: Call, *, is_spot: bool) -> Iterator[Row]:
    """The jobs that count against the quotas of On-Demand instances, or of Spot instances."""
    for row in jobs(call):
        if row[STATUS] not in ENDED and plan_of(row) is None and row[SPOT] == is_spot:
            yield row
    if not is_spot:
        yield from available_pools(call, CLOCK.now())

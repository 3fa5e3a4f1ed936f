"""ListTrainingJobs: filters, order and pages.

Source: https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ListTrainingJobs.html: a page is cut before
StatusEquals filters it. Inferred: the number of jobs in a page of a request without MaxResults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.paging import listing
from local_aws.services.sagemaker.job_rows import CHANGED, CREATED, STATUS, Row, jobs, plan_of
from local_aws.services.sagemaker.warm_pools import pool_status

SUMMARIES = "TrainingJobSummaries"
PAGE = 10
MEMBERS = ("TrainingJobName", "TrainingJobArn", "CreationTime", "TrainingEndTime", "LastModifiedTime", STATUS)
FILTERS: Mapping[str, Callable[[Row, Any], bool]] = {
    "NameContains": lambda row, text: text in row["TrainingJobName"],
    "CreationTimeAfter": lambda row, moment: row[CREATED] > moment,
    "CreationTimeBefore": lambda row, moment: row[CREATED] < moment,
    "LastModifiedTimeAfter": lambda row, moment: row[CHANGED] > moment,
    "LastModifiedTimeBefore": lambda row, moment: row[CHANGED] < moment,
    "TrainingPlanArnEquals": lambda row, arn: plan_of(row) == arn,
}
KEYS = {"Name": "TrainingJobName", "CreationTime": CREATED, "Status": STATUS}


@operation("sagemaker", "ListTrainingJobs")
def list_training_jobs(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    rows = [
        row for row in jobs(call) if all(keeps(row, given[name]) for name, keeps in FILTERS.items() if name in given)
    ]
    if wanted := given.get("WarmPoolStatusEquals"):
        rows = [row for row in rows if (pool_status(row, CLOCK.now()) or {}).get("Status") == wanted]
    key = KEYS[given.get("SortBy", "CreationTime")]
    rows.sort(key=lambda row: row[key], reverse=given.get("SortOrder") == "Descending")
    page = listing(call, SUMMARIES, [_summary(row) for row in rows], PAGE)
    if status := given.get("StatusEquals"):
        page[SUMMARIES] = [row for row in page[SUMMARIES] if row[STATUS] == status]
    return page


def _summary(row: Row) -> Row:
    plan, pool = plan_of(row), pool_status(row, CLOCK.now())
    return {
        **{member: row[member] for member in (*MEMBERS, "SecondaryStatus") if member in row},
        **({"TrainingPlanArn": plan} if plan else {}),
        **({"WarmPoolStatus": pool} if pool else {}),
    }

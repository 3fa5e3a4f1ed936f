"""Training jobs go through their phases without a request: what is due is done before anybody looks."""

from __future__ import annotations

from msgspec.structs import replace

from local_aws.contract import Call
from local_aws.registry import guard
from local_aws.services.sagemaker.due_changes import OPERATIONS as OF_CLUSTERS
from local_aws.services.sagemaker.job_phases import advance

OF_JOBS = (
    "CreateTrainingJob",
    "DeleteTrainingJob",
    "DescribeTrainingJob",
    "ListTrainingJobs",
    "StopTrainingJob",
    "UpdateTrainingJob",
)
OF_PLANS = ("DescribeTrainingPlan", "ExtendTrainingPlan", "ListTrainingPlans")


@guard("sagemaker", *OF_JOBS, *OF_PLANS, "CreateCluster", *OF_CLUSTERS, first=True)
def advance_jobs(call: Call) -> None:
    """Also of plans and clusters, which share instances with jobs."""
    advance(call)


@guard("logs", "DescribeLogGroups", "DescribeLogStreams", "FilterLogEvents", "GetLogEvents", first=True)
def write_lines_of_jobs(call: Call) -> None:
    """A job writes to its log streams when its phases change."""
    advance(replace(call, service="sagemaker"))

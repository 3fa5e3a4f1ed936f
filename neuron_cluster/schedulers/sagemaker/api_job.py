"""How a training job is followed by its name."""

from __future__ import annotations

from neuron_cluster.plan.team import TEAM_TAG
from neuron_cluster.protocol.submission import ApiJob, Call, JobListing
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import JOB_TAG

LOG_GROUP = "/aws/sagemaker/TrainingJobs"
"""Source: https://docs.aws.amazon.com/sagemaker/latest/dg/logging-cloudwatch.html."""

TRAINING_JOB = ApiJob(
    describe=Call(service="sagemaker", operation="describe_training_job", taken={"TrainingJobName": "id"}),
    state="TrainingJobStatus",
    active_states=("InProgress",),
    listing=JobListing(
        calls=tuple(
            Call(
                service="sagemaker",
                operation="list_training_jobs",
                parameters={"StatusEquals": status, "SortBy": "CreationTime", "SortOrder": "Descending"},
            )
            for status in ("InProgress", "Stopping")
        ),
        rows="TrainingJobSummaries",
        id="TrainingJobName",
        next_page="NextToken",
        tags=Call(service="sagemaker", operation="list_tags", taken={"ResourceArn": "job.TrainingJobArn"}),
        columns={
            "training_job": "job.TrainingJobName",
            "job": f'tags."{JOB_TAG}"',
            "team": f'tags."{TEAM_TAG}"',
            "state": "job.SecondaryStatus",
            "created": "job.CreationTime",
        },
    ),
    details={
        "secondary_status": "SecondaryStatus",
        "message": "SecondaryStatusTransitions[-1].StatusMessage",
        "failure_reason": "FailureReason",
        "billable_seconds": "BillableTimeInSeconds",
        "checkpoints": "CheckpointConfig.S3Uri",
    },
    stop=Call(service="sagemaker", operation="stop_training_job", taken={"TrainingJobName": "id"}),
    logs=Call(
        service="logs",
        operation="filter_log_events",
        parameters={"logGroupName": LOG_GROUP},
        taken={"logStreamNamePrefix": "join('', [id, '/'])"},
    ),
    lines="events[].message",
    next_page="nextToken",
)

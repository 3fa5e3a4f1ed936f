"""Log streams of training jobs: one for each host, which says what a container would have run.

The names of the group and of its streams are those of
https://docs.aws.amazon.com/sagemaker/latest/dg/logging-cloudwatch.html. No container runs, so that all lines are those
of this local AWS.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from local_aws.contract import Call
from local_aws.services.sagemaker.job_rows import END, STARTED, Row, instances_of

GROUP = "/aws/sagemaker/TrainingJobs"
LOG_STREAMS = "log_streams"
"""The member of a job that has the names of its streams."""
DEFAULT_COMMAND = "train"
"""The argument with which SageMaker starts an image without an entry point in the request:
https://docs.aws.amazon.com/sagemaker/latest/dg/your-algorithms-training-algo-dockerfile.html"""
NO_CONTAINER = (
    "The local AWS runs no container: nothing is trained, and neither checkpoints nor a model artifact are written."
)


def write_start(call: Call, row: Row, moment: datetime) -> None:
    """Makes the stream of each host, with what its container is started with."""
    hosts = sum(instances_of(row).values())
    row[LOG_STREAMS] = [
        f"{row['TrainingJobName']}/algo-{number}-{int(moment.timestamp())}" for number in range(1, hosts + 1)
    ]
    algorithm = row["AlgorithmSpecification"]
    image = algorithm.get("TrainingImage") or algorithm["AlgorithmName"]
    _write(call, row, moment, [f"Starting {image} with: {_command(algorithm)}", NO_CONTAINER])


def write_sigterm(call: Call, row: Row, moment: datetime, wait: timedelta) -> None:
    """Notes the signal on each host."""
    _write(call, row, moment, [f"SIGTERM: the job ends in {int(wait.total_seconds())} seconds."])


def write_end(call: Call, row: Row, moment: datetime) -> None:
    """Notes the end of the job on each host."""
    seconds = int((row[END] - row[STARTED]).total_seconds())
    _write(call, row, moment, [f"The job has ended as {row['SecondaryStatus']} after {seconds} seconds."])


def _command(algorithm: Mapping[str, Any]) -> str:
    entry_point = algorithm.get("ContainerEntrypoint", [])
    arguments = algorithm.get("ContainerArguments", [])
    return shlex.join([*entry_point, *arguments]) or DEFAULT_COMMAND


def _write(call: Call, row: Row, moment: datetime, lines: Iterable[str]) -> None:
    """Writes past PutLogEvents, which compares the times of events with that of the machine."""
    logs = call.moto_backend("logs")
    logs.ensure_log_group(GROUP)
    group = logs.groups[GROUP]
    events = [{"timestamp": int(moment.timestamp() * 1000), "message": line} for line in lines]
    for name in row.get(LOG_STREAMS, []):
        if name not in group.streams:
            group.create_log_stream(name)
        group.put_log_events(name, events)

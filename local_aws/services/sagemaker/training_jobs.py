"""Training jobs: created, described, listed, stopped, changed and deleted.

No container runs: a job has the states, times and log streams of one, and S3 gets neither checkpoints nor a model
artifact. How long it trains, ``DELAYS`` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clients import partition_of
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.sagemaker.job_phases import begin, stop
from local_aws.services.sagemaker.job_quotas import require_quotas
from local_aws.services.sagemaker.job_rows import (
    CREATED,
    ENDED,
    IN_PROGRESS,
    JOBS,
    LENGTHS,
    LOOKED_AT,
    SPOT,
    STATUS,
    TRANSITIONS,
    Row,
    find_job,
    jobs,
    lengths,
)
from local_aws.services.sagemaker.warm_pools import AVAILABLE, IN_USE, change_keep_alive, pool_status
from local_aws.services.table_parts import has_tags
from local_aws.services.table_rows import TAGS, as_map, projected, shape_of

DEFAULT_MAX_RUNTIME = 24 * 60 * 60
"""botocore 1.44.5, sagemaker StoppingCondition: one day."""
DEFAULTS = {"EnableNetworkIsolation": False, "EnableInterContainerTrafficEncryption": False, SPOT: False}
UNCOMPRESSED = "NONE"


@operation("sagemaker", "CreateTrainingJob")
def create_training_job(call: Call) -> Mapping[str, Any]:
    """A job has all that the request has, and what SageMaker adds."""
    rows, row = call.table(JOBS), _new_job(call)
    name = row["TrainingJobName"]
    if name in rows:
        raise api_error("sagemaker.job_exists", arn=rows[name]["TrainingJobArn"])
    require_quotas(call, row)
    begin(call, row)
    rows[name] = row
    return {"TrainingJobArn": row["TrainingJobArn"]}


def _new_job(call: Call) -> Row:
    given, now = dict(call.parameters), CLOCK.now()
    tags, name = as_map(given.pop("Tags", [])), given["TrainingJobName"]
    return {
        **DEFAULTS,
        **given,
        "TrainingJobArn": f"arn:{partition_of(call.region)}:sagemaker:{call.region}:{call.account}:training-job/{name}",
        "StoppingCondition": {"MaxRuntimeInSeconds": DEFAULT_MAX_RUNTIME, **given.get("StoppingCondition", {})},
        "ModelArtifacts": {"S3ModelArtifacts": _artifact(name, given["OutputDataConfig"])},
        CREATED: now,
        TRANSITIONS: [],
        TAGS: tags,
        LENGTHS: lengths(),
        LOOKED_AT: now,
    }


def _artifact(name: str, output: Mapping[str, Any]) -> str:
    """Where SageMaker would put the model; here nothing is there. Inferred: the place of one that is not compressed."""
    end = "model/" if output.get("CompressionType") == UNCOMPRESSED else "model.tar.gz"
    return f"{output['S3OutputPath'].rstrip('/')}/{name}/output/{end}"


@operation("sagemaker", "DescribeTrainingJob")
def describe_training_job(call: Call) -> Mapping[str, Any]:
    row = find_job(call)
    pool = pool_status(row, CLOCK.now())
    return projected({**row, **({"WarmPoolStatus": pool} if pool else {})}, shape_of(call, "output_shape"))


@operation("sagemaker", "StopTrainingJob")
def stop_training_job(call: Call) -> Mapping[str, Any]:
    row = find_job(call)
    if row[STATUS] != IN_PROGRESS:
        raise api_error("sagemaker.job_status", status=row[STATUS])
    stop(call, row, CLOCK.now())
    return {}


@operation("sagemaker", "UpdateTrainingJob")
def update_training_job(call: Call) -> Mapping[str, Any]:
    """The time for which the job's instances are kept, while they are not gone; other members change nothing here."""
    row, given = find_job(call), call.parameters
    if "ResourceConfig" in given:
        pool = pool_status(row, CLOCK.now())
        if pool is None or pool["Status"] not in (IN_USE, AVAILABLE):
            raise api_error("sagemaker.no_warm_pool", name=row["TrainingJobName"])
        change_keep_alive(row, given["ResourceConfig"]["KeepAlivePeriodInSeconds"])
    return {"TrainingJobArn": row["TrainingJobArn"]}


@operation("sagemaker", "DeleteTrainingJob")
def delete_training_job(call: Call) -> Mapping[str, Any]:
    row = find_job(call)
    pool = pool_status(row, CLOCK.now())
    if row[STATUS] not in ENDED or (pool is not None and pool["Status"] == AVAILABLE):
        raise api_error("sagemaker.job_in_use", name=row["TrainingJobName"])
    del call.table(JOBS)[row["TrainingJobName"]]
    return {}


has_tags("sagemaker", "TrainingJobArn")(jobs)

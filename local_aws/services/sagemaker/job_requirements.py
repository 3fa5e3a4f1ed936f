"""Requirements of a training job outside of its request: buckets, input objects, its network and training plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.knowledge.current import knowledge
from local_aws.registry import guard
from local_aws.services.sagemaker.job_rows import instances_of, plan_of
from local_aws.services.sagemaker.plan_rows import CAPACITIES, USABLE, find_plan, status_of

TARGET = "training-job"
ADDRESSES, ADDRESSES_WITH_EFA = 2, 5
"""Private addresses of an instance: https://docs.aws.amazon.com/sagemaker/latest/dg/train-vpc.html"""
S3 = "s3://"

Request = Mapping[str, Any]


@guard("sagemaker", "CreateTrainingJob", last=True)
def require_resources_of_job(call: Call) -> None:
    """Raises ServiceError for a job that has not what it needs; in reality a job may be created and fail then."""
    given = call.parameters
    _require_own_key(given)
    for uri in _written_uris(given):
        if not _exists(call, uri):
            raise api_error("sagemaker.job_bucket", bucket=_place(uri)[0], uri=uri)
    for uri in _read_uris(given):
        if not _has_objects(call, uri):
            bucket = _place(uri)[0]
            raise api_error("sagemaker.job_input", uri=uri, region=call.region, role=given["RoleArn"], bucket=bucket)
    if network := given.get("VpcConfig"):
        _require_network(call, network)
    if plan_of(given) is not None:
        _require_plan(call)


def _require_own_key(given: Request) -> None:
    """Instances with an instance store encrypt it themselves, so that such a job has no key for its volume."""
    with_store = [name for name in instances_of(given) if _fact(name, "local_storage_gb")]
    if with_store and given["ResourceConfig"].get("VolumeKmsKeyId"):
        raise api_error("sagemaker.job_volume_key", type_name=with_store[0])


def _fact(name: str, member: str) -> int:
    """A number of the catalog's row of the type; 0 for a type that it has not, and where no source states it."""
    row = knowledge().instance_types.get(name.removeprefix("ml."))
    return getattr(row, member) or 0 if row is not None else 0


def _written_uris(given: Request) -> Iterator[str]:
    """Where the job would write to."""
    checkpoints = given.get("CheckpointConfig", {}).get("S3Uri")
    yield from (uri for uri in (given["OutputDataConfig"]["S3OutputPath"], checkpoints) if uri)


def _read_uris(given: Request) -> Iterator[str]:
    """Objects that the job would read, as far as they are in S3."""
    for channel in given.get("InputDataConfig", []):
        if source := channel["DataSource"].get("S3DataSource"):
            yield source["S3Uri"]


def _place(uri: str) -> tuple[str, str]:
    """Bucket and key, or prefix, of an URI."""
    bucket, _, key = uri.removeprefix(S3).partition("/")
    return bucket, key


def _exists(call: Call, uri: str) -> bool:
    """Whether the bucket is there; what has another form than ``s3://`` is not looked at."""
    if not uri.startswith(S3):
        return True
    try:
        call.client("s3").head_bucket(Bucket=_place(uri)[0])
    except ClientError:
        return False
    return True


def _has_objects(call: Call, uri: str) -> bool:
    """Whether there is an object whose key begins so."""
    bucket, prefix = _place(uri)
    if not _exists(call, uri) or not uri.startswith(S3):
        return not uri.startswith(S3)
    return bool(call.client("s3").list_objects_v2(Bucket=bucket, Prefix=prefix, MaxKeys=1)["KeyCount"])


def _require_network(call: Call, network: Request) -> None:
    """The subnets and security groups exist, belong to one VPC, and have addresses for all instances."""
    ec2 = call.client("ec2")
    try:
        subnets = ec2.describe_subnets(SubnetIds=network["Subnets"])["Subnets"]
        groups = ec2.describe_security_groups(GroupIds=network["SecurityGroupIds"])["SecurityGroups"]
    except ClientError as error:
        raise api_error("sagemaker.job_network", reason=error.response["Error"]["Message"]) from error
    if len(vpcs := sorted({each["VpcId"] for each in (*subnets, *groups)})) > 1:
        raise api_error("sagemaker.job_in_two_vpcs", vpcs=", ".join(vpcs))
    needed = sum(_addresses(name) * count for name, count in instances_of(call.parameters).items())
    free = sum(subnet["AvailableIpAddressCount"] for subnet in subnets)
    if free < needed:
        raise api_error("sagemaker.job_addresses", needed=needed, free=free)


def _addresses(name: str) -> int:
    return ADDRESSES_WITH_EFA if _fact(name, "efa_interfaces") else ADDRESSES


def _require_plan(call: Call) -> None:
    """The plan is for jobs, has not ended, and has as many instances of the type as the job."""
    arn, wanted = str(plan_of(call.parameters)), instances_of(call.parameters)
    plan = find_plan(call, arn)
    if plan is None:
        raise api_error("sagemaker.plan_unknown", name=arn)
    name, status = plan["TrainingPlanName"], status_of(plan, CLOCK.now())
    if TARGET not in plan["TargetResources"]:
        raise api_error("sagemaker.job_plan_for_other", name=name, target=", ".join(plan["TargetResources"]))
    if status not in USABLE:
        raise api_error("sagemaker.job_plan_status", name=name, status=status)
    plan_type, total = plan[CAPACITIES][0]["InstanceType"], plan["TotalInstanceCount"]
    if set(wanted) != {plan_type}:
        raise api_error("sagemaker.job_plan_of_other_type", name=name, type_name=plan_type, given=", ".join(wanted))
    if wanted[plan_type] > total:
        raise api_error("sagemaker.job_plan_too_small", name=name, total=total, wanted=wanted[plan_type])

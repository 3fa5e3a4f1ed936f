"""Functions: what moto drops is kept, those in a VPC hold interfaces, and invalid ones are rejected."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from moto.awslambda.models import LambdaBackend, LambdaFunction, Layer, LayerVersion
from moto.ec2.models import ec2_backends
from moto.iam.models import iam_backends

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK, DELAYS
from local_aws.contract import Call
from local_aws.knowledge.current import limit
from local_aws.registry import guard
from local_aws.services.iam.policy_documents import allows, statements
from local_aws.services.overrides import override

PREFIX = "AWS Lambda VPC ENI-"


def hold(account: str, region: str, function: str, vpc: Mapping[str, Any]) -> None:
    """One interface in each subnet of the function, in its groups."""
    ec2 = ec2_backends[account][region]
    for subnet_id in vpc.get("SubnetIds", []):
        groups = list(vpc.get("SecurityGroupIds", []))
        subnet = ec2.get_subnet(subnet_id)
        interface = ec2.create_network_interface(subnet, [], group_ids=groups, description=f"{PREFIX}{function}")
        interface.interface_type = "lambda"
        interface.requester_managed = True
        interface.status = "in-use"


def release(account: str, region: str, function: str, role_arn: str) -> None:
    """The function needs them no longer.

    Lambda reclaims them 20 to 45 minutes after DeleteFunction, as the function's role; when the role is gone by then
    they stay, ``available``. Source: awslabs/aws-support-tools#174; aws/aws-cdk#34400, #6701; go-to-k/delstack#637.
    """
    interfaces: dict[str, Any] = ec2_backends[account][region].enis
    for interface in interfaces.values():
        if interface.description == f"{PREFIX}{function}" and not hasattr(interface, "reclaimed_at"):
            interface.reclaimed_at = CLOCK.now() + DELAYS.lambda_interfaces
            interface.role_of_function = role_arn
    reclaim(account, region)


def reclaim(account: str, region: str) -> None:
    """Lambda takes back those whose time has come, where the function's role is still there."""
    interfaces: dict[str, Any] = ec2_backends[account][region].enis
    for interface in list(interfaces.values()):
        due = getattr(interface, "reclaimed_at", None)
        if due is None or CLOCK.now() < due:
            continue
        if DELAYS.lambda_interfaces and not _exists(account, interface.role_of_function):
            interface.status, interface.requester_managed = "available", False
        else:
            del interfaces[interface.id]


def _exists(account: str, role_arn: str) -> bool:
    roles = iam_backends[account][role_arn.split(":")[1]].roles.values()
    return any(role.arn == role_arn for role in roles)


KEPT = (
    "DeadLetterConfig",
    "EphemeralStorage",
    "FileSystemConfigs",
    "KMSKeyArn",
    "LoggingConfig",
    "SnapStart",
    "TracingConfig",
)
"""Parts of the configuration that moto drops, at creation or at an update."""


@override(LambdaFunction, "__init__")
def keep_configuration(original: Any, function: Any, *args: Any, **kwargs: Any) -> None:
    original(*args, **kwargs)
    spec = kwargs["spec"] if "spec" in kwargs else args[1]
    function.kept = {name: spec[name] for name in KEPT if name in spec}


@override(LambdaFunction, "update_configuration")
def update_kept(original: Any, function: Any, config_updates: dict[str, Any]) -> Any:
    function.kept.update({name: value for name, value in config_updates.items() if name in KEPT})
    environment = config_updates.get("Environment")
    original(
        {**config_updates, **({"Environment": {"Variables": {}, **environment}} if environment is not None else {})}
    )
    return function.get_configuration()


@override(LambdaFunction, "get_configuration")
def full_configuration(original: Any, function: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
    configuration = {**original(*args, **kwargs), **function.kept}
    logging = {"LogFormat": "Text", "LogGroup": f"/aws/lambda/{function.function_name}"}
    if configuration.get("VpcConfig"):
        configuration["VpcConfig"] = _placed(function, configuration["VpcConfig"])
    configuration["LoggingConfig"] = {**logging, **function.kept.get("LoggingConfig", {})}
    configuration["SnapStart"] = {"ApplyOn": "None", **function.kept.get("SnapStart", {}), "OptimizationStatus": "Off"}
    return {name: value for name, value in configuration.items() if value != ""}


@override(LambdaBackend, "create_function")
def create_function(original: Any, backend: Any, spec: dict[str, Any]) -> Any:
    vpc = {"SubnetIds": [], "SecurityGroupIds": [], **(spec.get("VpcConfig") or {})}
    function = original({**spec, "VpcConfig": vpc})
    hold(backend.account_id, backend.region_name, spec["FunctionName"], vpc)
    return function


@override(LambdaBackend, "update_function_configuration")
def update_function_configuration(
    original: Any, backend: Any, function_name: str, qualifier: str, body: dict[str, Any]
) -> Any:
    answer = original(function_name, qualifier, body)
    if "VpcConfig" in body:
        release(backend.account_id, backend.region_name, answer["FunctionName"], answer["Role"])
        hold(backend.account_id, backend.region_name, answer["FunctionName"], body["VpcConfig"])
    return answer


@override(LambdaBackend, "delete_function")
def delete_function(original: Any, backend: Any, function_name: str, qualifier: str | None = None) -> Any:
    function = backend.get_function(function_name)
    original(function_name, qualifier)
    if not qualifier:
        release(backend.account_id, backend.region_name, function.function_name, function.role)


def _placed(function: Any, vpc: Mapping[str, Any]) -> dict[str, Any]:
    """moto answers with a VPC that does not exist."""
    ec2 = ec2_backends[function.account_id][function.region]
    vpc_ids = {subnet.vpc_id for subnet in ec2.describe_subnets() if subnet.id in vpc["SubnetIds"]}
    return {**vpc, "VpcId": next(iter(vpc_ids), "")}


@guard(
    "ec2",
    *("DescribeNetworkInterfaces", "DeleteNetworkInterface", "DeleteSecurityGroup", "DeleteSubnet"),
    first=True,
)
def reclaim_interfaces(call: Call) -> None:
    """Lambda takes back what it no longer needs before anybody looks."""
    reclaim(call.account, call.region)


OBJECT = ("S3Bucket", "S3Key", "S3ObjectVersion")


def _source(given: Mapping[str, Any]) -> dict[str, Any]:
    """The part of the answer that tells the object; empty for code that came with the request."""
    named = {name: given[name] for name in OBJECT if given.get(name)}
    return {"ResolvedS3Object": named} if "S3Bucket" in named else {}


@override(LambdaFunction, "_set_function_code")
def set_code(original: Any, function: Any, given: dict[str, Any]) -> None:
    function.code_source = _source(given)
    original(given)


@override(LambdaFunction, "get_code")
def get_code(original: Any, function: Any) -> dict[str, Any]:
    answer: dict[str, Any] = original()
    return {**answer, "Code": {**answer.get("Code", {}), **function.code_source}}


@override(LayerVersion, "get_layer_version")
def get_layer_version(original: Any, layer: Any) -> dict[str, Any]:
    answer: dict[str, Any] = original()
    return {**answer, "Content": {**answer["Content"], **_source(layer.content)}}


@override(Layer, "delete_version")
def delete_version(original: Any, layer: Any, version: str) -> None:
    """The version and its policy know each other and stay until Python looks for garbage: not with 30 MB of code."""
    deleted = layer.layer_versions.get(str(version))
    original(version)
    if deleted is not None:
        deleted.code_bytes = b""


@guard("lambda", "CreateFunction", "UpdateFunctionConfiguration")
def require_small_environment(call: Call) -> None:
    variables = call.parameters.get("Environment", {}).get("Variables", {})
    size = len(json.dumps(variables, separators=(",", ":"), ensure_ascii=False).encode())
    if size > limit("lambda_environment").require_maximum():
        raise api_error("lambda.environment_size", size=size)


@guard("lambda", "CreateFunction", "UpdateFunctionConfiguration")
def require_shared_tenancy(call: Call) -> None:
    ec2 = call.moto_backend("ec2")
    tenancies = {each.id: ec2.get_vpc(each.vpc_id).instance_tenancy for each in ec2.describe_subnets()}
    for subnet_id in call.parameters.get("VpcConfig", {}).get("SubnetIds", []):
        if tenancies.get(subnet_id) == "dedicated":  # one that does not exist is for moto to reject
            raise api_error("lambda.dedicated_tenancy", subnet_id=subnet_id)


CREATES_INTERFACES = "ec2:CreateNetworkInterface"


@guard("lambda", "CreateFunction", "UpdateFunctionConfiguration", last=True)
def require_interfaces(call: Call) -> None:
    """The role of a function in a VPC may create network interfaces. That Lambda can assume it, a row says."""
    if not call.parameters.get("VpcConfig", {}).get("SubnetIds"):
        return
    for role in call.moto_backend("iam").roles.values():
        policies = (each for text in _policies(role) for each in statements(json.loads(text)))
        if role.arn == call.parameters.get("Role") and not any(allows(each, CREATES_INTERFACES) for each in policies):
            raise api_error("lambda.role_without_interfaces")


def _policies(role: Any) -> Iterator[str]:
    """Texts of its inline and managed policies; what a boundary takes away is not looked at."""
    yield from role.policies.values()
    for policy in role.managed_policies.values():
        yield from (each.document for each in policy.versions if each.version_id == policy.default_version_id)

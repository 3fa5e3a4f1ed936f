"""Functions: every part of the configuration is kept, and those in a VPC hold interfaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moto.awslambda.models import LambdaBackend, LambdaFunction
from moto.ec2.models import ec2_backends

from local_aws.guards import guard
from local_aws.lambda_interfaces import hold, reclaim, release
from local_aws.service import Call
from local_aws.services.overrides import override

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

"""Functions that Lambda rejects: by their environment, code, layers, logging and network.

Source: inferred: words other than those about code, which badmintoncryer/cdk-preflight has, as Lambda answered;
https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html has the constraints
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.guards import guard
from local_aws.knowledge.current import limit
from local_aws.service import Call, ServiceError

RESERVED = frozenset(
    {
        "_HANDLER",
        "_X_AMZN_TRACE_ID",
        "AWS_ACCESS_KEY_ID",
        "AWS_DEFAULT_REGION",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
        "AWS_LAMBDA_FUNCTION_NAME",
        "AWS_LAMBDA_FUNCTION_VERSION",
        "AWS_LAMBDA_INITIALIZATION_TYPE",
        "AWS_LAMBDA_LOG_GROUP_NAME",
        "AWS_LAMBDA_LOG_STREAM_NAME",
        "AWS_LAMBDA_RUNTIME_API",
        "AWS_REGION",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "LAMBDA_RUNTIME_DIR",
        "LAMBDA_TASK_ROOT",
    }
)
"""https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html"""
OF_S3 = ("S3Bucket", "S3Key")
SIZES = {"MemorySize": "lambda_memory", "Timeout": "lambda_timeout"}
"""Limits of functions that do not run on instances of their account."""
LEVELS = ("ApplicationLogLevel", "SystemLogLevel")
NOT_CONFIGURED = (
    "Lambda was unable to configure your environment variables because the environment variables you have provided"
)


@guard("lambda", "CreateFunction", "UpdateFunctionConfiguration")
def require_function(call: Call) -> None:
    given = call.parameters
    for words in (*_faults(given, call.region), *_code_faults(given.get("Code", {}))):
        raise ServiceError("InvalidParameterValueException", words)


def _faults(given: Mapping[str, Any], region: str) -> Iterator[str]:
    variables = given.get("Environment", {}).get("Variables", {})
    if used := sorted(RESERVED & variables.keys()):
        words = "contains reserved keys that are currently not supported for modification."
        yield f"{NOT_CONFIGURED} {words} Reserved keys used in this request: {', '.join(used)}"
    text = json.dumps(variables, separators=(",", ":"), ensure_ascii=False)
    if len(text.encode()) > limit("lambda_environment").require_maximum():
        yield f"{NOT_CONFIGURED} exceeded the 4KB limit. Measured size: {len(text.encode())} bytes."
    for member, name in SIZES.items() if "CapacityProviderConfig" not in given else ():
        maximum = limit(name).require_maximum()
        if given.get(member, 0) > maximum:
            constraint = f"Member must have value less than or equal to {maximum}"
            yield f"'{member}' value failed to satisfy constraint: {constraint}"
    for layer in given.get("Layers", []):
        where = ":".join(layer.split(":")[3:4])
        if where != region:
            yield f"Layer version {layer} is in the Region {where}; the function is in {region}."
    logging = given.get("LoggingConfig", {})
    if logging.get("LogFormat", "Text") != "JSON" and any(level in logging for level in LEVELS):
        yield "Log levels can be set with the log format JSON only."
    if logging.get("LogGroup", "").startswith("aws/"):
        yield "Log group names cannot start with the reserved prefix aws/."
    network = given.get("VpcConfig", {})
    if bool(network.get("SubnetIds")) is not bool(network.get("SecurityGroupIds")):
        yield "SubnetIds and SecurityIds must coexist or be both empty list."


def _code_faults(code: Mapping[str, Any]) -> Iterator[str]:
    others = [name for name in (*OF_S3, "S3ObjectVersion", "ImageUri") if name in code]
    if "ZipFile" in code and others:
        yield "Please do not provide other FunctionCode parameters when providing a ZipFile."
    elif "ImageUri" not in code and sum(name in code for name in OF_S3) == 1:
        yield "S3 Bucket and Key are required for uploading with S3 parameters."

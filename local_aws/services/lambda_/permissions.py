"""Checks of a permission that Lambda makes before it looks for the function."""

from __future__ import annotations

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import guard

LATEST = "$LATEST"
REGION_PART = 3
"""The position of the Region in an ARN."""


@guard("lambda", "AddPermission")
def require_function_of_region(call: Call) -> None:
    """The policy of a function is in its Region, and the unpublished version has none of its own."""
    name = call.parameters["FunctionName"]
    if name.endswith(f":{LATEST}") or call.parameters.get("Qualifier") == LATEST:
        raise api_error("lambda.latest_permission")
    parts = name.split(":")
    if name.startswith("arn:") and parts[REGION_PART] != call.region:
        raise api_error("lambda.permission_region", other=parts[REGION_PART], region=call.region)

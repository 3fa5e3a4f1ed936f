"""Calls with parameters in CloudFormation's spelling, and calls shown in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore import xform_name

from local_aws.contract import Call
from local_aws.resource_types.shapes import decoded, to_api


def call(client: Any, operation: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Calls the operation with parameters in CloudFormation's spelling; the answer is the API's.

    Raises ClientError when the service refuses, ParamValidationError for a parameter it does not know.
    """
    answer: dict[str, Any] = getattr(client, xform_name(operation))(**to_api(client, operation, parameters))
    return answer


def call_as_properties(call: Call) -> dict[str, Any]:
    """The parameters of a call in CloudFormation's spelling."""
    from moto.core.utils import get_service_model

    shape = get_service_model(call.service).operation_model(call.operation).input_shape
    properties: dict[str, Any] = decoded(call.parameters, shape)
    return properties

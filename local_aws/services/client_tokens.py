"""Client tokens: what a request has asked for before is answered as before, and nothing is done again."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from moto.core.utils import get_service_model

from local_aws.api_errors import api_error, error_rows
from local_aws.contract import Call
from local_aws.registry import OperationFunction

REUSED = "token_reused"
"""The error of a token that comes again with other parameters; a service without it ignores them."""


def once_by_token(function: OperationFunction) -> OperationFunction:
    """The operation, done once for each client token."""

    @functools.wraps(function)
    def answered(call: Call) -> Mapping[str, Any]:
        member = token_member(call.service, call.operation)
        token = call.parameters.get(member)
        if token is None:
            return function(call)
        asked = {name: value for name, value in call.parameters.items() if name != member}
        answers = call.table("tokens")
        key = f"{call.operation} {token}"
        if key not in answers:
            answers[key] = (asked, function(call))
        before, answer = answers[key]
        if before != asked and REUSED in error_rows(call.service):
            raise api_error(f"{call.service}.token_reused")
        given: Mapping[str, Any] = answer
        return given

    return answered


@functools.cache
def token_member(service: str, operation: str) -> str:
    """The parameter that botocore's model marks as the client token; empty without one."""
    shape = get_service_model(service).operation_model(operation).input_shape
    members = shape.members.items() if shape is not None else ()
    return next((name for name, member in members if member.metadata.get("idempotencyToken")), "")

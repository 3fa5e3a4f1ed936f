"""Invoke: the code of a function runs in a process of its own, for callers that have signed their request."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.custom_resources.functions import Functions, Invoker
from local_aws.lambda_runtime.function import CannotRun
from local_aws.registry import operation

MOST_BYTES = {"RequestResponse": 6_291_456, "Event": 1_048_576}
"""The size of a payload. Source: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html"""
TAIL_BYTES = 4096


@operation("lambda", "Invoke")
def invoke(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    name, kind = given["FunctionName"], given.get("InvocationType", "RequestResponse")
    functions, invoker = call.store.shared(Functions), Invoker(call.account, call.region, call.endpoint)
    event = _event(given.get("Payload"), kind)
    try:
        if kind == "DryRun":
            functions.find(invoker, name)
            return {"StatusCode": 204}
        if kind == "Event":
            functions.start(invoker, name, event)
            return {"StatusCode": 202}
        result = functions.invoke(invoker, name, event)
    except CannotRun as error:
        raise api_error("lambda.runtime", reason=str(error)) from error
    tail = base64.b64encode(result.log.encode()[-TAIL_BYTES:]).decode()
    return {
        "StatusCode": 200,
        "ExecutedVersion": "$LATEST",
        "Payload": result.payload,
        **({"FunctionError": "Unhandled"} if result.failed else {}),
        **({"LogResult": tail} if given.get("LogType") == "Tail" else {}),
    }


def _event(payload: Any, kind: str) -> Any:
    body: bytes = payload.read() if hasattr(payload, "read") else payload or b"{}"
    if len(body) > MOST_BYTES.get(kind, MOST_BYTES["RequestResponse"]):
        raise api_error("lambda.payload_size", maximum=MOST_BYTES[kind])
    try:
        return json.loads(body)
    except ValueError as error:
        raise api_error("lambda.payload_not_json", error=error) from error

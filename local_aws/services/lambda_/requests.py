"""The environment of functions: its size is that of JSON text."""

from __future__ import annotations

import json

from local_aws.api_errors import api_error
from local_aws.guards import guard
from local_aws.knowledge.current import limit
from local_aws.service import Call


@guard("lambda", "CreateFunction", "UpdateFunctionConfiguration")
def require_small_environment(call: Call) -> None:
    variables = call.parameters.get("Environment", {}).get("Variables", {})
    size = len(json.dumps(variables, separators=(",", ":"), ensure_ascii=False).encode())
    if size > limit("lambda_environment").require_maximum():
        raise api_error("lambda.environment_size", size=size)

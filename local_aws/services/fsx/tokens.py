"""ClientRequestToken of FSx: what was asked for before is answered as before, and nothing is made again."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.service import Call, OperationFunction

MEMBER = "ClientRequestToken"


def once_by_token(function: OperationFunction) -> OperationFunction:
    """The operation, done once for each token and refused when the token comes again with other parameters."""

    @functools.wraps(function)
    def answered(call: Call) -> Mapping[str, Any]:
        token = call.parameters.get(MEMBER)
        if token is None:
            return function(call)
        asked = {name: value for name, value in call.parameters.items() if name != MEMBER}
        answers = call.table("tokens")
        key = f"{call.operation} {token}"
        if key not in answers:
            answers[key] = (asked, function(call))
        before, answer = answers[key]
        if before != asked:
            raise api_error("fsx.token_reused")
        given: Mapping[str, Any] = answer
        return given

    return answered

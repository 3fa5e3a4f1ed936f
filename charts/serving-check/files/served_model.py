"""Waits until the server lists its models, and finds the one that is asked."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Mapping
from typing import Any

from serving_plan import ServingPlan
from streamed_request import connection, headers, words_of_error

RETRY_SECONDS = 2.0


class NotMeasured(Exception):
    """Why nothing was measured, and what to do."""


def served_model(plan: ServingPlan) -> str:
    """The name to send. Raises ``NotMeasured`` where the server has no such model, or prompts do not fit into it."""
    served = {str(each.get("id", "")): each for each in _models(plan)}
    if not plan.model and len(served) != 1:
        message = f"{plan.url} serves {', '.join(sorted(served)) or 'no model'}: name one (server.model)"
        raise NotMeasured(message)
    name = plan.model or next(iter(served))
    if name not in served:
        message = f"{plan.url} does not serve {name}, but {', '.join(sorted(served)) or 'nothing'}: set server.model"
        raise NotMeasured(message)
    longest, wanted = served[name].get("max_model_len"), plan.input_tokens + plan.output_tokens
    if isinstance(longest, int) and wanted > longest:
        message = (
            f"load.inputTokens and load.outputTokens are {wanted} tokens together, and {name} allows {longest} "
            "(max_model_len): make one of them smaller"
        )
        raise NotMeasured(message)
    return name


def _models(plan: ServingPlan) -> list[Mapping[str, Any]]:
    """Asked again until the time for the start is over: a server may still load."""
    deadline = time.monotonic() + plan.start_timeout_seconds
    while True:
        try:
            return _listed(plan)
        except (OSError, http.client.HTTPException, ValueError) as failure:
            if time.monotonic() + RETRY_SECONDS > deadline:
                message = (
                    f"{plan.url}/v1/models did not answer in {plan.start_timeout_seconds:g} s ({failure}): is the "
                    "server Ready, does server.url name its Service, and does its network policy allow this pod?"
                )
                raise NotMeasured(message) from failure
        time.sleep(RETRY_SECONDS)


def _listed(plan: ServingPlan) -> list[Mapping[str, Any]]:
    server = connection(plan)
    try:
        server.request("GET", f"{plan.prefix}/v1/models", headers=headers())
        response = server.getresponse()
        text = response.read()
    finally:
        server.close()
    if response.status in (http.client.UNAUTHORIZED, http.client.FORBIDDEN):
        message = f"{plan.url} refuses the key (HTTP {response.status}): set apiKeySecret to that of the server"
        raise NotMeasured(message)
    if response.status != http.client.OK:
        raise ValueError(f"HTTP {response.status}: {words_of_error(text)}")
    listed = json.loads(text)
    return [each for each in listed.get("data", []) if isinstance(each, dict)]

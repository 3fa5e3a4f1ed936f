"""Sends the request of a line, and writes its result as OpenAI's batch format has it."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from typing import Any

from batch_input import InvalidLine, Line, request_of
from batch_plan import BatchPlan
from batch_server import Server, Stop

FIRST_SERVER_ERROR = 500
TOO_MANY_REQUESTS = 429
END_SECONDS = 10.0
"""A server that fails closes its port before its process has ended."""
NO_ANSWER = "no_answer"


def result_of(line: Line, plan: BatchPlan, server: Server, stop: Stop) -> Mapping[str, Any] | None:
    """None where the pod stops first: the line is then one of the next attempt."""
    try:
        custom_id, path, body = request_of(line, plan.model)
    except InvalidLine as failure:
        return record(line, None, error=("invalid_line", f"line {line.number + 1}: {failure}"))
    failed: tuple[str, str] = ("not_sent", "")
    for _ in range(plan.attempts):
        if stop.is_set:
            return None
        try:
            status, answer = _post(plan, path, body)
        except (OSError, http.client.HTTPException) as failure:
            if server.ends_within(END_SECONDS):
                stop.set(f"the server ended with exit code {server.exit_code}")
                return None
            failed = (NO_ANSWER, str(failure) or type(failure).__name__)
            continue
        if status < FIRST_SERVER_ERROR and status != TOO_MANY_REQUESTS:
            return record(line, custom_id, status=status, body=answer)
        failed = ("server_error", f"HTTP {status}: {json.dumps(answer)[:500]}")
    return None if stop.is_set else record(line, custom_id, error=failed)


def record(
    line: Line, custom_id: str | None, *, status: int = 0, body: Any = None, error: tuple[str, str] | None = None
) -> Mapping[str, Any]:
    response = {"status_code": status, "request_id": line.id, "body": body} if status else None
    failure = {"code": error[0], "message": error[1]} if error else None
    return {"id": line.id, "custom_id": custom_id, "response": response, "error": failure}


def has_no_answer(result: Mapping[str, Any]) -> bool:
    """Whether another server may answer: neither this one nor the line is known to be at fault."""
    return (result.get("error") or {}).get("code") == NO_ANSWER


def is_failed(result: Mapping[str, Any]) -> bool:
    response = result.get("response")
    return not isinstance(response, Mapping) or response.get("status_code") != http.client.OK


def _post(plan: BatchPlan, path: str, body: Mapping[str, Any]) -> tuple[int, Any]:
    client = http.client.HTTPConnection("127.0.0.1", plan.port, timeout=plan.request_seconds)
    try:
        client.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        response = client.getresponse()
        text = response.read().decode("utf-8", "replace")
    finally:
        client.close()
    try:
        return response.status, json.loads(text)
    except json.JSONDecodeError:
        return response.status, text

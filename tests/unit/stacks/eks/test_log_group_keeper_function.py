"""The function behind kept log groups answers CloudFormation whatever happens; what it does: tests/round_trip."""

from __future__ import annotations

import http.server
import importlib.util
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

CODE = Path(__file__).parents[4] / "functions" / "log_group_keeper" / "index.py"
PROPERTIES = {"LogGroupName": "/aws/eks/n/cluster", "LogGroupArn": "arn", "KmsKeyId": "key", "RetentionInDays": "90"}


@pytest.fixture
def function() -> Any:
    spec = importlib.util.spec_from_file_location("log_group_keeper", CODE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def cloudformation() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Where a function puts its answer, and the answers."""
    answers: list[dict[str, Any]] = []

    class Taker(http.server.BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            assert self.headers["Content-Type"] == "", "the URL is signed without a content type"
            answers.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None: ...

    with http.server.HTTPServer(("127.0.0.1", 0), Taker) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/answer", answers
        server.shutdown()
        thread.join()


def event(url: str, kind: str, **more: Any) -> dict[str, Any]:
    ids = {name: name for name in ("StackId", "RequestId", "LogicalResourceId")}
    return {"RequestType": kind, "ResponseURL": url, "ResourceProperties": PROPERTIES, **ids, **more}


def refusal(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "no"}}, "CreateLogGroup")


class Refusing:
    """CloudWatch Logs that refuses a log group some times, and then with another code."""

    class exceptions:  # noqa: N801 - as boto3 spells it
        class ResourceAlreadyExistsException(Exception): ...

    def __init__(self, *codes: str) -> None:
        self.codes = list(codes)

    def create_log_group(self, **_: Any) -> None:
        raise refusal(self.codes.pop(0))


def test_a_deletion_is_answered_and_touches_nothing(
    function: Any, cloudformation: tuple[str, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, answers = cloudformation
    monkeypatch.setattr(function.boto3, "client", lambda _: None)
    function.handler(event(url, "Delete", PhysicalResourceId="/aws/eks/n/cluster"), None)
    assert [(each["Status"], each["PhysicalResourceId"]) for each in answers] == [("SUCCESS", "/aws/eks/n/cluster")]


def test_a_refusal_is_answered_with_its_reason_once_iam_has_had_its_time(
    function: Any, cloudformation: tuple[str, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, answers = cloudformation
    logs, waits = Refusing("AccessDeniedException", "AccessDeniedException", "LimitExceededException"), []
    monkeypatch.setattr(function.boto3, "client", lambda _: logs)
    monkeypatch.setattr(function.time, "sleep", waits.append)
    function.handler(event(url, "Create"), None)
    (answer,) = answers
    assert (answer["Status"], logs.codes, waits) == ("FAILED", [], [5, 10])
    assert "LimitExceededException" in answer["Reason"]
    assert {name: answer[name] for name in ("StackId", "RequestId")} == {"StackId": "StackId", "RequestId": "RequestId"}


def test_all_pauses_end_before_the_functions_time_out(function: Any) -> None:
    from stacks.eks.log_group_keeper import SERVICE_TIMEOUT_SECONDS, TIMEOUT_SECONDS

    assert sum(function.PAUSES) < TIMEOUT_SECONDS < SERVICE_TIMEOUT_SECONDS
    assert len(CODE.read_text("utf-8")) < 4096, "CloudFormation takes no longer inline code in older partitions"

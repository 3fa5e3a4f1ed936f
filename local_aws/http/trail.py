"""Keeps the calls by which users changed something, for CloudTrail: those of the engine's handlers are not kept."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from typing import Any

from local_aws.contract import BAD_REQUEST, Store
from local_aws.http.caller import Caller
from local_aws.http.in_process_transport import OWN_CALL
from local_aws.http.protocol import OperationRoutes, RequestedOperation, parsed_parameters, requested_operation
from local_aws.http.request_body import KEPT, Environ, rewind

EVENTS = "cloudtrail.events"
"""The table, by number, the oldest first."""
MOST_EVENTS = 1000
"""Number of events of one account and Region."""
REGIONS = {"iam": "us-east-1"}
"""The Region that has the events of a global service.

Source: https://docs.aws.amazon.com/awscloudtrail/latest/userguide/cloudtrail-concepts.html
"""
READS = ("Batch", "Describe", "Detect", "Estimate", "Get", "Head", "List", "Lookup", "Search", "Select", "Simulate")
"""Beginnings of operations that change nothing."""
OF_OBJECTS = frozenset(
    {"AbortMultipartUpload", "CompleteMultipartUpload", "CopyObject", "CreateMultipartUpload", "CreateSession"}
    | {"DeleteObject", "DeleteObjects", "PutObject", "UploadPart", "UploadPartCopy"}
)
"""Data events, which trails have only where they are asked for.

Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/cloudtrail-logging-s3-info.html
"""


def keep_event(store: Store, routes: OperationRoutes, caller: Caller, environ: Environ, status: int) -> None:
    """Keeps a call that has changed something."""
    if OWN_CALL in environ or status >= BAD_REQUEST or environ["REQUEST_METHOD"] in ("GET", "HEAD"):
        return
    if KEPT not in environ or not caller.region:  # an object, or an unsigned request
        return
    for service in routes.services(caller.signing_name) or [caller.signing_name]:
        rewind(environ)
        try:
            requested = requested_operation(service, environ)
            if requested is not None:
                _keep(store, caller, service, requested)
                return
        except Exception:  # noqa: BLE001, S112 - moto has answered what cannot be read here, such as another model
            continue


def _keep(store: Store, caller: Caller, service: str, requested: RequestedOperation) -> None:
    operation, uri_parameters, request = requested
    if operation.name.startswith(READS) or operation.name in OF_OBJECTS:
        return
    parameters = parsed_parameters(service, operation, uri_parameters, request)
    rows = store.table(caller.account, REGIONS.get(service, str(caller.region)), EVENTS)
    number = int(next(reversed(rows), -1)) + 1
    rows[f"{number:09}"] = _event(caller, service, operation.name, parameters)
    if len(rows) > MOST_EVENTS:
        del rows[next(iter(rows))]


def _event(caller: Caller, service: str, operation: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """The row in the form of LookupEvents."""
    identity = {"type": "Root", "arn": f"arn:aws:iam::{caller.account}:root", "accountId": caller.account}
    detail = {
        "eventName": operation,
        "eventSource": f"{service}.amazonaws.com",
        "userIdentity": identity,
        "sourceIPAddress": "127.0.0.1",
        "requestParameters": parameters,
    }
    return {
        "EventId": str(uuid.uuid4()),
        "EventName": operation,
        "EventSource": f"{service}.amazonaws.com",
        "EventTime": datetime.now(UTC),
        "Username": "root",
        "Resources": [],
        "CloudTrailEvent": json.dumps(detail, default=str),
    }

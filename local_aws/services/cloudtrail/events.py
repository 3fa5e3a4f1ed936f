"""CloudTrail's answer to the CDK command, which asks why a deploy failed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.contract import Call
from local_aws.registry import operation


@operation("cloudtrail", "LookupEvents")
def lookup_events(call: Call) -> Mapping[str, Any]:  # noqa: ARG001 - none is kept, whatever is asked
    """No event is kept: the reasons stand in the stack's own events.

    Without an answer the CDK command retries for some 25 s after each failed deploy.
    """
    return {"Events": []}

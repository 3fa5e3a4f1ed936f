"""The module that CloudFormation puts next to inline code of Python functions.

Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/cfn-lambda-function-code-cfnresponsemodule.html
"""

from __future__ import annotations

import json
import urllib.request
from typing import Any

SUCCESS = "SUCCESS"
FAILED = "FAILED"


def send(
    event: dict[str, Any],
    context: Any,
    responseStatus: str,  # noqa: N803 - the interface is CloudFormation's
    responseData: Any,  # noqa: N803 - the interface is CloudFormation's
    physicalResourceId: str | None = None,  # noqa: N803 - the interface is CloudFormation's
    noEcho: bool = False,  # noqa: N803 - the interface is CloudFormation's
    reason: str | None = None,
) -> None:
    """Sends the response of a custom resource."""
    body = {
        "Status": responseStatus,
        "Reason": reason or f"See the details in CloudWatch Log Stream: {context.log_stream_name}",
        "PhysicalResourceId": physicalResourceId or context.log_stream_name,
        "StackId": event["StackId"],
        "RequestId": event["RequestId"],
        "LogicalResourceId": event["LogicalResourceId"],
        "NoEcho": noEcho,
        "Data": responseData,
    }
    request = urllib.request.Request(  # noqa: S310 - the URL is that of the event
        event["ResponseURL"], json.dumps(body).encode(), {"Content-Type": ""}, method="PUT"
    )
    urllib.request.urlopen(request).close()  # noqa: S310 - the URL is that of the event

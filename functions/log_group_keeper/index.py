"""Custom resource: creates a log group, or adopts the one that is there, and never deletes one.

Protocol: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref.html
"""

from __future__ import annotations

import json
import time
import urllib.request
from typing import Any

import boto3
from botocore.exceptions import ClientError

PAUSES = (5, 10, 15)
"""Seconds after a refusal: IAM takes some to spread a policy that this update has changed."""


def handler(event: dict[str, Any], context: object) -> None:  # noqa: ARG001 - Lambda passes both
    """Answers every request: CloudFormation waits for an hour for one that is not answered."""
    answer = {name: event[name] for name in ("StackId", "RequestId", "LogicalResourceId")}
    answer["PhysicalResourceId"] = event.get("PhysicalResourceId") or event["ResourceProperties"]["LogGroupName"]
    try:
        answer["PhysicalResourceId"] = _keep_when_allowed(event)
        answer["Status"] = "SUCCESS"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the reason
        answer |= {"Status": "FAILED", "Reason": f"{type(error).__name__}: {error}"[:1000]}
    print(json.dumps(answer))  # noqa: T201 - into the function's own log group
    body = json.dumps(answer).encode()
    headers = {"Content-Type": "", "Content-Length": str(len(body))}
    request = urllib.request.Request(event["ResponseURL"], data=body, headers=headers, method="PUT")  # noqa: S310
    urllib.request.urlopen(request, timeout=30).close()  # noqa: S310 - the URL is CloudFormation's


def _keep_when_allowed(event: dict[str, Any]) -> str:
    logs = boto3.client("logs")
    for pause in PAUSES:
        try:
            return keep(event, logs)
        except ClientError as error:
            if error.response["Error"]["Code"] != "AccessDeniedException":
                raise
            time.sleep(pause)
    return keep(event, logs)


def keep(event: dict[str, Any], logs: Any) -> str:
    """Brings the log group to what the properties say; its name. A Delete leaves the group as it is."""
    wanted = event["ResourceProperties"]
    name: str = wanted["LogGroupName"]
    if event["RequestType"] == "Delete":
        return event.get("PhysicalResourceId") or name
    try:
        logs.create_log_group(logGroupName=name, kmsKeyId=wanted["KmsKeyId"])
    except logs.exceptions.ResourceAlreadyExistsException:
        logs.associate_kms_key(logGroupName=name, kmsKeyId=wanted["KmsKeyId"])
    logs.put_retention_policy(logGroupName=name, retentionInDays=int(wanted["RetentionInDays"]))
    _tag(logs, wanted, event.get("OldResourceProperties", {}))
    if hasattr(logs, "put_log_group_deletion_protection"):  # not in boto3 before November 2025
        logs.put_log_group_deletion_protection(logGroupIdentifier=name, deletionProtectionEnabled=True)
    return name


def _tag(logs: Any, wanted: dict[str, Any], old: dict[str, Any]) -> None:
    tags: dict[str, str] = wanted.get("Tags", {})
    gone = sorted(set(old.get("Tags", {})) - set(tags)) if old.get("LogGroupName") == wanted["LogGroupName"] else []
    if gone:
        logs.untag_resource(resourceArn=wanted["LogGroupArn"], tagKeys=gone)
    if tags:
        logs.tag_resource(resourceArn=wanted["LogGroupArn"], tags=tags)

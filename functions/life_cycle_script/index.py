"""Custom resource: a life cycle script in its bucket, with the checksum that the template has.

Each script has a key of its own, so that nodes that run keep theirs until an update has finished.
Protocol: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref.html
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
import urllib.request
from typing import Any

import boto3
from botocore.exceptions import ClientError

PAUSES = (5, 10, 15)
"""Seconds after a refusal: IAM takes some to spread the policy of a role that is new."""


def handler(event: dict[str, Any], context: object) -> None:  # noqa: ARG001 - Lambda passes both
    """Answers every request: CloudFormation waits for an hour for one that is not answered."""
    answer = {name: event[name] for name in ("StackId", "RequestId", "LogicalResourceId")}
    answer["PhysicalResourceId"] = event.get("PhysicalResourceId") or event["ResourceProperties"]["Key"]
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
    s3 = boto3.client("s3")
    for pause in PAUSES:
        try:
            return keep(event, s3)
        except ClientError as error:
            if error.response["Error"]["Code"] != "AccessDenied":
                raise
            time.sleep(pause)
    return keep(event, s3)


def keep(event: dict[str, Any], s3: Any) -> str:
    """Writes the script, or deletes all versions of the one that the request names; its key, which is the id.

    ``Values`` are known to CloudFormation only: each takes the place of its name in braces.
    """
    given = event["ResourceProperties"]
    if event["RequestType"] == "Delete":
        return _delete(s3, given["Bucket"], event["PhysicalResourceId"])
    text = given["Text"]
    if _checksum(text) != given["Checksum"]:
        raise ValueError("the text of the script has another checksum than the template")
    for name, value in given.get("Values", {}).items():
        text = text.replace("{" + name + "}", value)
    s3.put_object(
        Bucket=given["Bucket"],
        Key=given["Key"],
        Body=text.encode(),
        ChecksumSHA256=_checksum(text),
        ExpectedBucketOwner=given["Account"],
    )
    return str(given["Key"])


def _checksum(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _delete(s3: Any, bucket: str, key: str) -> str:
    try:
        pages = list(s3.get_paginator("list_object_versions").paginate(Bucket=bucket, Prefix=key))
    except s3.exceptions.NoSuchBucket:
        return key
    for page in pages:
        for found in (*page.get("Versions", ()), *page.get("DeleteMarkers", ())):
            s3.delete_object(Bucket=bucket, Key=found["Key"], VersionId=found["VersionId"])
    return key

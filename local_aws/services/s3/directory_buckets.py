"""Directory buckets of S3 Express One Zone: a bucket in one Availability Zone, which its name ends with."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

from moto.s3.responses import S3Response

from local_aws.api_errors import api_error
from local_aws.clients import partition_of
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.run_secrets import secret_of
from local_aws.services.overrides import override

NAME = re.compile(r".+--(?P<zone>[a-z0-9-]+)--x-s3")
HOME_REGION = "us-east-1"
SESSION = dt.timedelta(minutes=5)
"""Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateSession.html"""


@operation("s3", "CreateSession")
def create_session(call: Call) -> Mapping[str, Any]:
    """Credentials of the caller: this local AWS checks who calls, and no permission.

    For a bucket that is not there, too: SDKs at another endpoint make a session before they create the bucket.
    """
    if NAME.fullmatch(call.parameters["Bucket"]) is None:
        raise api_error("s3.no_directory_bucket")
    end = CLOCK.now() + SESSION
    key = {"AccessKeyId": call.account, "SecretAccessKey": secret_of(call.endpoint), "SessionToken": "session"}
    return {"Credentials": {**key, "Expiration": end}}


@override(S3Response, "_get_location_constraint")
def location_constraint(original: Any, response: Any) -> Any:
    """A directory bucket is in a zone of the Region that is asked."""
    if NAME.fullmatch(response.bucket_name or "") is None:
        return original()
    return None if response.region == HOME_REGION else response.region


@override(S3Response, "head_bucket")
def head_bucket(original: Any, response: Any) -> Any:
    """With the zone of a directory bucket."""
    status, headers, body = original()
    found = NAME.fullmatch(response.bucket_name or "")
    if found is not None and "x-amz-bucket-region" in headers:
        region, name = headers["x-amz-bucket-region"], response.bucket_name
        arn = f"arn:{partition_of(region)}:s3express:{region}:{response.get_current_account()}:bucket/{name}"
        headers |= {
            "x-amz-bucket-arn": arn,
            "x-amz-bucket-location-type": "AvailabilityZone",
            "x-amz-bucket-location-name": found["zone"],
        }
    return status, headers, body

"""The name of a bucket whose ARN another stack exports."""

from __future__ import annotations

import aws_cdk as cdk


def bucket_name(arn: str) -> str:
    """The name in the ARN: the storage stack needs no second export."""
    return cdk.Fn.select(5, cdk.Fn.split(":", arn))

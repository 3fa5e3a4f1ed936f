"""The actions that docs/status.md lists for a role that may only read."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

PAGE = (Path(__file__).parents[3] / "docs" / "status.md").read_text()
IAM = {
    "s3:GetPublicAccessBlock": "s3:GetBucketPublicAccessBlock",
    "s3:GetBucketLifecycleConfiguration": "s3:GetLifecycleConfiguration",
    "s3:GetBucketReplication": "s3:GetReplicationConfiguration",
    "s3:ListObjectsV2": "s3:ListBucket",
    "s3:HeadBucket": "s3express:CreateSession",
    "efs:DescribeFileSystems": "elasticfilesystem:DescribeFileSystems",
    "efs:DescribeMountTargets": "elasticfilesystem:DescribeMountTargets",
    "budgets:DescribeBudgets": "budgets:ViewBudget",
}
"""Actions of IAM whose name is not that of the call."""


def undocumented(calls: Collection[tuple[str, str]]) -> list[str]:
    """Actions of calls, by service and operation, that the page does not have."""
    actions = [f"{service}:{operation}" for service, operation in calls]
    return [action for action in actions if f"`{IAM.get(action, action)}`" not in PAGE]

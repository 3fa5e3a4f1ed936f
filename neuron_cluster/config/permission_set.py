"""Permission sets of IAM Identity Center, and the IAM roles that it creates for them."""

from __future__ import annotations

import re

PERMISSION_SET_PATTERN = r"^[A-Za-z0-9_+=,.@-]{1,32}$"
"""Name of a permission set (AWS::SSO::PermissionSet, ``Name``)."""
ROLE_PATH = "/aws-reserved/sso.amazonaws.com/"
"""Path of roles that only IAM Identity Center creates; a Region may follow."""
ROLE = re.compile(
    rf"arn:aws(-[a-z]+)*:iam::[0-9]{{12}}:role{re.escape(ROLE_PATH)}([a-z0-9-]+/)?"
    r"AWSReservedSSO_(?P<name>[A-Za-z0-9_+=,.@-]{1,32})_[0-9a-f]{16}"
)
"""The Region of Identity Center is in the path, except us-east-1
(https://docs.aws.amazon.com/singlesignon/latest/userguide/referencingpermissionsets.html)."""


def permission_set_of(arn: str) -> str | None:
    """Name of the permission set that a role is of; None for any other principal."""
    found = ROLE.fullmatch(arn)
    return found["name"] if found is not None else None

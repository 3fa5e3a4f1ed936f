"""How services say that a thing is not there.

Source: a read handler answers NotFound for what is not there,
https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-test-contract.html
"""

from __future__ import annotations

from botocore.exceptions import ClientError

ABSENT = (
    "NotFound",
    "NoSuch",
    "NotAttached",
    "PlacementGroup.Unknown",
    "DoesNotExist",
    "NonExistent",
)
"""Parts of the error codes by which they say so."""


def is_absence(error: ClientError) -> bool:
    return any(part in error.response["Error"]["Code"] for part in ABSENT)

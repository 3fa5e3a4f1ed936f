"""The common form of EKS's List operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from local_aws.service import Call
from local_aws.services.eks.refusals import invalid_parameter
from local_aws.services.paging import page


def listing(call: Call, member: str, items: Sequence[Any]) -> dict[str, Any]:
    """The page that ``maxResults`` and ``nextToken`` ask for."""
    refusal = invalid_parameter("Invalid value for nextToken")
    rows, token = page(items, call.parameters.get("maxResults"), call.parameters.get("nextToken"), refusal)
    return {member: rows, "nextToken": token} if token else {member: rows}

"""The common form of EKS's List operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from local_aws.api_errors import api_error
from local_aws.service import Call
from local_aws.services.paging import page


def listing(call: Call, member: str, items: Sequence[Any]) -> dict[str, Any]:
    """The page that ``maxResults`` and ``nextToken`` ask for."""
    rows, token = page(
        items, call.parameters.get("maxResults"), call.parameters.get("nextToken"), api_error("eks.page_token")
    )
    return {member: rows, "nextToken": token} if token else {member: rows}

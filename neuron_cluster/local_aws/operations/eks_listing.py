"""The common form of EKS's List operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from neuron_cluster.local_aws.operations.eks_refusals import invalid_parameter
from neuron_cluster.local_aws.operations.paging import page
from neuron_cluster.local_aws.service import Call


def listing(call: Call, member: str, items: Sequence[Any]) -> dict[str, Any]:
    """The page that ``maxResults`` and ``nextToken`` ask for."""
    refusal = invalid_parameter("Invalid value for nextToken")
    rows, token = page(items, call.parameters.get("maxResults"), call.parameters.get("nextToken"), refusal)
    return {member: rows, "nextToken": token} if token else {member: rows}

"""Stacks that the file asks for no more: a deploy neither updates nor deletes them."""

from __future__ import annotations

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.findings import Finding, Location


def left_over_warnings(comparison: Comparison) -> list[Finding]:
    """W9504, once for each stack that is left."""
    return [_warning(stack) for stack in sorted(comparison.gone_stacks)]


def _warning(stack: str) -> Finding:
    return Finding(
        "W9504",
        Location(stack),
        f"the stack {stack} is deployed, but nothing in the file asks for it any more; a deploy leaves it as it is, "
        "running and billed",
        f"when you need it no more, after the deploy: aws cloudformation delete-stack --stack-name {stack}",
    )

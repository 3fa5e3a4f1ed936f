"""Stacks of which the file has nothing any more: a deploy deletes them after everything else."""

from __future__ import annotations

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.findings.finding import Finding, Location

NODE_GROUPS = "eks.node_groups"
KEYS = {
    "network": "network",
    "storage": "storage",
    "cluster": "eks",
    "software": "eks.addons",
    "workstations": "workstations",
    "observability": "observability",
    "images": "eks.image_cache",
}
"""By the last word of a stack's name: the key of the file that asks for it. All others are stacks of node groups."""


def left_over_warnings(comparison: Comparison) -> list[Finding]:
    """W9504, once for each stack that goes. One that holds state or the cluster is refused (E9002, E9004)."""
    return [_warning(comparison, stack) for stack in sorted(comparison.gone_stacks)]


def key_of(stack: str) -> str:
    """The key of the file that asks for the stack."""
    return KEYS.get(stack.rpartition("-")[2], NODE_GROUPS)


def _warning(comparison: Comparison, stack: str) -> Finding:
    count = sum(address.stack == stack for address in comparison.removed)
    key = key_of(stack)
    back = f"its node groups back into {key}" if key == NODE_GROUPS else f"{key} back into the file"
    return Finding(
        "W9504",
        Location(stack),
        f"nothing in the file asks for the stack {stack} any more: a deploy deletes it with its {count} "
        f"resource{'' if count == 1 else 's'}, after everything else",
        f"to keep it, put {back}",
    )

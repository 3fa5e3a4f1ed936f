"""What runs in an account and Region: instances by their state, and the nodes that groups want."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_cluster.local_aws.service import Call

RUNNING = ("pending", "running")


def running_nodes(call: Call) -> Iterator[dict[str, Any]]:
    """What the node groups of the account launched: kept by their groups when EKS makes or scales them."""
    for nodes in list(call.store.table(call.account, call.region, "eks.nodes").values()):
        yield from nodes


def running_instances(call: Call) -> list[Any]:
    """moto's instances that run, in the order of their launches."""
    return [each for each in call.moto_backend("ec2").all_instances() if each.state in RUNNING]

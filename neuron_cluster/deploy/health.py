"""What is not well although the stacks are: CloudFormation does not wait for the nodes of a new size."""

from __future__ import annotations

from neuron_cluster.deploy.existing import Existing
from neuron_cluster.findings import Finding, Location

HINT = (
    "correct what it names (count, zone, reservation, quota) and deploy again; EKS goes on trying, and "
    "`aws eks describe-nodegroup` tells how it went"
)


def health_findings(existing: Existing) -> list[Finding]:
    """W9505 for every issue of a node group."""
    return [
        Finding("W9505", Location(found.group.name), f"the node group is {found.group.status}: {issue}", HINT)
        for found in existing.node_groups
        for issue in found.group.issues
    ]

"""Groups whose addresses nobody can count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import PlanRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class AddressesNotCounted(PlanRule):
    """The interfaces and addresses of every node group's type are known, so that its subnets could be checked.

    Rule E1010 counts one address for each machine of another type, the least that it takes, and none for its pods.

    Without this check AWS reports no error. That no finding speaks of addresses would look as if there were enough.
    """

    id = "W1013"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/choosing-instance-type.html; numbers: the catalog's row"

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for group in plan.node_groups:
            if group.node_addresses is None:
                yield Violation(
                    (*group.path, "instance_type"),
                    f"the addresses for the pods of {group.name} in {listed(group.zone_ids)} were not counted: it is "
                    f"not known how many network interfaces {group.machine.instance_type} has, with how many addresses",
                    "leave room in network.cidr, which cannot be changed later",
                )

"""Instance types whose number of addresses is unknown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import PlanRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class InstanceAddressesUnknown(PlanRule):
    """The interfaces and addresses of the instance type are known, so that subnets can be checked (`instance_type`).

    For other types rule E1010 counts one address per instance, the minimum, and none for its pods.

    Without this check neither AWS nor this toolkit reports an error, as if there were enough addresses.
    """

    id = "W1013"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/choosing-instance-type.html; numbers: the catalog's row"

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for group in plan.node_groups:
            if group.node_addresses is None:
                yield Violation(
                    (*group.path, "instance_type"),
                    f"the addresses for the pods of {group.name} in {listed(group.zone_ids)} were not counted: the "
                    "catalog "
                    f"does not have the network interfaces and addresses of {group.machine.instance_type}",
                    "choose a larger network.cidr, which cannot be changed later",
                )

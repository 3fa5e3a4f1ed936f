from __future__ import annotations

from neuron_cluster.config.capacity import UltraserverBlock
from neuron_cluster.resolved.compute_group import ClusterGroup
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.compute.e3075_reservation_of_two_orchestrators import are_of_two_providers


class UltraserverBlockShared(Rule):
    """An UltraServer block is used by only one node group (`capacity.reservation_id`).

    (For other reservations see rules E3075 and W3025.)

    Without this check AWS reports no error. The groups' nodes start in any order, the instances of each UltraServer
    are divided between the groups, and no job finds a whole UltraServer in its group.
    """

    id = "E3048"
    source = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/deploy/eks/ultraserver.html"

    def check(self, context: RuleContext) -> Violations:
        first: dict[str, ClusterGroup] = {}
        for group in context.environment.cluster_groups:
            capacity = group.capacity
            if not isinstance(capacity, UltraserverBlock):
                continue
            other = first.setdefault(capacity.reservation_id, group)
            if other.name != group.name:
                place = f" of {other.provider} or {group.provider}"
                yield Violation(
                    (*group.path, "capacity", "reservation_id"),
                    f"{other.name} and {group.name} share {capacity.reservation_id}, an UltraServer block",
                    f"combine both into one group{place if are_of_two_providers(other, group) else ''}, "
                    "or buy a block for each",
                )

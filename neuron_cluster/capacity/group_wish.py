"""What a node group that runs in capacity blocks has to ask for."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.capacity.block_offer import BlockOffer
from neuron_cluster.capacity.block_unit import unit_of_type
from neuron_cluster.capacity.block_wish import BlockSpan, BlockWish, most_instances
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan, NodeGroupPlan

BLOCK_CAPACITY = "CAPACITY_BLOCK"
"""EKS's word in a plan."""


class GroupWish(Struct, frozen=True):
    """One node group, and the block that holds it at its largest."""

    group: str
    zone_ids: tuple[str, ...]
    wish: BlockWish
    note: str | None
    """Where one block cannot be what the group says."""

    def fits(self, offer: BlockOffer) -> bool:
        """Whether the offer lies in a zone of the group."""
        return offer.offering.zone_id in self.zone_ids


def group_wishes(plan: ClusterPlan, hours: int, span: BlockSpan, catalog: Catalog) -> list[GroupWish]:
    """A wish for each node group on capacity blocks. Raises ``ToolkitError`` for a type that no block has."""
    groups = plan.eks.node_groups if plan.eks is not None else ()
    on_blocks = (group for group in groups if group.machine.market.eks_capacity_type == BLOCK_CAPACITY)
    return [_group_wish(group, hours, span, catalog) for group in on_blocks]


def _group_wish(group: NodeGroupPlan, hours: int, span: BlockSpan, catalog: Catalog) -> GroupWish:
    unit = unit_of_type(group.machine.instance_type, catalog)
    most = group.max if unit.is_ultraserver else min(group.max, most_instances(catalog))
    wish = BlockWish(unit, most // unit.instances, hours, span)  # rule E3046: UltraServers are whole
    note = (
        f"count.max is {group.max}, a block holds {wish.instances} at most: this asks for one; make another group for "
        "another block"
    )
    return GroupWish(group.name, group.zone_ids, wish, note if wish.instances < group.max else None)

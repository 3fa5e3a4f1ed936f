"""The two questions that `deploy` and `diff` ask: what would happen, and what of it is refused."""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.effect import Effect
from neuron_cluster.changes.guards.addons_left_behind import addon_refusals
from neuron_cluster.changes.guards.cluster import cluster_refusals
from neuron_cluster.changes.guards.left_over import left_over_warnings
from neuron_cluster.changes.guards.lustre_metadata import lustre_metadata_refusals
from neuron_cluster.changes.guards.mirror import mirror_warnings
from neuron_cluster.changes.guards.moved_group import moved_group_refusals
from neuron_cluster.changes.guards.one_way import one_way_refusals
from neuron_cluster.changes.guards.overlapping_subnets import overlapping_subnet_refusals
from neuron_cluster.changes.guards.published import published_refusals
from neuron_cluster.changes.guards.replaced_nodes import replaced_node_findings
from neuron_cluster.changes.guards.side_by_side import side_by_side_refusals
from neuron_cluster.changes.guards.state import state_refusals
from neuron_cluster.changes.guards.unknown_type import unknown_types
from neuron_cluster.changes.stack_set import Template
from neuron_cluster.findings.finding import Finding, has_error, in_reading_order


def effects(deployed: Mapping[str, Template], new: Mapping[str, Template]) -> list[Effect]:
    """What a deploy of the new templates does to each resource, by stack and logical id.

    Both mappings are by stack name. ``deployed`` holds the stacks as they stand, ``new`` every stack of the environment
    as it is now written: a stack that is missing there counts as taken out.
    """
    return Comparison(deployed, new).effects()


def refusals(deployed: Mapping[str, Template], new: Mapping[str, Template]) -> list[Finding]:
    """Why the new templates must not be deployed over the deployed ones; empty when they may.

    A finding's file is the stack, its path the logical id. Its hint says the two steps or the way to migrate.
    """
    comparison = Comparison(deployed, new)
    found = [
        *state_refusals(comparison),
        *cluster_refusals(comparison),
        *one_way_refusals(comparison),
        *addon_refusals(comparison),
        *lustre_metadata_refusals(comparison),
        *published_refusals(comparison),
        *side_by_side_refusals(comparison),
        *overlapping_subnet_refusals(comparison),
        *moved_group_refusals(comparison),
        *replaced_node_findings(comparison),
        *unknown_types(comparison),
    ]
    if not has_error(found):  # Else nothing is deployed, so nothing is left either.
        found += [*left_over_warnings(comparison), *mirror_warnings(comparison)]
    return in_reading_order(found)

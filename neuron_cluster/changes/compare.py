"""The comparison of `deploy` and `diff`: resources that would change, and changes that are blocked."""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.effects import Effect
from neuron_cluster.changes.guards.run import guard_findings
from neuron_cluster.changes.stack_set import Template
from neuron_cluster.findings.finding import Finding, in_reading_order


def effects(deployed: Mapping[str, Template], new: Mapping[str, Template], catalog: Catalog) -> list[Effect]:
    """Returns the effect of a deploy of the new templates on each resource, by stack and logical id.

    Both mappings are by stack name. ``deployed`` holds the deployed stacks, ``new`` every stack of the environment
    as it is now written: a stack that is missing there counts as taken out.
    """
    return Comparison(deployed, new, catalog).effects()


def change_findings(deployed: Mapping[str, Template], new: Mapping[str, Template], catalog: Catalog) -> list[Finding]:
    """Why the new templates must not be deployed over the deployed ones; empty when they may.

    A finding's file is the stack, its path the logical id. Its hint has the two steps or the way to migrate.
    """
    return in_reading_order(guard_findings(Comparison(deployed, new, catalog)))

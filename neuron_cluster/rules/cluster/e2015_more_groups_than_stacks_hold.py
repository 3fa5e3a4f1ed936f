"""More node groups than the stacks for them hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.plan.node_stacks import GROUPS_PER_STACK, NODE_STACKS
from neuron_cluster.rules.base import ConfigRule, Problem

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class MoreGroupsThanStacksHold(ConfigRule):
    """An environment has at most 200 node groups: 50 in each of its four stacks for them.

    The stacks are `NAME-nodes`, `NAME-nodes-2` and so on; a group's place in the file says which holds it
    (docs/adr/0007-node-groups-by-fifties.md). By default EKS takes 30 node groups (W2014).

    Without it: CloudFormation refuses a template that is larger than 1 MB.
    """

    id = "E2015"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        del catalog
        most = GROUPS_PER_STACK * len(NODE_STACKS)
        groups = config.eks.node_groups if config.eks is not None else ()
        if len(groups) > most:
            yield Problem(
                ("eks", "node_groups"),
                f"{len(groups)} node groups; an environment takes {most}",
                "join groups of the same machines, or use a second environment",
            )

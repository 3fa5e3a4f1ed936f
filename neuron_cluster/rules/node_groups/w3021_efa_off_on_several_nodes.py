"""Machines made for collectives, without the network for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.machine import EfaLayout
from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class EfaOffOnSeveralNodes(ConfigRule):
    """A Neuron group of several machines that have EFA interfaces uses them.

    Only a warning: machines that never talk to one another, as in most inference, need no EFA.

    Without it: AWS answers nothing. Every machine gets one plain interface on one of its network cards, collectives
    between machines run over TCP, many times slower, and nothing says so.
    """

    id = "W3021"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html"
    references = (
        "terraform-aws-modules/terraform-aws-eks#2182",
        "aws/karpenter-provider-aws#6296",
    )

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        for asked in asked_node_groups(config, catalog):
            row, group = asked.instance_type, asked.group
            if row is None or not asked.is_neuron or not row.efa_interfaces:
                continue
            if group.efa is EfaLayout.OFF and group.count.max > 1:
                many = f"{row.network_cards} " if row.network_cards is not None else ""
                cards = "its network card" if row.network_cards == 1 else f"one of its {many}network cards"
                yield Violation(
                    (*asked.path, "efa"),
                    f"efa is off, so each of up to {group.count.max} x {row.name} uses {cards}, and without EFA",
                    f"remove efa to get EFA, which needs one availability_zone; keep it off if the machines of "
                    f"{group.name} never talk to one another",
                )

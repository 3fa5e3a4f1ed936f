"""Machines made for collectives, without the network for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.machine import EfaLayout
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class EfaOffOnSeveralNodes(ConfigRule):
    """A Neuron group of several machines that have EFA interfaces uses them.

    Only a warning: machines that never talk to one another, as in most inference, need no EFA.

    Without this check AWS reports no error. Every machine gets one plain interface on one of its network cards,
    collectives between machines run over TCP, many times slower, and nothing says so.
    """

    id = "W3021"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html"
    proposes = ("availability_zone", "efa")
    references = (
        "terraform-aws-modules/terraform-aws-eks#2182",
        "aws/karpenter-provider-aws#6296",
    )

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for node_group in environment.cluster_groups:
            row, group = node_group.instance_type, node_group.spec
            if row is None or not node_group.is_neuron or not row.efa_interfaces:
                continue
            if group.efa is EfaLayout.OFF and group.count.max > 1:
                many = f"{row.network_cards} " if row.network_cards is not None else ""
                cards = "its network card" if row.network_cards == 1 else f"one of its {many}network cards"
                yield Violation(
                    (*node_group.path, "efa"),
                    f"efa is off, so each of up to {group.count.max} x {row.name} uses {cards}, and without EFA",
                    f"remove efa to get EFA, which needs one availability_zone; keep it off if the machines of "
                    f"{node_group.name} never talk to one another",
                )

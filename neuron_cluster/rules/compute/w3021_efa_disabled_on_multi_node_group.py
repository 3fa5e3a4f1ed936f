from __future__ import annotations

from neuron_cluster.config.machine import EfaLayout
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class EfaDisabledOnMultiNodeGroup(Rule):
    """A Neuron node group of several instances with EFA interfaces has EFA enabled (`efa`).

    Only a warning: instances that do not communicate with each other, as in most inference, do not require EFA.

    Without this check AWS reports no error. Every instance gets one standard interface on one of its network cards,
    and collectives between instances run over TCP, many times slower.
    """

    id = "W3021"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html"
    proposes = ("availability_zone", "efa")
    references = (
        "terraform-aws-modules/terraform-aws-eks#2182",
        "aws/karpenter-provider-aws#6296",
    )

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            row = group.instance_type
            if row is None or not group.is_neuron or not row.efa_interfaces:
                continue
            if group.spec.efa is EfaLayout.OFF and group.scaling.may_have_several:
                many = f"{row.network_cards} " if row.network_cards is not None else ""
                cards = "its network card" if row.network_cards == 1 else f"one of its {many}network cards"
                yield Violation(
                    (*group.path, "efa"),
                    f"efa is off, so each of {group.scaling.bound} x {row.name} uses {cards} without EFA",
                    f"remove efa to enable EFA, which requires one availability_zone; keep it off if the instances of "
                    f"{group.name} do not communicate with each other",
                )

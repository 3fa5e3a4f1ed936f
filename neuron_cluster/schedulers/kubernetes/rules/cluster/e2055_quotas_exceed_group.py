from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_quotas import GroupQuotas, group_quotas


class QuotasExceedGroup(Rule):
    """The quotas of all teams do not exceed the Neuron devices of the node group at `count.max` (`teams[].quota`).

    Without this check AWS reports no error. Kueue admits jobs of each team up to its quota, and pods of the last ones
    stay pending: no node has devices for them.
    """

    id = "E2055"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#resources"
    proposes = ("desired", "max")

    def check(self, context: RuleContext) -> Violations:
        for each in group_quotas(context.environment):
            if each.reserved > each.at_maximum:
                yield _violation(each)


def _violation(quotas: GroupQuotas) -> Violation:
    """At the last quota that can be lowered to what is left, else at the last one."""
    name, available, maximum = quotas.group.name, quotas.at_maximum, quotas.group.scaling.maximum
    excess = quotas.reserved - available
    fitting = [each for each in quotas.quotas if each.spec.devices >= excess]
    place = (fitting or quotas.quotas)[-1]
    lower = f"devices: {place.spec.devices - excess}" if fitting else f"quotas of {available} devices in all"
    nodes = -(-quotas.reserved // quotas.devices_of_node)
    return Violation(
        (*place.path, "devices"),
        f"teams have quotas of {quotas.reserved} devices of {name} "
        f"({listed(f'{team} {devices}' for team, devices in quotas.by_team.items())}), but {name} has {available} at "
        f"{quotas.group.largest_count_key}: {maximum} ({quotas.devices_of_node} on each node)",
        f"write {lower}, or {quotas.group.largest_count_key}: {nodes} in count of {name}",
        related=tuple(each.path for each in quotas.quotas if each is not place),
    )

from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.plan.team import scaled_quota
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_quotas import GroupQuotas, group_quotas


class QuotasExceedRunningNodes(Rule):
    """The nodes of `count.max` run, so that Kueue reserves the quotas of the file (`teams[].quota`).

    Only a warning: with fewer nodes each quota is the same fraction of the devices that run, rounded down, also where
    they are enough for all quotas: the rest is for borrowing. Groups with desired: 0 run no job and are not checked.

    Without this check AWS reports no error. Jobs of a team wait, although it uses less than its quota in the file.
    """

    id = "W2056"
    source = "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#resources"
    proposes = ("desired",)

    def check(self, context: RuleContext) -> Violations:
        for each in group_quotas(context.environment):
            if 0 < each.running < each.at_maximum and 0 < each.reserved <= each.at_maximum:
                yield _violation(each)


def _violation(quotas: GroupQuotas) -> Violation:
    group = quotas.group
    shares = {
        team: (scaled_quota(quotas.running, devices, quotas.at_maximum), devices)
        for team, devices in quotas.by_team.items()
        if devices
    }
    kept = listed(f"{share} of {devices} for {team}" for team, (share, devices) in shares.items())
    return Violation(
        (*group.path, "count", "desired"),
        f"desired is {group.scaling.desired}: {group.name} runs {quotas.running} of the {quotas.at_maximum} devices at "
        f"max: {group.scaling.maximum}, so Kueue reserves the same fraction of each quota: {kept}",
        f"set desired: {group.scaling.maximum}, with which Kueue reserves the quotas of the file, unless the teams can "
        "wait for more nodes",
        related=tuple(each.path for each in quotas.quotas),
    )

from __future__ import annotations

from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.providers.hyperpod.plan.build_task_governance import sharing_strategy
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class SharingWithoutStrategy(Rule):
    """With task governance a team lends all of its quotas or nothing, and borrows only if it lends (`teams[].quota`).

    HyperPod has one strategy for each team: Lend, DontLend, or LendAndBorrow.

    Without this check no compute quota is as in the file: devices that the team keeps would be lent, or none.
    """

    id = "E2235"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/"
        "sagemaker-hyperpod-eks-operate-console-ui-governance-policies.html"
    )
    proposes = ("borrow", "lend")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        hyperpod = config.section(HyperPod)
        if hyperpod is None or hyperpod.task_governance is None:
            return
        for number, team in enumerate(config.teams):
            if sharing_strategy(team.quota) is not None:
                continue
            path = ("teams", number, "quota")
            partly = next((n for n, quota in enumerate(team.quota) if quota.lend not in (None, 0, quota.devices)), None)
            lenders = [n for n, quota in enumerate(team.quota) if quota.lend in (None, quota.devices)]
            if partly is not None:
                yield Violation(
                    (*path, partly, "lend"),
                    f"{team.name} lends {team.quota[partly].lend} of {team.quota[partly].devices} devices, and with "
                    "task governance a team lends all of its quota or nothing",
                    "remove lend, which lends all; or write lend: 0 and borrow: 0",
                )
            elif lenders:
                other = next(n for n, quota in enumerate(team.quota) if quota.lend == 0)
                yield Violation(
                    (*path, other, "lend"),
                    f"{team.name} lends one of its quotas and not the other, and with task governance it lends all or "
                    "none",
                    "remove lend; or write lend: 0 and borrow: 0 in each of its quotas",
                )
            else:
                borrower = next(n for n, quota in enumerate(team.quota) if quota.borrow != 0)
                yield Violation(
                    (*path, borrower, "borrow"),
                    f"{team.name} lends nothing, and with task governance such a team borrows nothing either",
                    "write borrow: 0 in each of its quotas, or remove lend",
                )

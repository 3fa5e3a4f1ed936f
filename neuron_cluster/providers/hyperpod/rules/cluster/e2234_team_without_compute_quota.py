from __future__ import annotations

from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.providers.hyperpod.groups import hyperpod_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class TeamWithoutComputeQuota(Rule):
    """With task governance each team has a quota of a HyperPod group, of one device at least (`teams[].quota`).

    A team borrows instances of types of its quota only.

    Without this check AWS reports no error. The queue of the team admits no job.
    """

    id = "E2234"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/"
        "sagemaker-hyperpod-eks-operate-console-ui-governance-policies.html"
    )
    proposes = ("devices", "quota")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        hyperpod = config.section(HyperPod)
        if hyperpod is None or hyperpod.task_governance is None:
            return
        first = next((group for group in hyperpod_groups(context.environment) if group.is_governed), None)
        if first is None:  # rule E2232
            return
        devices = (first.instance_type.neuron_devices if first.instance_type is not None else None) or 1
        for number, team in enumerate(config.teams):
            if not team.quota:
                yield Violation(
                    ("teams", number, "quota"),
                    f"{team.name} has no quota, and with task governance a team without one runs no job",
                    f"add a quota, for example [{{node_group: {first.name}, devices: {devices}}}]",
                )
            for position, quota in enumerate(team.quota):
                if quota.devices == 0:
                    yield Violation(
                        ("teams", number, "quota", position, "devices"),
                        f"{team.name} has a quota of 0 devices of {quota.node_group}, from which it borrows nothing",
                        f"write devices: {devices}, or remove the quota",
                    )

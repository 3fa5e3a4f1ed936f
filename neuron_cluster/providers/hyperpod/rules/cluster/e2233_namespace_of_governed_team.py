from __future__ import annotations

from local_kubernetes.model.hyperpod import team_namespace
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class NamespaceOfGovernedTeam(Rule):
    """With task governance a team has one namespace, which has the name that HyperPod gives it (`teams[].namespaces`).

    HyperPod makes the namespace with the compute quota: an allocation cannot have another one.

    Without this check AWS reports no error. A namespace under another name has no queue: its jobs start at once, and
    count for no quota.
    """

    id = "E2233"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/"
        "sagemaker-hyperpod-eks-operate-console-ui-governance-policies.html"
    )
    proposes = ("name", "namespaces")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        hyperpod = config.section(HyperPod)
        if hyperpod is None or hyperpod.task_governance is None:
            return
        for number, team in enumerate(config.teams):
            name, names = team_namespace(team.name), [each.name for each in team.namespaces]
            if names in ([], [name]):  # without namespaces: rule E2094
                continue
            yield Violation(
                ("teams", number, "namespaces"),
                f"namespaces of {team.name} are {listed(names)}; with task governance the team has {name} alone",
                f"write [{{name: {name}}}], with the other keys of the namespace",
            )

from __future__ import annotations

from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.providers.hyperpod.groups import hyperpod_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class TaskGovernanceWithoutTeams(Rule):
    """Task governance has teams, and Neuron instances that are there when it is installed (`hyperpod.task_governance`).

    The add-on requires a node of HyperPod in the cluster.

    Without this check the add-on fails, or no job has a quota: jobs outside of namespaces of teams start at once.
    """

    id = "E2232"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/"
        "sagemaker-hyperpod-eks-operate-console-ui-governance-setup-task-governance.html"
    )
    proposes = ("desired", "queue")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        hyperpod = config.section(HyperPod)
        if hyperpod is None or hyperpod.task_governance is None or hyperpod.slurm is not None:  # rule E2250
            return
        path = ("hyperpod", "task_governance")
        if not config.teams:
            hint = "add teams with a quota of the groups, or remove task_governance"
            yield Violation(path, "the file has no teams, and a compute quota is that of a team", hint)
        groups = hyperpod_groups(context.environment)
        known = [group for group in groups if group.instance_type is not None]
        if len(known) < len(groups):  # rule E2205
            return
        if not any(group.is_neuron for group in groups):
            hint = "add a group with a Neuron instance type, or remove task_governance"
            yield Violation(path, "no group has Neuron devices, and quotas of teams count these", hint)
        if not any(group.spec.count.desired for group in groups):
            hint = "write desired: 1 in count of a group, or remove task_governance, and set queue: training of a group"
            message = "all groups have count.desired 0, and the add-on requires a node of HyperPod"
            yield Violation((*groups[0].path, "count", "desired"), message, hint)

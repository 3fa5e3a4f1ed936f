from __future__ import annotations

from neuron_cluster.findings.text import listed, quoted
from neuron_cluster.providers.hyperpod.groups import hyperpod_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class TaintsWithDeepHealthChecks(Rule):
    """A group with deep health checks has no taints of the file (`taints`).

    HyperPod sets a taint of its own while a check runs. The toolkit leaves out the one of Neuron nodes too.

    Without this check SageMaker rejects the cluster with a ValidationException, and the stack rolls back.
    """

    id = "E2208"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-custom-labels-and-taints.html"
    proposes = ("deep_health_checks", "taints")

    def check(self, context: RuleContext) -> Violations:
        for group in hyperpod_groups(context.environment):
            if group.spec.deep_health_checks and group.spec.taints:
                keys = listed(quoted(taint.key) for taint in group.spec.taints)
                yield Violation(
                    (*group.path, "taints"),
                    f"{group.name} has deep_health_checks, and HyperPod rejects taints together with them: {keys}",
                    "remove taints, or remove deep_health_checks",
                )

from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.hyperpod.groups import hyperpod_instances
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class DeepHealthChecksNotSupported(Rule):
    """HyperPod runs deep health checks on the instance type of a group that has them (`deep_health_checks`).

    Without this check SageMaker rejects the cluster with a ValidationException, and the stack rolls back.
    """

    id = "E2209"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-resiliency-deep-health-checks.html"
    proposes = ("deep_health_checks",)

    def check(self, context: RuleContext) -> Violations:
        types = context.catalog.hyperpod_types
        for group in hyperpod_instances(context.environment):
            row = types.get(group.spec.instance_type)
            if row is None or row.has_deep_health_checks or not group.spec.deep_health_checks:  # rule E2205
                continue
            checked = listed(each.name for each in types if each.has_deep_health_checks)
            yield Violation(
                (*group.path, "deep_health_checks"),
                f"HyperPod runs no deep health checks on {row.name}, but on {checked}",
                "remove deep_health_checks",
            )

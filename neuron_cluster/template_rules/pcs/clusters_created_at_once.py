from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.pcs.compute_node_group import CLUSTER


class ClustersCreatedAtOnce(TemplateRule):
    """One PCS cluster is created at a time (`DependsOn`).

    PCS creates one cluster of an account in a Region at a time, CloudFormation all resources of a stack that do not
    depend on each other.
    """

    id = "E8959"
    operation = "pcs:CreateCluster"
    error_code = "ServiceQuotaExceededException"
    source = "boto/botocore 1.44.5: pcs CreateCluster"
    types = ("AWS::PCS::Cluster",)

    def check(self, context: TemplateContext) -> Violations:
        for other in context.look_up.resources(CLUSTER, stack=context.resource.stack):
            if other is context.resource:
                return
            if not context.look_up.depends_on(context.resource, other.logical_id) and not context.look_up.depends_on(
                other, context.resource.logical_id
            ):
                yield Violation(
                    "",
                    f"is created at the same time as {other.logical_id}",
                    f"write DependsOn: {other.logical_id}, or use a stack for each cluster",
                )
                return

from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import text
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, groups_of


class InstanceGroupNames(TemplateRule):
    """The instance groups of a cluster differ in their names, and are not too many (`InstanceGroupName`).

    The name is the key of a group in every call. The guide of EKS has a smaller number than the API: this rule has the
    larger one.

    Without this check SageMaker rejects the cluster with a ValidationException (read from the schema, not tried).
    """

    id = "E8916"
    operation = "sagemaker:CreateCluster"
    error_code = None
    source = "boto/botocore 1.44.5: sagemaker ClusterInstanceGroupSpecifications; number: catalog/data/limits.yaml"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        maximum = context.catalog.limits["hyperpod_groups"].require_maximum()
        groups, seen = groups_of(context.resource), set[str]()
        if len(groups) > maximum:
            yield Violation(
                "InstanceGroups",
                f"lists {len(groups)} groups; a cluster has {maximum} at most",
                f"remove groups, so that {maximum} are left, or use a second cluster",
            )
        for group in groups:
            name = text(group.at("InstanceGroupName"))
            if name in seen:
                yield Violation(
                    f"{group.path}.InstanceGroupName",
                    f"is {name}, as that of a group above it",
                    "write a name that no other group has",
                )
            if name is not None:
                seen.add(name)

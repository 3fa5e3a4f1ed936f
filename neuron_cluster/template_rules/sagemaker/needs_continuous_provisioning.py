from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import is_given
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, InstanceGroup, groups_of, is_continuous


class NeedsContinuousProvisioning(TemplateRule):
    """MinInstanceCount, InstanceRequirements and Spot are for continuous provisioning (`NodeProvisioningMode`).

    Without it SageMaker creates all nodes of a group or none.
    """

    id = "E8921"
    operation = "sagemaker:CreateCluster"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-scaling-eks.html"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        if is_continuous(context.resource) is not False:
            return
        for group in groups_of(context.resource):
            for member in _members(group):
                yield Violation(
                    f"{group.path}.{member}",
                    "is set, and NodeProvisioningMode of the cluster is not Continuous",
                    f"write NodeProvisioningMode: Continuous, or remove {member}",
                )


def _members(group: InstanceGroup) -> Iterator[str]:
    yield from (name for name in ("MinInstanceCount", "InstanceRequirements") if is_given(group.at(name)))
    if group.is_on_spot:
        yield "CapacityRequirements"

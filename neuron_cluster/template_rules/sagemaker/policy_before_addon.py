from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at
from neuron_cluster.template_rules.sagemaker.policy_cluster import POLICIES

ADDON_TYPE, ADDON = "AWS::EKS::Addon", "amazon-sagemaker-hyperpod-taskgovernance"


class PolicyBeforeAddon(TemplateRule):
    """Policies of HyperPod depend on the add-on of task governance (`DependsOn`).

    They become objects of its Kueue. On delete the dependency makes CloudFormation delete them first, while it still
    answers. An add-on of another stack is not checked.

    Without this check a policy may be created before the add-on, and fail; on delete its objects may stay.
    """

    id = "E8940"
    operation = "sagemaker:CreateComputeQuota"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/"
        "sagemaker-hyperpod-eks-operate-console-ui-governance-setup-task-governance.html; CloudFormation: DependsOn "
        "attribute"
    )
    types = POLICIES

    def check(self, context: TemplateContext) -> Violations:
        resource, look_up = context.resource, context.look_up
        for addon in look_up.resources(ADDON_TYPE, stack=resource.stack):
            name = addon.logical_id
            if at(addon.properties, "AddonName") == ADDON and not look_up.depends_on(resource, name):
                yield Violation(
                    "", f"does not depend on {name}, the add-on of task governance", f"add to DependsOn: {name}"
                )

from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import items, text
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, groups_of

CHECKS = ("InstanceStress", "InstanceConnectivity")
STRATEGIES = ("WhenIdle", "WhenAllIdle")


class ValueOfApiOnly(TemplateRule):
    """A template has the deep health checks and patching strategies that CloudFormation knows.

    They are InstanceStress and InstanceConnectivity in `OnStartDeepHealthChecks`, and WhenIdle and WhenAllIdle in
    `PatchingStrategy`. The API of SageMaker has more.

    Without this check CloudFormation rejects the value as not valid, before it calls SageMaker.
    """

    id = "E8924"
    operation = "cloudformation:CreateChangeSet"
    error_code = None
    source = "cfn-lint 1.58.0: AWS::SageMaker::Cluster DeepHealthCheckType, PatchingStrategy"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        for group in groups_of(context.resource):
            for position, each in enumerate(items(group.at("OnStartDeepHealthChecks"))):
                name = text(each)
                if name is not None and name not in CHECKS:
                    yield Violation(
                        f"{group.path}.OnStartDeepHealthChecks[{position}]",
                        f"is {name}; CloudFormation knows {' and '.join(CHECKS)}",
                        f"write {' or '.join(CHECKS)}, or remove it",
                    )
            strategy = text(group.at("AutoPatchConfig", "PatchingStrategy"))
            if strategy is not None and strategy not in STRATEGIES:
                yield Violation(
                    f"{group.path}.AutoPatchConfig.PatchingStrategy",
                    f"is {strategy}; CloudFormation knows {' and '.join(STRATEGIES)}",
                    f"write {' or '.join(STRATEGIES)}",
                )

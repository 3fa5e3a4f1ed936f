from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_unknown
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, EKS, groups_of, has_orchestrator


class EksGroupWithoutLifeCycleScript(TemplateRule):
    """Each instance group of a cluster on EKS has a life cycle script (`LifeCycleConfig`).

    The schema of CloudFormation calls its omission a mode, but the guide requires it, and so did the service when
    others tried.

    Without this check SageMaker may reject the cluster with a ValidationException.
    """

    id = "E8919"
    operation = "sagemaker:CreateCluster"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ClusterLifeCycleConfig.html; "
        "alchemy-run/alchemy#924"
    )
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        if not has_orchestrator(context.resource, EKS):
            return
        for group in groups_of(context.resource):
            config = group.at("LifeCycleConfig")
            missing = [name for name in ("SourceS3Uri", "OnCreate") if at(config, name) is None]
            if missing and not is_unknown(config) and at(config, "OnInitComplete") is None:
                yield Violation(
                    f"{group.path}.LifeCycleConfig",
                    f"has no {' and no '.join(missing)}",
                    "write SourceS3Uri, the folder of a script, and OnCreate, its file; the script may do nothing",
                )

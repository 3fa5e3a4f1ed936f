from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_given
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import (
    CLUSTER,
    SLURM,
    groups_of,
    has_orchestrator,
    is_continuous,
)

STRATEGY = "Orchestrator.Slurm.SlurmConfigStrategy"


class SlurmConfigWithContinuous(TemplateRule):
    """With continuous provisioning each group of Slurm has a SlurmConfig, and the cluster no strategy (`SlurmConfig`).

    HyperPod then writes the configuration of Slurm itself: it reads no provisioning_parameters.json, and rejects each
    `SlurmConfigStrategy`.
    """

    id = "E8929"
    operation = "sagemaker:CreateCluster"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-scaling-slurm.html"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        resource = context.resource
        if not has_orchestrator(resource, SLURM) or not is_continuous(resource):
            return
        if is_given(at(resource.properties, *STRATEGY.split("."))):
            yield Violation(STRATEGY, "is set, and NodeProvisioningMode is Continuous", "remove SlurmConfigStrategy")
        for group in groups_of(resource):
            if group.at("SlurmConfig") is None:
                yield Violation(
                    f"{group.path}.SlurmConfig",
                    "is not set, and NodeProvisioningMode is Continuous",
                    "write SlurmConfig with a NodeType, for a Compute group with PartitionNames too",
                )

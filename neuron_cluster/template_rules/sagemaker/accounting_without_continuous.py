from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_given
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, is_continuous

DATABASE = "Orchestrator.Slurm.AccountingDatabase"


class AccountingWithoutContinuous(TemplateRule):
    """A database of Slurm accounting is for continuous provisioning (`AccountingDatabase`).

    Without this check SageMaker may reject the cluster with a ValidationException (read from the model, not tried).
    """

    id = "E8930"
    operation = "sagemaker:CreateCluster"
    error_code = None
    source = "boto/botocore 1.44.5: sagemaker ClusterOrchestratorSlurmConfig AccountingDatabase"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        given = at(context.resource.properties, *DATABASE.split("."))
        if is_given(given) and is_continuous(context.resource) is False:
            yield Violation(
                DATABASE,
                "is set, and NodeProvisioningMode is not Continuous",
                "write NodeProvisioningMode: Continuous, or remove AccountingDatabase",
            )

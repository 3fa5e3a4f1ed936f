from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_given, is_unknown
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, EKS, SLURM


class OneOrchestrator(TemplateRule):
    """A HyperPod cluster has one orchestrator (`Orchestrator.Eks`, `Orchestrator.Slurm`).

    Clusters without `Orchestrator` are not checked.
    """

    id = "E8926"
    operation = "sagemaker:CreateCluster"
    error_code = "ValidationException"
    source = "cfn-lint 1.58.0: AWS::SageMaker::Cluster Orchestrator"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        orchestrator = at(context.resource.properties, "Orchestrator")
        if orchestrator is None or is_unknown(orchestrator):
            return
        both = [at(orchestrator, name) for name in (EKS, SLURM)]
        if all(map(is_given, both)):
            yield Violation("Orchestrator", "has Eks and Slurm", "remove Slurm, or Eks")
        elif both == [None, None]:
            yield Violation("Orchestrator", "has neither Eks nor Slurm", "write Eks with ClusterArn, or Slurm: {}")

from __future__ import annotations

from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class HyperpodWithoutEks(Rule):
    """A file with instance groups of HyperPod has the EKS cluster that their nodes join, or Slurm (`hyperpod`).

    Without this check SageMaker rejects the cluster with a ValidationException, and the stack rolls back.
    """

    id = "E2201"
    source = (
        "boto/botocore 1.44.5: sagemaker ClusterOrchestrator; "
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-prerequisites.html"
    )

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        hyperpod = config.section(HyperPod)
        if hyperpod is not None and hyperpod.slurm is None and kubernetes_in(config) is None:
            yield Violation(
                ("hyperpod",),
                "hyperpod has instance groups, and the file has no section eks, whose cluster their nodes join",
                "add the section eks with version, access.admins and node_groups (`neuron-cluster explain eks` lists "
                "its keys); add hyperpod.slurm with controller and login, for a cluster with Slurm; or remove hyperpod",
            )

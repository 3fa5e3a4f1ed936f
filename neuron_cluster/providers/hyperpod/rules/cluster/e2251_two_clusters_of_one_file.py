from __future__ import annotations

from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in
from neuron_cluster.schedulers.slurm.section import slurm_in


class TwoClustersOfOneFile(Rule):
    """A HyperPod cluster with Slurm is the only cluster of its file (`hyperpod.slurm`).

    HyperPod has one orchestrator, EKS or Slurm. An EKS cluster, or a second Slurm cluster, belongs to another
    environment, which may have the same VPC and file systems.

    Without this check AWS reports no error: commands of the toolkit for jobs and teams reach one of the clusters only.
    """

    id = "E2251"
    source = "boto/botocore 1.44.5: sagemaker ClusterOrchestrator; docs/hyperpod.md"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        hyperpod = config.section(HyperPod)
        if hyperpod is None or hyperpod.slurm is None:
            return
        kubernetes = kubernetes_in(config)
        if kubernetes is not None:
            yield Violation(
                ("hyperpod", "slurm"),
                f"the file has hyperpod.slurm and the section {kubernetes.path[0]}, and HyperPod has one orchestrator",
                f"remove {kubernetes.path[0]}; or remove hyperpod.slurm, and nodes join the EKS cluster",
            )
        for other in slurm_in(context.environment):
            if other.path != ("hyperpod",):
                yield Violation(
                    other.path,
                    f"the file has two Slurm clusters: {other.path[0]} and hyperpod.slurm",
                    f"remove {other.path[0]}, or hyperpod; a second environment may have the other cluster",
                )

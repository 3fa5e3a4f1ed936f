from __future__ import annotations

from neuron_cluster.providers.hyperpod.config.cluster import HyperPod, NodeRecovery
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class JobAutoResumeWithoutRecovery(Rule):
    """HyperPod repairs the nodes whose jobs it resumes (`job_auto_resume`, `node_recovery`).

    Only a warning: the operator runs PyTorchJobs without it too.

    Without this check AWS reports no error. HyperPod labels a node with a hardware error and does not replace it, and
    its job waits.
    """

    id = "W2242"
    source = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateCluster.html"
    proposes = ("job_auto_resume", "node_recovery")

    def check(self, context: RuleContext) -> Violations:
        hyperpod = context.environment.config.section(HyperPod)
        if hyperpod is not None and hyperpod.job_auto_resume and hyperpod.node_recovery is NodeRecovery.NONE:
            yield Violation(
                ("hyperpod", "job_auto_resume"),
                "job_auto_resume is true, but node_recovery is none: HyperPod replaces no node, and resumes no job",
                "set node_recovery: automatic, or remove job_auto_resume",
            )

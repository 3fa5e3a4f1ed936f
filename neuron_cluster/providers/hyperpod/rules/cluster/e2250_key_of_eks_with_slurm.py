from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.config.capacity import Spot
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.providers.hyperpod.groups import HyperPodSlurmGroup, slurm_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class KeyOfEksWithSlurm(Rule):
    """Groups of a Slurm cluster have no key that HyperPod has with EKS only (`hyperpod`).

    Labels, taints and network topology are those of Kubernetes nodes. Deep health checks of Slurm nodes are for GPUs,
    and Spot capacity, a pinned AMI and updates in batches are for EKS.

    Without this check SageMaker rejects the cluster with a ValidationException, and the stack rolls back.
    """

    id = "E2250"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-resiliency-slurm-deep-health-checks.html; "
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-spot.html; "
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-operate-cli-command-update-cluster-software.html"
    )
    proposes = ("job_auto_resume", "task_governance", "capacity")

    def check(self, context: RuleContext) -> Violations:
        hyperpod = context.environment.config.section(HyperPod)
        if hyperpod is not None and hyperpod.slurm is not None and hyperpod.job_auto_resume:
            yield Violation(
                ("hyperpod", "job_auto_resume"),
                "hyperpod has job_auto_resume, which is of PyTorchJobs on EKS, and its orchestrator is Slurm",
                "remove job_auto_resume; jobs of Slurm are requeued, and start again from their checkpoints",
            )
        if hyperpod is not None and hyperpod.slurm is not None and hyperpod.task_governance is not None:
            yield Violation(
                ("hyperpod", "task_governance"),
                "hyperpod has task_governance, which is of Kubernetes queues on EKS, and its orchestrator is Slurm",
                "remove task_governance: jobs of Slurm wait in its partitions",
            )
        for group in slurm_groups(context.environment):
            for path in _keys(group):
                key = path[len(group.path)]
                hint = "set kind: on_demand, or remove capacity" if key == "capacity" else f"remove {key}"
                what = "Spot capacity" if key == "capacity" else key
                yield Violation(
                    path, f"{group.name} has {what}, which HyperPod has with EKS only, not with Slurm", hint
                )


def _keys(group: HyperPodSlurmGroup) -> Iterator[KeyPath]:
    spec = group.spec
    given = {
        "labels": spec.labels,
        "taints": spec.taints,
        "deep_health_checks": spec.deep_health_checks,
        "network_topology": spec.network_topology,
        "ami_release": spec.ami_release,
        "software_updates": spec.software_updates,
    }
    yield from ((*group.path, key) for key, value in given.items() if value)
    if isinstance(spec.capacity, Spot):
        yield (*group.path, "capacity", "kind")

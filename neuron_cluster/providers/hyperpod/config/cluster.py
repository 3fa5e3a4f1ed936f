"""The section ``hyperpod``: one cluster of SageMaker HyperPod with its instance groups."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel, Switch
from neuron_cluster.providers.hyperpod.config.group import InstanceGroup
from neuron_cluster.providers.hyperpod.config.slurm import SlurmOrchestrator, SlurmView, slurm_view
from neuron_cluster.providers.hyperpod.config.task_governance import TaskGovernance


class NodeRecovery(enum.StrEnum):
    """Whether HyperPod reboots or replaces nodes with reported hardware errors."""

    AUTOMATIC = "automatic"
    NONE = "none"


class HyperPod(ClosedModel):
    """One HyperPod cluster, named like the environment. Its nodes join the cluster of the section eks, or run Slurm."""

    node_recovery: NodeRecovery = Field(
        default=NodeRecovery.AUTOMATIC,
        description="automatic: HyperPod reboots or replaces Neuron nodes with reported hardware errors. none: it "
        "labels them.",
        examples=["automatic"],
    )
    continuous: Switch = Field(
        default=True,
        description="Continuous provisioning: the cluster is in service with the nodes that HyperPod gets, and it goes "
        "on to look for the others. Without it, a deploy gets all instances or fails.",
        examples=[True],
    )
    job_auto_resume: Switch = Field(
        default=False,
        description="Kubeflow's Training Operator v1, for PyTorchJobs that HyperPod resumes: when it replaces or "
        "reboots a node of a job with its annotations, the job starts again. Requires node_recovery: automatic.",
        examples=[True],
    )
    slurm: SlurmOrchestrator | None = Field(
        default=None,
        description="Slurm instead of EKS: controller and login instances. Default: nodes join the cluster of eks.",
        examples=[
            {
                "controller": {"instance_type": "ml.m7i.2xlarge"},
                "login": {"instance_type": "ml.m7i.2xlarge", "count": {"desired": 1}},
            }
        ],
    )
    task_governance: TaskGovernance | None = Field(
        default=None,
        description="Quotas of teams are compute quotas of HyperPod, whose add-on brings its own Kueue. Absent: quotas "
        "of teams are those of the toolkit's Kueue.",
        examples=[{"idle_resource_sharing": True}],
    )
    groups: Annotated[list[InstanceGroup], Field(min_length=1)] = Field(
        description="Instance groups, each of one instance type."
    )

    @property
    def slurm_section(self) -> SlurmView | None:
        """The cluster as rules about Slurm read it; None with EKS."""
        return slurm_view(self.groups) if self.slurm is not None else None

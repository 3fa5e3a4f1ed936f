"""The section ``hyperpod``: one cluster of SageMaker HyperPod with its instance groups."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel, Switch
from neuron_cluster.providers.hyperpod.config.group import InstanceGroup


class NodeRecovery(enum.StrEnum):
    """Whether HyperPod reboots or replaces nodes with reported hardware errors."""

    AUTOMATIC = "automatic"
    NONE = "none"


class HyperPod(ClosedModel):
    """One HyperPod cluster, named like the environment. Its nodes join the EKS cluster of the section eks."""

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
    groups: Annotated[list[InstanceGroup], Field(min_length=1)] = Field(
        description="Instance groups, each of one instance type."
    )

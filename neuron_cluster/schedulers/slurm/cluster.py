"""A Slurm cluster as its jobs, the pages of its teams and exports read it, whichever provider runs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol, runtime_checkable

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.schedulers.slurm.gres import GresPlan
from neuron_cluster.schedulers.slurm.node_start_plan import NodeStartPlan


class SlurmNodesPlan(ComputeGroupPlan, frozen=True, kw_only=True):
    """A group of nodes of one instance type."""

    service: ClassVar[str] = "PCS"
    """The service that runs its nodes, as messages name it."""
    size_key: ClassVar[str] = "count.max"
    """The key of a group with its largest number of nodes."""
    takes_settings: ClassVar[bool] = True
    """Whether the file may give Slurm settings of its nodes."""
    has_numbered_nodes: ClassVar[bool] = True
    """Whether its nodes are called ``<physical_name>-1`` and so on."""

    physical_name: str
    """``<name>-<hex>``: changes with whatever replaces the group, so that a replacement never collides."""
    settings: Mapping[str, str]
    """Slurm settings of its nodes."""
    start: NodeStartPlan
    """What its nodes are set up with before slurmd starts."""
    gres: GresPlan | None = None
    """None without Neuron devices."""
    queues: tuple[str, ...] = ()
    """Names of all that list it, in the order of the file; none of the login group."""


class SlurmQueuePlan(Struct, frozen=True):
    """A queue. Its groups are names in the file."""

    path: KeyPath
    name: str
    groups: tuple[str, ...]
    is_default: bool
    has_whole_nodes: bool
    settings: Mapping[str, str]


@runtime_checkable
class SlurmCluster(Protocol):
    """The plan of one cluster. Each provider of Slurm clusters has such a plan."""

    @property
    def path(self) -> KeyPath:
        """Its section of the environment file."""
        ...

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str:
        """Slurm version."""
        ...

    @property
    def has_accounting(self) -> bool: ...

    @property
    def idle_seconds(self) -> int | None:
        """Seconds without a job after which a node above the minimum of its group ends; None: it stays."""
        ...

    @property
    def recovery_times(self) -> Sequence[str]:
        """Rows of ``controller_timings`` until an instance takes the place of a lost one; empty: none does."""
        ...

    @property
    def settings(self) -> Mapping[str, str]:
        """Slurm settings of the cluster."""
        ...

    @property
    def cgroup_settings(self) -> Mapping[str, str]: ...

    @property
    def login(self) -> SlurmNodesPlan:
        """The nodes from which users submit jobs."""
        ...

    @property
    def groups(self) -> Sequence[SlurmNodesPlan]:
        """The groups that run jobs, in the order of the file."""
        ...

    @property
    def compute_groups(self) -> Sequence[SlurmNodesPlan]:
        """Those that run no jobs, the login group among them, then the others."""
        ...

    @property
    def queues(self) -> Sequence[SlurmQueuePlan]: ...

    @property
    def parent_ami(self) -> str | None:
        """Id of the AMI that the AMI of its nodes is built from; None where the lock pins none."""
        ...

    @property
    def login_tag(self) -> str | None:
        """The name tag of login nodes; None where another account has their instances."""
        ...

    @property
    def login_actions(self) -> Sequence[str]:
        """Actions of IAM that the command below needs."""
        ...

    def find_login_node(self, region: str) -> str:
        """The shell command that prints the target of a session on the first login node that runs."""
        ...


def slurm_of(plan: ClusterPlan) -> SlurmCluster | None:
    """The Slurm cluster of an environment, which has one at most."""
    parts: Sequence[object] = plan.providers
    return next((part for part in parts if isinstance(part, SlurmCluster)), None)

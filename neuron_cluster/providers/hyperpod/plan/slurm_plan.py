"""A HyperPod cluster with Slurm, completely decided."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from neuron_cluster.plan.control_plane import ControlPlane
from neuron_cluster.plan.team import Team
from neuron_cluster.plan.work_path import WorkPath
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan
from neuron_cluster.schedulers.slurm.cluster import SlurmNodesPlan, SlurmQueuePlan
from neuron_cluster.schedulers.slurm.posix_users import posix_name

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.table import Table


class HyperPodSlurmGroupPlan(SlurmNodesPlan, frozen=True, kw_only=True):
    """The controller, the login group, or an instance group that runs jobs."""

    noun = "instance group"
    is_sold_by_ec2 = False
    size_key = "count.desired"
    takes_settings = False
    has_numbered_nodes = False
    service = "HyperPod"

    node_type: str
    """``Controller``, ``Login`` or ``Compute``. Source: botocore 1.44.5, sagemaker ClusterSlurmNodeType."""
    min_instances: int = 0
    """Instances without which a group that grows goes back to its previous number."""
    training_plan_arn: str | None = None
    extra_volume_gib: int | None = None

    @property
    def label(self) -> str:
        return self.noun if self.queue is not None else f"{self.node_type.lower()} group"

    @property
    def is_spot(self) -> bool:
        """HyperPod has Spot capacity with EKS only (rule E2250)."""
        return False


class HyperPodSlurmPlan(HyperPodPlan, frozen=True, kw_only=True):
    """One cluster: SageMaker runs its controller as an instance of its own account."""

    orchestrator, scheduler = "Slurm", "slurm"
    has_accounting = True
    """Source: https://docs.aws.amazon.com/sagemaker/latest/dg/smcluster-getting-started-slurm-cli.html (MariaDB)."""
    idle_seconds = None
    """Nodes do not end without jobs."""
    cgroup_settings: ClassVar[Mapping[str, str]] = {}
    parent_ami = None
    login_tag = None
    """Its instances are in an account of SageMaker."""
    login_actions = ("sagemaker:DescribeCluster", "sagemaker:ListClusterNodes")

    @property
    def recovery_times(self) -> tuple[str, ...]:
        return ("hyperpod_node_recovery", "node_boot_and_join") if self.has_recovery else ()

    region: str
    version: str
    """Slurm version of HyperPod's AMI."""
    configuration_folder: str
    """Folder of slurm.conf on the controller."""
    controller: HyperPodSlurmGroupPlan
    login: HyperPodSlurmGroupPlan
    groups: tuple[HyperPodSlurmGroupPlan, ...]
    queues: tuple[SlurmQueuePlan, ...]
    """Partitions, which HyperPod writes."""
    settings: Mapping[str, str]
    """Settings that the controller adds to slurm.conf."""
    teams: tuple[Team, ...] = ()
    """Teams of the key ``teams``: each is a user of all nodes."""

    @property
    def instance_groups(self) -> tuple[HyperPodSlurmGroupPlan, ...]:
        return (self.controller, self.login, *self.groups)

    @property
    def compute_groups(self) -> tuple[HyperPodSlurmGroupPlan, ...]:
        return self.instance_groups

    def plan_tables(self, written: Container[tuple[str | int, ...]], catalog: Catalog) -> Sequence[Table]:
        from neuron_cluster.providers.hyperpod.report.hyperpod_page import on_slurm  # `validate` has no use of it
        from neuron_cluster.report.marks import Marks

        del catalog
        return on_slurm(self, Marks(written))

    def find_login_node(self, region: str) -> str:
        """Source: https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-run-jobs-slurm-access-nodes.html."""
        of_cluster, group = f"--region {region} --cluster-name {self.name}", self.login.physical_name
        arn = f"aws sagemaker describe-cluster {of_cluster} --query ClusterArn --output text"
        running = "ClusterNodeSummaries[?InstanceStatus.Status==`Running`]|[0].InstanceId"
        node = f"aws sagemaker list-cluster-nodes {of_cluster} --instance-group-name-contains {group}"
        return (
            f"cluster=$({arn}) && node=$({node} --query '{running}' --output text) && "
            f'echo "sagemaker-cluster:${{cluster##*/}}_{group}-$node"'
        )

    def control_plane(self) -> ControlPlane:
        machine = self.controller.machine.instance_type
        return ControlPlane(
            label="controller of HyperPod",
            software="Slurm",
            version=self.version,
            lines=(f"cluster {self.name}", f"on {machine}", "accounting on"),
            zone_id=self.controller.zone_ids[0],
        )

    def work_paths(self) -> Iterator[WorkPath]:
        """Users log in to the login group, and submit there."""
        login = (self.login.name,)
        if self.teams:
            names = tuple(team.name for team in self.teams)
            yield WorkPath(text="sessions, by Session Manager", teams=names, groups=login)
        for queue in self.queues:
            yield WorkPath(text=f"jobs, by queue {queue.name}", from_groups=login, groups=queue.groups)

    def team_lines(self, team: str) -> Iterator[str]:
        user = posix_name(team)
        if any(each.name == user for each in self.login.start.users):
            yield f"user {user} of Slurm nodes"

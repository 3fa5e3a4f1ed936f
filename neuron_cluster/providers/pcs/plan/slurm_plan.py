"""The section ``slurm``, completely decided."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import counted
from neuron_cluster.plan.address_plan import AddressNeed, Purpose
from neuron_cluster.plan.control_plane import ControlPlane
from neuron_cluster.plan.generated_name import GeneratedName
from neuron_cluster.plan.limit_use import Use
from neuron_cluster.plan.missing_image import MissingImage
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.plan.provider_plan import ProviderPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.plan.unpriced_use import UnpricedUse
from neuron_cluster.plan.work_path import WorkPath
from neuron_cluster.providers.pcs.groups import LOGIN
from neuron_cluster.providers.pcs.image.missing import MISSING, missing_hint
from neuron_cluster.providers.pcs.login_nodes import FIRST, find_login_nodes, login_name
from neuron_cluster.schedulers.slurm.cluster import SlurmNodesPlan, SlurmQueuePlan
from neuron_cluster.schedulers.slurm.image.image_plan import SlurmImagePlan
from neuron_cluster.schedulers.slurm.posix_users import posix_name

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.network_plan import ZonePlan
    from neuron_cluster.plan.node_image import NodeImage
    from neuron_cluster.table import Table

PURCHASE_OPTIONS = {"on_demand": "ONDEMAND", "spot": "SPOT", "capacity_block": "CAPACITY_BLOCK"}
"""Names of PCS. Source: botocore 1.44.5, pcs PurchaseOption."""
ROLE_PATH = "/aws-pcs/"
"""PCS accepts a profile whose role has this path, or a name that begins with AWSPCS.

Source: https://docs.aws.amazon.com/pcs/latest/userguide/security-instance-profiles_create.html
"""


class SlurmGroupPlan(SlurmNodesPlan, frozen=True, kw_only=True):
    """A compute node group, or the login group."""

    noun = "compute node group"

    @property
    def label(self) -> str:
        return "login group" if self.path[-1] == LOGIN else self.noun

    @property
    def purchase_option(self) -> str:
        """The PCS API's name of the purchase option."""
        return PURCHASE_OPTIONS[self.machine.purchase.kind]


class SlurmPlan(ProviderPlan, frozen=True, kw_only=True):
    """One PCS cluster."""

    recovery_times = ("slurm_node_replacement",)

    name: str
    version: str
    size: str
    size_nodes: int
    """Instances of all groups that the size allows."""
    has_accounting: bool
    idle_seconds: int
    settings: Mapping[str, str]
    cgroup_settings: Mapping[str, str]
    log_types: tuple[str, ...]
    """Kinds of logs of the controller that are delivered to CloudWatch Logs."""
    zone_id: str
    """The controller has its network interface in the private subnet of this zone."""
    login: SlurmGroupPlan
    groups: tuple[SlurmGroupPlan, ...]
    queues: tuple[SlurmQueuePlan, ...]
    teams: tuple[Team, ...]
    """Those of the key ``teams``: each is a user of all nodes."""
    image: SlurmImagePlan | None
    """The AMI that `neuron-cluster image build` builds; None where the catalog has no installer of the version."""

    def plan_tables(self, written: Container[KeyPath], catalog: Catalog) -> Sequence[Table]:
        del catalog
        from neuron_cluster.providers.pcs.report.slurm_page import slurm_tables  # `validate` has no use of them
        from neuron_cluster.report.marks import Marks

        return slurm_tables(self, Marks(written))

    def node_images(self, lock: Lock | None) -> Sequence[NodeImage]:
        from neuron_cluster.providers.pcs.node_images import node_image  # it reads this class

        return (node_image(self, lock),)

    @property
    def parent_ami(self) -> str | None:
        parent = self.image.parent if self.image is not None else None
        return str(parent) if parent is not None else None  # the lock's texts know their line

    @property
    def login_tag(self) -> str:
        return login_name(self.name)

    @property
    def login_actions(self) -> tuple[str, ...]:
        return ("ec2:DescribeInstances",)

    def find_login_node(self, region: str) -> str:
        return find_login_nodes(self.name, region, FIRST)

    @property
    def compute_groups(self) -> tuple[SlurmGroupPlan, ...]:
        return (self.login, *self.groups)

    def control_plane(self) -> ControlPlane:
        most = sum(group.max for group in self.compute_groups)
        return ControlPlane(
            label="controller of AWS PCS",
            software="Slurm",
            version=self.version,
            lines=(
                f"cluster {self.name}",
                f"size {self.size}: {most:,} of {counted(self.size_nodes, 'instance')} at most",
                f"accounting {'on' if self.has_accounting else 'off'}",
            ),
            zone_id=self.zone_id,
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

    def bucket_role_paths(self) -> Iterator[str]:
        yield ROLE_PATH

    def missing_images(self) -> Iterator[MissingImage]:
        if self.login.image.pinned is None:
            is_parent_pinned = self.image is not None and self.image.parent is not None
            yield MissingImage((*self.path, "ami_id"), MISSING, missing_hint(is_parent_pinned=is_parent_pinned))

    def address_needs(self, tier: SubnetTier, zone: ZonePlan, catalog: Catalog) -> Iterator[AddressNeed]:
        if tier is SubnetTier.PRIVATE and zone.zone_id == self.zone_id:
            yield AddressNeed(Purpose.CONTROL_PLANE, "the Slurm controller", 1, 1)
        yield from super().address_needs(tier, zone, catalog)

    def generated_names(self) -> Iterator[GeneratedName]:
        yield GeneratedName(("name",), "the PCS cluster", self.name, "pcs_cluster_name")
        for group in self.compute_groups:
            path = group.path if group is self.login else (*group.path, "name")
            yield GeneratedName(path, f"the compute node group {group.name}", group.physical_name, "pcs_group_name")
        for queue in self.queues:
            yield GeneratedName((*queue.path, "name"), f"the queue {queue.name}", queue.name, "pcs_queue_name")
        longest = max(map(self.log_source_name, self.log_types), key=len)
        yield GeneratedName(("name",), "a source of Slurm logs", longest, "logs_delivery_source_name")

    def log_source_name(self, log_type: str) -> str:
        """Name of the delivery source of CloudWatch Logs for a type of log, unique in account and Region."""
        return f"{self.name}-slurm-{log_type.removeprefix('PCS_').lower().replace('_', '-')}"

    def not_priced(self) -> Iterator[str]:
        yield "the PCS controller and its fee for each node"
        if self.has_accounting:
            yield "Slurm accounting of PCS"

    def unpriced_uses(self) -> Iterator[UnpricedUse]:
        yield UnpricedUse("slurm-controller", f"the Slurm controller of size {self.size}", "cluster", 1, 1, 1)
        if self.has_accounting:
            yield UnpricedUse("slurm-accounting", "Slurm accounting", "cluster", 1, 1, 1)
        counts = (
            sum(count)
            for count in zip(*((group.min, group.desired, group.max) for group in self.compute_groups), strict=True)
        )
        yield UnpricedUse("slurm-nodes", "the fee of PCS for a node", "node", *counts)

    def keys_created(self) -> int:
        return 1

    def limit_uses(self) -> Iterator[Use]:
        groups, queues = len(self.compute_groups), len(self.queues)
        yield Use("pcs_groups_per_cluster", (*self.path, "groups"), "the PCS cluster", groups)
        yield Use("pcs_queues_per_cluster", (*self.path, "queues"), "the PCS cluster", queues)
        yield Use("pcs_clusters_per_region", self.path, "this cluster", 1)

"""The part of a provider in the plan. The core calls this class and names no provider."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.lock.inputs import ProviderLockInputs
from neuron_cluster.plan.group_addresses import need_of_group
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.plan.team import Team

if TYPE_CHECKING:
    from datetime import date

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.address_plan import AddressNeed
    from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
    from neuron_cluster.plan.control_plane import ControlPlane
    from neuron_cluster.plan.control_plane_price import ControlPlanePrice
    from neuron_cluster.plan.generated_name import GeneratedName
    from neuron_cluster.plan.job_priority import JobPriority
    from neuron_cluster.plan.limit_use import Use
    from neuron_cluster.plan.machine_plan import SecurityGroupRole
    from neuron_cluster.plan.missing_image import MissingImage
    from neuron_cluster.plan.network_plan import ZonePlan
    from neuron_cluster.plan.node_image import NodeImage
    from neuron_cluster.plan.team import Team
    from neuron_cluster.plan.unpriced_use import UnpricedUse
    from neuron_cluster.plan.work_path import WorkPath
    from neuron_cluster.table import Table


class ProviderPlan(Struct, frozen=True, kw_only=True):
    """Base class: one section of the environment file, completely decided."""

    path: KeyPath
    """Of its section in the environment file."""
    teams: tuple[Team, ...] = ()
    """Those of the key ``teams`` that are users of its cluster."""

    def key(self, *parts: str) -> str:
        """Dotted name of a key of the section."""
        return ".".join(map(str, (*self.path, *parts)))

    @property
    def security_groups(self) -> tuple[SecurityGroupRole, ...]:
        """Groups that its service gives to interfaces of its own, in addition to those of compute groups."""
        return ()

    def has_scheduler(self, name: str) -> bool:
        """Whether a scheduler of its provider, of this name, places workloads on its groups."""
        return True

    @property
    def compute_groups(self) -> tuple[ComputeGroupPlan, ...]:
        """In the order of the file."""
        return ()

    def lock_inputs(self, catalog: Catalog) -> ProviderLockInputs:
        """What only an account can return."""
        return ProviderLockInputs()

    def plan_tables(self, written: Container[KeyPath], catalog: Catalog) -> Sequence[Table]:
        """Tables of `plan` about the section, in addition to instances and stacks. ``written``: keys in the file."""
        return ()

    def node_images(self, lock: Lock | None) -> Sequence[NodeImage]:
        """AMIs of its nodes that no service chooses."""
        return ()

    def control_plane(self) -> ControlPlane | None:
        """None for groups without a cluster."""
        return None

    def work_paths(self) -> Iterator[WorkPath]:
        """How jobs and sessions reach its groups."""
        yield from ()

    def job_priorities(self) -> Iterator[JobPriority]:
        """Yields the priority classes of jobs that a service makes in the Kubernetes cluster."""
        yield from ()

    def team_lines(self, team: str) -> Iterator[str]:
        """Yields the parts of a team in addition to the fields of ``Team``, a line each."""
        yield from ()

    def bucket_role_paths(self) -> Iterator[str]:
        """IAM paths of roles of its instances that use the checkpoint bucket; none where they have the path ``/``."""
        yield from ()

    def own_buckets(self) -> Iterator[str]:
        """Names of buckets that it makes for its own files, with the encryption of S3."""
        yield from ()

    def missing_images(self) -> Iterator[MissingImage]:
        """Groups that would start from an AMI without what they need: no template is written then."""
        yield from ()

    def principals(self) -> Iterator[tuple[KeyPath, str]]:
        """ARNs of IAM roles and users that the section names, each with its path."""
        yield from ()

    def address_needs(self, tier: SubnetTier, zone: ZonePlan, catalog: Catalog) -> Iterator[AddressNeed]:
        """Addresses that it uses in the subnet of a tier and zone: those of its groups, in private subnets."""
        if tier is SubnetTier.PRIVATE:
            yield from (need_of_group(group) for group in self.compute_groups if zone.zone_id in group.zone_ids)

    def generated_names(self) -> Iterator[GeneratedName]:
        """Names of its resources, in whose services a name has limits."""
        yield from ()

    def not_priced(self) -> Iterator[str]:
        """Yields costs by the hour or by use in addition to its compute groups, in the words of AWS's bill."""
        yield from ()

    def control_plane_price(self, catalog: Catalog, on: date) -> ControlPlanePrice | None:
        """None where no control plane is billed by the hour."""
        return None

    def unpriced_uses(self) -> Iterator[UnpricedUse]:
        """Yields costs by the hour in addition to its groups, at a price that no source states."""
        yield from ()

    def keys_created(self) -> int:
        """KMS keys that its stacks create."""
        return 0

    def limit_uses(self) -> Iterator[Use]:
        """How much the section uses of service limits that only this provider has."""
        yield from ()

"""A compute group, completely decided: instances of one kind, their image, what they run at first boot, how many."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.machine_plan import MachinePlan
from neuron_cluster.resolved.scaling import Scaling, ScalingKind

NO_LIMIT = "no limit"
"""In the place of a maximum number that a group does not have."""
BY_PARAMETER = "resolve:ssm:"
"""Before the name of an SSM parameter, in the place of an AMI id: EC2 reads the parameter at each launch."""


class ImagePlan(Struct, frozen=True):
    """The AMI of a group: which kind, which release, and how it is looked up."""

    family: str
    """AMI type of a node group, or name of a DLAMI in the catalog."""
    release: str | None = None
    """AMI release version that is pinned; None where the newest one is taken, or where ``image`` names it."""
    image: str | None = None
    """AMI id, or ``resolve:ssm:PARAMETER``, which EC2 resolves at each launch; None: the service chooses it."""

    @property
    def pinned(self) -> str | None:
        """The AMI id of the file or the lock; None where a service reads the newest image."""
        return None if self.image is None or self.image.startswith(BY_PARAMETER) else self.image


class BootstrapPlan(Struct, frozen=True):
    """Parts of the MIME user data: what an instance runs at first boot."""

    shell: str | None = None
    """A shell script. It has run when the kubelet starts, and so before any device plugin."""
    node_config: str | None = None
    """A NodeConfig for nodeadm."""


class ComputeGroupPlan(Struct, frozen=True, kw_only=True):
    """A node group, a compute node group, a workstation, later a Batch environment."""

    noun: ClassVar[str] = "compute group"
    """The noun of its provider for such a group."""
    is_sold_by_ec2: ClassVar[bool] = True
    """Whether EC2 starts its instances in the account, by EC2's offers, quotas and prices."""

    path: KeyPath
    name: str
    """The user's name; construct ids depend on it alone."""
    machine: MachinePlan
    image: ImagePlan
    bootstrap: BootstrapPlan
    scaling: Scaling
    zone_ids: tuple[str, ...]
    team: str | None = None
    queue: str | None = None
    """Queue whose jobs run on its instances; groups may share one."""

    @property
    def label(self) -> str:
        """The label in a picture."""
        return self.noun

    @property
    def queues(self) -> tuple[str, ...]:
        """All whose jobs run on its instances."""
        return (self.queue,) if self.queue is not None else ()

    @property
    def interfaces(self) -> int:
        """Network interfaces of one instance."""
        return len(self.machine.interfaces)

    @property
    def addresses_and_prefixes(self) -> int:
        """Addresses and prefixes of one instance; a prefix counts once."""
        return self.machine.addresses

    @property
    def has_known_addresses(self) -> bool:
        """False: the numbers above are lower bounds."""
        return True

    @property
    def min(self) -> int:
        """Minimum number of instances."""
        return self.scaling.minimum

    @property
    def desired(self) -> int:
        """Instances at the first deployment."""
        return self.scaling.desired

    @property
    def max(self) -> int:
        """Maximum number of instances. Raises ``LookupError`` where nothing bounds them."""
        return self.scaling.require_maximum()

    @property
    def has_limit(self) -> bool:
        """Whether anything bounds the number of instances."""
        return self.scaling.maximum is not None

    @property
    def scales_on_demand(self) -> bool:
        """Whether workloads start instances; otherwise there are ``desired`` ones until the user changes that."""
        return self.scaling.kind is ScalingKind.ON_DEMAND

    def allows(self, instances: int) -> bool:
        """Whether the group may have so many instances."""
        return self.scaling.maximum is None or instances <= self.scaling.maximum

    @property
    def known_maximum(self) -> int:
        """Maximum number of instances; without a limit those at the first deployment: a lower bound."""
        return self.desired if self.scaling.maximum is None else self.scaling.maximum

"""Compute node groups and the login group of the file, with the defaults of their absent keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.config.group import ComputeNodeGroup
from neuron_cluster.providers.pcs.lock_part import built_image
from neuron_cluster.resolved.cluster_groups import resolve_group
from neuron_cluster.resolved.dlami_group import DlamiGroup
from neuron_cluster.resolved.machine_image import dlami_image
from neuron_cluster.resolved.scaling import ScalingKind

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.machine import Machine
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.neuron_host import NeuronHost
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

LOGIN = "login"
"""Name of the login group."""
WITHOUT_EDIT = "keeps its AMI until a deploy has another one; PCS then replaces each node when its jobs end"


class SlurmGroup(DlamiGroup, frozen=True):
    """A compute node group, or the login group."""

    noun = "compute node group"
    machine_noun = "node"
    endpoint_user = "slurm"
    waits_for_block = True
    """Nodes are in maintenance before the block, and jobs wait after it.

    Source: https://docs.aws.amazon.com/pcs/latest/userguide/capacity-blocks-configure-cng.html
    """

    ami_id: str | None = None

    @property
    def is_login(self) -> bool:
        return self.path[-1] == LOGIN

    @property
    def image_path(self) -> KeyPath:
        """All groups have one image."""
        return ("slurm", "dlami")

    def neuron_host(self, instance_type: InstanceType, catalog: Catalog, lock: Lock | None) -> NeuronHost:
        return replace(super().neuron_host(instance_type, catalog, lock), without_edit=WITHOUT_EDIT)

    def pinned_ami(self, lock: Lock | None) -> str | None:
        """Returns the pinned AMI; before `image build` its parent, which has a root volume of the same size."""
        if self.ami_id is not None or lock is None:
            return self.ami_id
        built = built_image(lock)
        return built.image_id if built is not None else lock.dlami_id(self.dlami_name)

    @property
    def pinned_image(self) -> str | None:
        return self.ami_id


def resolve_groups(config: EnvironmentConfig, catalog: Catalog) -> Iterator[SlurmGroup]:
    """The login group, then the others in the order of the file; none without a ``slurm`` section."""
    slurm = config.section(Slurm)
    if slurm is None:
        return
    yield _resolved(("slurm", LOGIN), LOGIN, slurm.login, slurm, config, catalog)
    for position, spec in enumerate(slurm.groups):
        yield _resolved(("slurm", "groups", position), spec.name, spec, slurm, config, catalog)


def slurm_groups(environment: ResolvedEnvironment) -> tuple[SlurmGroup, ...]:
    """The groups that run jobs, in the order of the file."""
    return tuple(group for group in environment.groups_of(SlurmGroup) if not group.is_login)


def login_group(environment: ResolvedEnvironment) -> SlurmGroup | None:
    """Returns the login group; None without a ``slurm`` section."""
    return next((group for group in environment.groups_of(SlurmGroup) if group.is_login), None)


def _resolved(
    path: KeyPath, name: str, spec: Machine, slurm: Slurm, config: EnvironmentConfig, catalog: Catalog
) -> SlurmGroup:
    dlami = catalog.dlamis.get(slurm.dlami)
    group = resolve_group(
        SlurmGroup,
        path,
        spec,
        dlami_image(dlami),
        config,
        catalog,
        name=name,
        team=spec.team if isinstance(spec, ComputeNodeGroup) else None,
        queue=next((queue.name for queue in slurm.queues if name in queue.groups), None),
        dlami_name=slurm.dlami,
        dlami=dlami,
        ami_id=slurm.ami_id,
    )
    kind = ScalingKind.FIXED if group.is_login else ScalingKind.ON_DEMAND
    return replace(group, scaling=replace(group.scaling, kind=kind))

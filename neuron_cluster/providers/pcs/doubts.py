"""Open questions about PCS that a file depends on, each at the key that makes it so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.existing_network import SubnetKind
from neuron_cluster.config.network import Nat
from neuron_cluster.plan.network_plan import NO_ROUTE
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.groups import slurm_groups
from neuron_cluster.schedulers.slurm.queue_defaults import has_whole_nodes

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.slurm import SlurmDoubt
    from neuron_cluster.config.network import Network
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


def doubts_of(
    environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None
) -> Iterator[tuple[SlurmDoubt, KeyPath]]:
    """Yields each doubt once; none without a ``slurm`` section."""
    slurm = environment.config.section(Slurm)
    if slurm is None:
        return
    yield catalog.slurm_doubts["agent_on_dlami"], ("slurm", "ami_id")
    if slurm.ami_id is None:
        yield catalog.slurm_doubts["image_build"], ("slurm", "ami_id")
    for name, path in _of_groups(slurm, environment):
        yield catalog.slurm_doubts[name], path
    closed = _key_of_closed_network(environment.config.network, lock)
    if closed is not None:
        yield catalog.slurm_doubts["private_dns"], closed
    dlami = catalog.dlamis.get(slurm.dlami)
    system = dlami.operating_system if dlami is not None else None
    for row in catalog.slurm_doubts:
        if row.is_about(environment.config.region, slurm.version, slurm.settings, system):
            yield row, _place(row)


def _key_of_closed_network(network: Network, lock: Lock | None) -> KeyPath | None:
    """Returns the key that makes it a network whose nodes reach AWS services only through endpoints, else None."""
    if network.existing is None:
        return ("network", "nat") if network.nat is Nat.NONE else None
    private = {each.id for each in network.existing.subnets if each.kind is SubnetKind.PRIVATE}
    locked = lock.network.subnets if lock is not None and lock.network is not None else {}
    is_closed = any(subnet.route == NO_ROUTE for name, subnet in locked.items() if name in private)
    return ("network", "existing", "subnets") if is_closed else None


def _place(row: SlurmDoubt) -> KeyPath:
    if row.settings:
        return ("slurm", "settings")
    if row.operating_systems:
        return ("slurm", "dlami")
    return ("region",) if row.regions else ("slurm", "version")


def _of_groups(slurm: Slurm, environment: ResolvedEnvironment) -> Iterator[tuple[str, KeyPath]]:
    groups = slurm_groups(environment)
    neuron = [group for group in groups if group.is_neuron]
    if not neuron:
        return
    yield "trainium", (*neuron[0].path, "instance_type")
    blocks = [group for group in neuron if group.block is not None]
    if blocks:
        yield "trainium_capacity_blocks", (*blocks[0].path, "capacity", "kind")
    ultraservers = [group for group in neuron if group.instance_type is not None and group.instance_type.ultraserver]
    if ultraservers:
        yield "ultraservers", (*ultraservers[0].path, "instance_type")
    names = {group.name for group in neuron}
    for position, queue in enumerate(slurm.queues):
        if not has_whole_nodes(queue, groups) and names & {*queue.groups}:
            yield "runtime_under_cgroups", ("slurm", "queues", position, "whole_nodes")
            return

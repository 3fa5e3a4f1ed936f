"""From the resolved environment to what will be built. Total: an environment without errors always has a plan."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.environment_config import Lifecycle
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.planning.build_addresses import build_addresses
from neuron_cluster.planning.build_budget import build_budget
from neuron_cluster.planning.build_network import build_network
from neuron_cluster.planning.build_observability import build_observability
from neuron_cluster.planning.build_storage import build_storage
from neuron_cluster.planning.build_workstation import build_workstation
from neuron_cluster.protocol.registry import registered
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


def build_plan(environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None = None) -> ClusterPlan:
    """Makes every decision that is left; images and versions that the file leaves open are those of the lock.

    Raises ``LookupError`` only where stage 1 rules were not run before.
    """
    config = environment.config
    region = catalog.regions.get(config.region)
    if region is None:
        raise LookupError(f"the catalog has no Region {config.region}")
    network = build_network(environment, catalog, lock)
    storage = build_storage(environment, catalog, lock)
    built = (each.build_plan(environment, network, catalog, lock) for each in registered())
    providers = tuple(each for each in built if each is not None)
    cache = storage.compile_cache if storage is not None else None
    workstations = tuple(
        build_workstation(group, config.region, lock, catalog, cache) for group in environment.workstations
    )
    return ClusterPlan(
        name=config.name,
        account=config.account,
        region=config.region,
        partition=region.partition,
        is_durable=config.lifecycle is Lifecycle.DURABLE,
        tags=dict(sorted(config.tags.items())),
        launch_tags={key: config.tags[key] for key in sorted(config.propagate_at_launch)},
        neuron_sdk=config.neuron.sdk,
        frameworks=tuple(config.neuron.frameworks),
        network=network,
        storage=storage,
        providers=providers,
        workstations=workstations,
        addresses=build_addresses(network, providers, storage, workstations, catalog),
        containers=tuple(catalog.containers.reference(name) for name in config.neuron.containers),
        prices=dict(sorted(config.prices.items())),
        budget=build_budget(config.budget, None, ("budget",), config.name) if config.budget is not None else None,
        observability=build_observability(config.observability, providers, storage, config.region, catalog),
    )

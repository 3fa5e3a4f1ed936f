"""The providers of this process. Each registers itself when its module ``provider`` is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.sections import PLACES, register_section, remove_section, when_sections_change
from neuron_cluster.findings.discovery import import_by_place
from neuron_cluster.findings.registry import finding_specs
from neuron_cluster.plan.stack_table import register_stacks, remove_stacks
from neuron_cluster.protocol.schedulers import register_scheduler, unregister_scheduler
from neuron_cluster.resolved.resolved_environment import resolve

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.provider_plan import ProviderPlan
    from neuron_cluster.protocol.operations import Operations
    from neuron_cluster.protocol.provider import Provider
    from neuron_cluster.protocol.scheduler import Scheduler
    from neuron_cluster.resolved.provenance import Provenances
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

when_sections_change(finding_specs.cache_clear)  # those of its rules are registered with a provider

_registered: dict[str, Provider] = {}


def register(provider: Provider) -> None:
    """Adds a provider with its section of the file, its stacks and its schedulers.

    Raises ``ValueError`` for a key or a scheduler's name that another one has, and for stacks that do not fit into the
    table.
    """
    key = provider.section.key
    if key in _registered:
        if _registered[key] is provider:
            return
        raise ValueError(f"two providers have the key {key}")
    if key in EnvironmentConfig.model_fields:
        raise ValueError(f"{key} is a key that every environment has")
    register_section(provider.section)
    try:
        register_stacks(provider.section, provider.stacks)
    except ValueError:
        remove_section(provider.section)
        raise
    for scheduler in provider.schedulers:
        register_scheduler(scheduler)
    _registered[key] = provider


def unregister(provider: Provider) -> None:
    """Removes what ``register`` added: for a process that needs it for a while.

    Raises ``KeyError`` for an unknown one.
    """
    remove_section(provider.section)
    remove_stacks(provider.section)
    del _registered[provider.section.key]
    kept = {scheduler for each in registered() for scheduler in each.schedulers}
    for scheduler in provider.schedulers:
        if scheduler not in kept:
            unregister_scheduler(scheduler)


def registered() -> tuple[Provider, ...]:
    """All of them, in the order of their sections; those of the toolkit are found by their place."""
    for place in PLACES:
        import_by_place(*place)
    return tuple(sorted(_registered.values(), key=lambda each: each.section.order))


def resolve_environment(
    config: EnvironmentConfig, catalog: Catalog, provenances: Provenances | None = None
) -> ResolvedEnvironment:
    """The file with its defaults, and the compute groups of every registered provider."""
    return resolve(config, catalog, registered(), provenances)


def registered_operations() -> tuple[Operations, ...]:
    """The deploy-time part of every registered provider."""
    return tuple(each.operations() for each in registered())


def provider_of(part: ProviderPlan) -> Provider:
    """The provider of a part of the plan."""
    return next(each for each in registered() if each.section.key == part.path[0])


def schedulers_of(plan: ClusterPlan) -> tuple[Scheduler, ...]:
    """Schedulers of the providers whose section the environment has."""
    found = (
        scheduler
        for part in plan.providers
        for scheduler in provider_of(part).schedulers
        if part.has_scheduler(scheduler.name)
    )
    return tuple(dict.fromkeys(found))


def schedulers_in(config: EnvironmentConfig) -> tuple[Scheduler, ...]:
    """The same of a file whose plan is not built."""
    found = (scheduler for provider in registered() for scheduler in provider.schedulers_in(config))
    return tuple(dict.fromkeys(found))

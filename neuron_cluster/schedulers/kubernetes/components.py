"""The enabled components of the key ``addons``: as the file gives them, else the defaults that fit the rest of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.config.namespace import S3_FILES
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in
from neuron_cluster.schedulers.kubernetes.software.defaults_context import DefaultsContext
from neuron_cluster.schedulers.kubernetes.software.enabled_components import enabled_components as enabled_by_flags

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


def enabled_components(environment: ResolvedEnvironment, catalog: Catalog) -> tuple[str, ...]:
    """In the order of the model; none without a cluster."""
    cluster = kubernetes_in(environment.config)
    if cluster is None:
        return ()
    return enabled_by_flags(cluster.section.addons.flags, defaults_context(environment), catalog)


def defaults_context(environment: ResolvedEnvironment) -> DefaultsContext:
    """Returns the facts on which the defaults of the components depend."""
    config, cluster = environment.config, kubernetes_in(environment.config)
    groups = node_groups(environment)
    return DefaultsContext(
        has_neuron=any(group.is_neuron for group in groups),
        has_efa=any(group.has_efa for group in groups),
        has_queues=any(group.queue is not None for group in groups),
        has_lustre=config.storage is not None and config.storage.lustre is not None,
        has_efs=config.storage is not None and config.storage.efs is not None,
        claims_s3_files=any(S3_FILES in (each.spec.claims or ()) for each in listed_namespaces(config)),
        repairs=any(group.needs_monitoring_agent for group in groups),
        chart_values=cluster.section.chart_values if cluster is not None else {},
        installed_otherwise=frozenset(cluster.section.installed_otherwise if cluster is not None else ()),
        metrics=config.observability.metrics.value if config.observability is not None else None,
    )

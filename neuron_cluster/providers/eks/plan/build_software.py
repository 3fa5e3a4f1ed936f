"""Software of the cluster, as the file enables it and the lock pins it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.efs import AccessPoint
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.config.storage import Storage
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.addon_plan import AddonPlan, ChartPlan, ManifestPlan, PatchPlan
from neuron_cluster.plan.compile_cache_plan import READER
from neuron_cluster.plan.image_cache_plan import ImageCachePlan
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.planning.build_observability import alert_values
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.resolved.checkpoints import lustre_capacity_gib
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.schedulers.kubernetes.components import enabled_components
from neuron_cluster.schedulers.kubernetes.software.chart_set import software_set
from neuron_cluster.schedulers.kubernetes.software.compile_cache_address import compile_cache_addresses
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext, LustreVolume
from neuron_cluster.schedulers.kubernetes.software.image_source import ImageSource
from neuron_cluster.schedulers.kubernetes.software.lustre_volumes import CLAIMED_GIB, LUSTRE_CLAIM
from neuron_cluster.schedulers.kubernetes.software.managed_addons import addons_for
from neuron_cluster.schedulers.kubernetes.software.service_accounts import service_accounts
from neuron_cluster.schedulers.kubernetes.software.team_namespaces import team_namespaces


class SoftwarePlan(Struct, frozen=True):
    """All software of a cluster, each part in its order."""

    addons: tuple[AddonPlan, ...]
    charts: tuple[ChartPlan, ...]
    manifests: tuple[ManifestPlan, ...]
    patches: tuple[PatchPlan, ...]
    team_manifests: tuple[ManifestPlan, ...]


class SoftwareContext(Struct, frozen=True):
    """The parts of the cluster that are decided before its software."""

    addons_path: KeyPath
    node_groups: tuple[NodeGroupPlan, ...]
    namespaces: tuple[WorkloadNamespacePlan, ...]
    teams: tuple[Team, ...]
    cache: ImageCachePlan | None
    has_internet: bool


def build_software(
    spec: Eks, environment: ResolvedEnvironment, context: SoftwareContext, catalog: Catalog, lock: Lock | None
) -> SoftwarePlan:
    """Returns the software of enabled components. Add-ons have the version of the lock, without one EKS uses its
    default of the day; charts have the digest that the lock has for their version."""
    component_context = _component_context(spec, environment, context, catalog, lock)
    chosen = software_set(component_context)
    addons = addons_for(
        chosen.addons, context.node_groups, catalog, context.addons_path, prefix_delegation=spec.prefix_delegation
    )
    charts = chosen.charts
    if lock is not None:
        addons = tuple(replace(addon, version=lock.addons.get(addon.name)) for addon in addons)
        charts = tuple(replace(chart, digest=_digest(chart, lock)) for chart in charts)
    cached = [each.name for each in context.namespaces if READER in each.service_accounts]
    addresses = compile_cache_addresses(cached, environment.config.region)
    manifests = (*service_accounts(context.namespaces), *addresses, *chosen.manifests)
    return SoftwarePlan(addons, charts, manifests, chosen.patches, tuple(team_namespaces(component_context)))


def _component_context(
    spec: Eks, environment: ResolvedEnvironment, context: SoftwareContext, catalog: Catalog, lock: Lock | None
) -> ComponentContext:
    config, node_groups = environment.config, context.node_groups
    storage = config.storage
    return ComponentContext(
        addons_path=context.addons_path,
        cluster=config.name,
        region=config.region,
        account=config.account,
        kubernetes_version=spec.version,
        node_groups=node_groups,
        enabled=enabled_components(environment, catalog),
        catalog=catalog,
        chart_values=spec.chart_values,
        namespaces=context.namespaces,
        teams=context.teams,
        container_logs=config.observability is None or config.observability.container_logs,
        neuron_sdk=environment.config.neuron.sdk,
        pods_ready_minutes=spec.pods_ready_minutes,
        has_bucket=storage is not None and storage.checkpoint_bucket is not None,
        has_express=storage is not None and storage.express is not None,
        lustre=_lustre(environment, storage, context, catalog) if storage is not None else None,
        efs_access_points=tuple(each.name for each in _access_points(storage)),
        s3_files_prefix=_s3_files_prefix(storage),
        images=ImageSource(context.cache, context.has_internet, lock.images if lock is not None else {}),
        containers=tuple(catalog.containers.reference(name) for name in config.neuron.containers),
        alert_topic=config.observability.alarm_topic_arn if config.observability is not None else None,
        alerts=alert_values(config.observability, node_groups, catalog),
    )


def _access_points(storage: Storage | None) -> Sequence[AccessPoint]:
    return storage.efs.access_points if storage is not None and storage.efs is not None else ()


def _s3_files_prefix(storage: Storage | None) -> str | None:
    return f"{storage.s3_files.prefix}/" if storage is not None and storage.s3_files is not None else None


def _lustre(
    environment: ResolvedEnvironment, storage: Storage, context: SoftwareContext, catalog: Catalog
) -> LustreVolume | None:
    lustre = storage.lustre
    if lustre is None:
        return None
    homes = tuple(each.name for each in context.namespaces if LUSTRE_CLAIM in each.claims)
    folder = lustre.sync.file_system_path.strip("/") if lustre.sync is not None else ""
    return LustreVolume(lustre_capacity_gib(environment, lustre, catalog) or CLAIMED_GIB, folder, homes)


def _digest(chart: ChartPlan, lock: Lock) -> str | None:
    locked = lock.charts.get(chart.chart)
    return locked.digest if locked is not None and locked.version == chart.version else None

"""Cluster decisions: version, access, node groups, and the software that fits them."""

from __future__ import annotations

from collections.abc import Iterable

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.addon_plan import AddonPlan
from neuron_cluster.plan.image_cache_plan import ImageCachePlan
from neuron_cluster.plan.network_plan import NetworkPlan
from neuron_cluster.planning.build_teams import build_teams
from neuron_cluster.protocol.registry import registered
from neuron_cluster.providers.eks.config.cluster import ControlPlaneLog, Eks, EndpointAccess
from neuron_cluster.providers.eks.plan.build_image_cache import build_image_cache
from neuron_cluster.providers.eks.plan.build_namespaces import build_namespaces
from neuron_cluster.providers.eks.plan.build_software import SoftwareContext, build_software
from neuron_cluster.providers.eks.plan.eks_plan import AutoModeRolesPlan, EksPlan
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces
from neuron_cluster.schedulers.kubernetes.software.bucket_access_roles import bucket_access_roles
from neuron_cluster.schedulers.kubernetes.software.compile_cache_roles import compile_cache_roles
from neuron_cluster.schedulers.kubernetes.software.components.registry import CLOUDWATCH_ADDON
from neuron_cluster.schedulers.kubernetes.software.device_management import device_management_for

PATH = ("eks",)
ADDONS_PATH = (*PATH, "addons")

AGENT_LOGS = ("application", "dataplane", "host", "performance")
"""https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Container-Insights-setup-logs-FluentBit.html."""


def _agent_log_groups(cluster: str, addons: Iterable[AddonPlan]) -> tuple[str, ...]:
    if not any(addon.name == CLOUDWATCH_ADDON for addon in addons):
        return ()
    return tuple(f"/aws/containerinsights/{cluster}/{kind}" for kind in AGENT_LOGS)


def _auto_mode_roles(catalog: Catalog) -> AutoModeRolesPlan:
    node, cluster = catalog.eks_roles["auto_mode_node"], catalog.eks_roles["auto_mode_cluster"]
    return AutoModeRolesPlan(
        node_policies=node.managed_policies,
        cluster_policies=cluster.managed_policies,
        node_pools=cluster.built_in_node_pools,
    )


def _image_cache(spec: Eks, config: EnvironmentConfig, network: NetworkPlan, catalog: Catalog) -> ImageCachePlan | None:
    if not spec.image_cache:
        return None
    return build_image_cache(config.name, config.account, config.region, catalog, has_internet=network.has_internet)


def _cache_writer(spec: Eks, config: EnvironmentConfig) -> str | None:
    """The namespace that writes to the compile cache; None without a cache."""
    cache = config.storage.compile_cache if config.storage is not None else None
    if cache is None or not spec.namespaces:
        return None
    return cache.writer_namespace or spec.namespaces[0].name


def build_eks_plan(
    environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
) -> EksPlan | None:
    """None for an environment without an EKS cluster."""
    spec = environment.config.section(Eks)
    return _build(spec, environment, network, catalog, lock) if spec is not None else None


def _build(
    spec: Eks, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
) -> EksPlan:
    version = catalog.kubernetes_versions.get(spec.version)
    if version is None or version.kubectl_layer is None:  # rules E2001 and E2002 ran before
        raise LookupError(f"the catalog has no kubectl layer for Kubernetes {spec.version}")
    config = environment.config
    node_groups = tuple(
        group for each in registered() for group in each.node_groups(environment, network, catalog, lock)
    )
    cache = _image_cache(spec, config, network, catalog)
    has_lustre = config.storage is not None and config.storage.lustre is not None
    has_bucket = config.storage is not None and config.storage.checkpoint_bucket is not None
    writer = _cache_writer(spec, config)
    listed = listed_namespaces(config)
    namespaces = build_namespaces(
        listed,
        spec.version,
        has_lustre=has_lustre,
        has_bucket=has_bucket,
        cache_writer=writer,
        is_governed=any(group.is_governed for group in node_groups),
    )
    teams = build_teams(config, lock)
    software = build_software(
        spec,
        environment,
        SoftwareContext(ADDONS_PATH, node_groups, namespaces, teams, cache, network.has_internet),
        catalog,
        lock,
    )
    of_file = [each for each in namespaces if each.name in {one.spec.name for one in listed}]
    return EksPlan(
        path=PATH,
        name=config.name,
        version=spec.version,
        kubectl_layer_module=version.kubectl_layer.module,
        kubectl_layer_class=version.kubectl_layer.class_name,
        service_cidr=spec.service_cidr,
        is_public=spec.endpoint.access is EndpointAccess.PUBLIC_AND_PRIVATE,
        public_access_cidrs=tuple(spec.endpoint.public_access_cidrs),
        admins=tuple(spec.access.admins),
        viewers=tuple(spec.access.viewers),
        namespaces=namespaces,
        node_groups=node_groups,
        auto_mode=spec.auto_mode,
        node_policies=catalog.eks_roles["node"].managed_policies,
        auto_mode_roles=_auto_mode_roles(catalog),
        device_management=device_management_for(spec.addons.flags, node_groups, ADDONS_PATH),
        addons=software.addons,
        charts=software.charts,
        control_plane_logs=tuple(each.value for each in ControlPlaneLog if each in spec.control_plane_logs),
        agent_log_groups=_agent_log_groups(config.name, software.addons),
        prefix_delegation=spec.prefix_delegation,
        installed_otherwise=tuple(dict.fromkeys(each.value for each in spec.installed_otherwise)),
        image_cache=cache,
        manifests=software.manifests,
        patches=software.patches,
        workload_roles=(
            *(compile_cache_roles(of_file, writer, config.region) if writer else ()),
            *bucket_access_roles(namespaces, config.region),
        ),
        teams=teams,
        team_manifests=software.team_manifests,
    )

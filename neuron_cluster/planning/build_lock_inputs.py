"""The inputs of a lock for a plan."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.lock.inputs import ChartInput, LockInputs, NetworkInput
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.chart_build import chart_builds
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import STORAGE
from neuron_cluster.plan.needed_software import needed_charts, needed_images


def build_lock_inputs(plan: ClusterPlan, catalog: Catalog, lock: Lock | None = None) -> LockInputs:
    """Also of what the file pins itself, so that taking such a key away changes one thing only.

    ``lock`` is the one of the plan.
    """
    inputs = [each.lock_inputs(catalog) for each in plan.providers]
    return LockInputs(
        environment=plan.name,
        account=plan.account,
        region=plan.region,
        kubernetes_version=next((each.kubernetes_version for each in inputs if each.kubernetes_version), None),
        ami_releases={name: parameters for each in inputs for name, parameters in each.ami_releases.items()},
        dlamis=dict(_dlamis(plan, catalog)),
        addons=tuple(addon for each in inputs for addon in each.addons),
        charts=tuple(_charts(plan, catalog)),
        images=tuple(sorted(set(_images(plan, catalog)))),
        storage_stack=_storage_stack(plan),
        network=_network(plan),
        amis=_amis(plan, lock),
        permission_sets=_permission_sets(plan),
    )


def _charts(plan: ClusterPlan, catalog: Catalog) -> Iterator[ChartInput]:
    remedies = {build.chart: build.remedy(plan.name) for build in chart_builds(plan, catalog)}
    for chart in needed_charts(plan, catalog):
        yield ChartInput(chart.chart, chart.version, chart.reference, remedies.get(chart.chart, ""))


def _amis(plan: ClusterPlan, lock: Lock | None) -> tuple[str, ...]:
    pinned = {group.image.pinned for group in plan.compute_groups if group.image.pinned is not None}
    of_kinds = {row.image_id for row in lock.dlamis.values()} if lock is not None else set()
    return tuple(sorted(pinned - of_kinds))


def _network(plan: ClusterPlan) -> NetworkInput | None:
    existing, own = plan.network.existing, plan.network.endpoints
    if existing is None:
        return None
    return NetworkInput(existing.vpc_id, existing.subnet_ids, tuple(each.service for each in own))


def _permission_sets(plan: ClusterPlan) -> tuple[str, ...]:
    teams = plan.kubernetes.teams if plan.kubernetes is not None else ()
    return tuple(sorted({name for team in teams for name in team.permission_sets}))


def _storage_stack(plan: ClusterPlan) -> str | None:
    lustre = plan.storage.lustre if plan.storage is not None else None
    return plan.stack_name(STORAGE.stack_key) if lustre is not None and lustre.takes_metadata else None


def _dlamis(plan: ClusterPlan, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """The kinds that have a parameter in the Region; one that has none is pinned in the file (rule E7009)."""
    for name in sorted({group.image.family for group in plan.compute_groups}):
        row = catalog.dlamis.get(name)
        if row is not None and plan.region not in row.regions_without_parameter:
            yield name, row.ssm_parameter


def _images(plan: ClusterPlan, catalog: Catalog) -> Iterator[str]:
    """Yields public names, also of images that are pulled through a cache, which exists only after the first deploy."""
    sections = {provider.path for provider in plan.providers}
    yield from (image.reference for image in needed_images(plan, catalog) if image.path[:1] in sections)

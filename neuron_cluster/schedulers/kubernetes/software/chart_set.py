"""The software that the cluster gets, with values that fit, in an order that works."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from local_kubernetes.model.chart_values import merged, value_at
from local_kubernetes.model.names import SYSTEM_NAMESPACE
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chart import Chart
from neuron_cluster.catalog.chart_contract import ChartNeed
from neuron_cluster.catalog.ecr_host import private_registry
from neuron_cluster.dependency_order import in_order
from neuron_cluster.plan.addon_plan import ChartPlan, ManifestPlan, NamespacePlan, PatchPlan, PodRolePlan
from neuron_cluster.plan.namespace_plan import pod_security_labels
from neuron_cluster.schedulers.kubernetes.software.chart_values.image_sources import (
    digests_in_values,
    regional_images,
    through_cache,
)
from neuron_cluster.schedulers.kubernetes.software.component import Component, ComponentAddon, Release, build_component
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.components.registry import (
    COMPONENTS,
    MONITOR_CHART,
    components_of_groups,
)
from neuron_cluster.schedulers.kubernetes.software.values.model import values_model

CHART_TIMEOUT_MINUTES = 10
"""Below the 15 minutes after which the Lambda that runs helm is killed and the release stays pending."""

DNS = "coredns"
"""The add-on that charts whose pods are waited for come after: some of them look up names before they answer."""


class SoftwareSet(Struct, frozen=True):
    """All of it. Charts are in the order in which they are installed, add-ons in that of the flags."""

    charts: tuple[ChartPlan, ...]
    addons: tuple[ComponentAddon, ...]
    manifests: tuple[ManifestPlan, ...]
    patches: tuple[PatchPlan, ...]


class _Part(Struct, frozen=True):
    """A release, or a part of one, with the component that installs it."""

    component: str
    release: Release


def software_set(context: ComponentContext) -> SoftwareSet:
    """Returns the software of the enabled components, and of those that node groups need. Raises ``LookupError`` for a
    chart that the catalog lacks."""
    context = replace(context, enabled=tuple(dict.fromkeys((*context.enabled, *components_of_groups(context)))))
    built = {name: build_component(name, context) for name in context.enabled}
    parts = [_Part(name, release) for name, each in built.items() for release in each.releases]
    charts = {}
    for name in dict.fromkeys(_name(part.release, context.catalog) for part in parts):
        charts[name] = _chart(name, [p for p in parts if _name(p.release, context.catalog) == name], context)
    ordered = _with_needs(charts, built, parts, context)
    return SoftwareSet(
        tuple(ordered[name] for name in in_order({name: chart.needs for name, chart in ordered.items()})),
        tuple(addon for each in built.values() for addon in each.addons),
        tuple(manifest for each in built.values() for manifest in each.manifests),
        tuple(patch for each in built.values() for patch in each.patches),
    )


def _name(release: Release, catalog: Catalog) -> str:
    row = catalog.charts.get(release.chart)
    return release.name or (row.release if row is not None else release.chart)


def _chart(name: str, parts: list[_Part], context: ComponentContext) -> ChartPlan:
    """One release of all its parts, without what it needs."""
    first, spec = parts[0].release, COMPONENTS[parts[0].component]
    row = context.catalog.charts.get(first.chart)
    values = _values(first.chart, parts, context)
    namespaces = {namespace.name: namespace for part in parts for namespace in part.release.namespaces}
    namespace = row.namespace if row is not None else spec.namespace or name
    if namespace != SYSTEM_NAMESPACE:
        labels = pod_security_labels(spec.pod_security, context.kubernetes_version)
        namespaces[namespace] = NamespacePlan(namespace, labels)
    plan = ChartPlan(
        path=context.addons_path,
        release=name,
        chart=first.chart,
        repository=row.address_in(private_registry(context.account, context.region)) if row is not None else "",
        version=row.version if row is not None else "",
        namespace=namespace,
        values=values,
        timeout_minutes=CHART_TIMEOUT_MINUTES,
        namespaces=tuple(namespaces.values()),
        component=parts[0].component,
        stays=any(part.release.stays for part in parts),
        folder=first.chart if row is None else None,
    )
    if row is not None:
        roles = (
            *_pod_roles(row, values, context.catalog),
            *(role for part in parts for role in part.release.pod_roles),
        )
        plan = replace(plan, waits=row.webhooks == "fail", pod_roles=roles)
    return _with_images(plan, context)


def _values(chart: str, parts: list[_Part], context: ComponentContext) -> Mapping[str, Any]:
    """All values but names and digests of images: the toolkit's, those of the Region, those of the file, and last the
    thresholds of ``observability.alarms``."""
    region = context.catalog.regions.get(context.region)
    own = merged(_complete(chart, parts), regional_images(context.catalog.charts.get(chart), region))
    values = merged(own, context.chart_values.get(chart, {}))
    return merged(values, {"alerts": context.alerts}) if chart == MONITOR_CHART and context.alerts else values


def _with_images(chart: ChartPlan, context: ComponentContext) -> ChartPlan:
    """Digests of the lock, which has images as their authors publish them; then the names that nodes pull."""
    region = context.catalog.regions.get(context.region)
    digests = digests_in_values(chart, context.images.digests, region, context.catalog)
    pinned = replace(chart, image_digests=digests)
    cache = context.images.cache
    return pinned if cache is None else through_cache(pinned, cache, context.catalog)


def _complete(chart: str, parts: Iterable[_Part]) -> Mapping[str, Any]:
    """The parts in one, through the closed model of the chart: what no part sets, the model sets or leaves out."""
    together: dict[str, Any] = {}
    for part in parts:
        together |= part.release.values
    model = values_model(chart)
    return model.read(together).as_values() if model is not None else together


def _pod_roles(row: Chart, values: Mapping[str, Any], catalog: Catalog) -> Iterator[PodRolePlan]:
    """Yields the roles of the service accounts that call AWS with these values."""
    for permission in catalog.pod_permissions.of_chart(row.name):
        if permission.statements and (permission.when is None or value_at(values, permission.when) is True):
            yield PodRolePlan(
                permission.namespace,
                permission.service_account,
                statements=permission.statements,
                because=f"What the authors of {row.name} {row.version} publish for it.",
            )


def _with_needs(
    charts: Mapping[str, ChartPlan], built: Mapping[str, Component], parts: list[_Part], context: ComponentContext
) -> dict[str, ChartPlan]:
    """Each release with those that must come first: by the rows of its components, and by the catalog."""
    releases = {
        name: tuple(_name(release, context.catalog) for release in each.releases) for name, each in built.items()
    }
    ordered = {}
    for name, chart in charts.items():
        own = [part.component for part in parts if _name(part.release, context.catalog) == name]
        of_components = [need for each in own for other in COMPONENTS[each].after for need in releases.get(other, ())]
        of_catalog = [
            other.release
            for need in _needs_of(chart, context.catalog)
            for other in charts.values()
            if other.chart == need.chart
        ]
        dns = [DNS] if chart.waits else []
        needs = tuple(dict.fromkeys(need for need in (*dns, *of_components, *of_catalog) if need != name))
        ordered[name] = replace(chart, needs=needs)
    return ordered


def _needs_of(chart: ChartPlan, catalog: Catalog) -> Iterator[ChartNeed]:
    row = catalog.charts.get(chart.chart)
    for need in row.needs if row is not None else ():
        if need.when is None or value_at(chart.values, need.when) is True:
            yield need

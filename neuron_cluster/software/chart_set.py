"""The software that the cluster gets, with values that fit, in an order that works."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chart import Chart
from neuron_cluster.catalog.chart_contract import ChartNeed
from neuron_cluster.chart_values import merged, value_at
from neuron_cluster.kubernetes.names import SYSTEM_NAMESPACE
from neuron_cluster.plan.addon_plan import ChartPlan, ManifestPlan, NamespacePlan, PatchPlan, PodRolePlan
from neuron_cluster.plan.namespace_plan import pod_security_labels
from neuron_cluster.software.component import Component, ManagedAddon, Release, component_of
from neuron_cluster.software.order import in_order
from neuron_cluster.software.regional_images import regional_images
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.model import values_model

CHART_TIMEOUT_MINUTES = 10
"""Below the 15 minutes after which the Lambda that runs helm is killed and the release stays pending."""

DNS = "coredns"
"""The add-on that charts whose pods are waited for come after: some of them look up names before they answer."""


class SoftwareSet(Struct, frozen=True):
    """All of it. Charts are in the order in which they are installed, add-ons in that of the switches."""

    charts: tuple[ChartPlan, ...]
    addons: tuple[ManagedAddon, ...]
    manifests: tuple[ManifestPlan, ...]
    patches: tuple[PatchPlan, ...]


class _Part(Struct, frozen=True):
    """A release, or a part of one, with the switch that brings it."""

    switch: str
    release: Release


def software_set(setting: Setting) -> SoftwareSet:
    """What the switches that are on bring together. Raises ``LookupError`` for a chart that the catalog lacks."""
    made = {switch: component_of(switch, setting) for switch in setting.on}
    parts = [_Part(switch, release) for switch, each in made.items() for release in each.releases]
    charts = {}
    for name in dict.fromkeys(_name(part.release, setting.catalog) for part in parts):
        charts[name] = _chart(name, [p for p in parts if _name(p.release, setting.catalog) == name], setting)
    ordered = _with_needs(charts, made, parts, setting)
    return SoftwareSet(
        tuple(ordered[name] for name in in_order({name: chart.needs for name, chart in ordered.items()})),
        tuple(addon for each in made.values() for addon in each.addons),
        tuple(manifest for each in made.values() for manifest in each.manifests),
        tuple(patch for each in made.values() for patch in each.patches),
    )


def _name(release: Release, catalog: Catalog) -> str:
    row = catalog.chart(release.chart)
    return release.name or (row.release if row is not None else release.chart)


def _chart(name: str, parts: list[_Part], setting: Setting) -> ChartPlan:
    """One release of all its parts, without what it needs."""
    first = parts[0].release
    row = setting.catalog.chart(first.chart)
    ours = merged(_complete(first.chart, parts), regional_images(row, setting.catalog.region(setting.region)))
    values = merged(ours, setting.chart_values.get(first.chart, {}))
    namespaces = {namespace.name: namespace for part in parts for namespace in part.release.namespaces}
    namespace = row.namespace if row is not None else first.namespace or name
    if namespace != SYSTEM_NAMESPACE:
        labels = pod_security_labels(first.pod_security, setting.kubernetes_version)
        namespaces[namespace] = NamespacePlan(namespace, labels)
    plan = ChartPlan(
        path=("eks", "addons"),
        release=name,
        chart=first.chart,
        repository=row.repository if row is not None else "",
        version=row.version if row is not None else "",
        namespace=namespace,
        values=values,
        timeout_minutes=CHART_TIMEOUT_MINUTES,
        namespaces=tuple(namespaces.values()),
        component=parts[0].switch,
        stays=any(part.release.stays for part in parts),
        folder=first.chart if row is None else None,
    )
    if row is None:
        return plan
    return replace(plan, waits=row.webhooks == "fail", pod_roles=tuple(_pod_roles(row, values, setting.catalog)))


def _complete(chart: str, parts: Iterable[_Part]) -> Mapping[str, Any]:
    """The parts in one, through the closed model of the chart: what no part says, the model says or leaves out."""
    together: dict[str, Any] = {}
    for part in parts:
        together |= part.release.values
    model = values_model(chart)
    return model.read(together).as_values() if model is not None else together


def _pod_roles(row: Chart, values: Mapping[str, Any], catalog: Catalog) -> Iterator[PodRolePlan]:
    """Of the service accounts that work in AWS with these values."""
    for permission in catalog.pod_permissions_of(row.name):
        if permission.statements and (permission.when is None or value_at(values, permission.when) is True):
            yield PodRolePlan(
                permission.namespace,
                permission.service_account,
                statements=permission.statements,
                because=f"What the authors of {row.name} {row.version} publish for it.",
            )


def _with_needs(
    charts: Mapping[str, ChartPlan], made: Mapping[str, Component], parts: list[_Part], setting: Setting
) -> dict[str, ChartPlan]:
    """Each release with those that must come first: of what its components say, and of what the catalog does."""
    releases = {
        switch: tuple(_name(release, setting.catalog) for release in each.releases) for switch, each in made.items()
    }
    ordered = {}
    for name, chart in charts.items():
        own = [part.release for part in parts if _name(part.release, setting.catalog) == name]
        said = [need for release in own for switch in release.after for need in releases.get(switch, ())]
        known = [
            other.release
            for need in _needs_of(chart, setting.catalog)
            for other in charts.values()
            if other.chart == need.chart
        ]
        dns = [DNS] if chart.waits else []
        needs = tuple(dict.fromkeys(need for need in (*dns, *said, *known) if need != name))
        ordered[name] = replace(chart, needs=needs)
    return ordered


def _needs_of(chart: ChartPlan, catalog: Catalog) -> Iterator[ChartNeed]:
    row = catalog.chart(chart.chart)
    for need in row.needs if row is not None else ():
        if need.when is None or value_at(chart.values, need.when) is True:
            yield need

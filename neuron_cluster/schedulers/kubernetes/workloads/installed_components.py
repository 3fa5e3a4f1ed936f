"""Which components an environment has, by add-on flag, and which component serves a custom resource."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.software.components.registry import (
    ADDONS,
    BUNDLED_CHARTS,
    CHARTS,
    CHARTS_OF_GROUPS,
    flag_values,
)
from neuron_cluster.schedulers.kubernetes.software.hyperpod_nodes import is_hyperpod


def is_installed(cluster: KubernetesPlan, switch: str) -> bool:
    """Whether the environment has the component of this add-on flag, or its user installs it."""
    if switch in cluster.installed_otherwise:
        return True
    if switch in ADDONS:
        return any(addon.name == ADDONS[switch] for addon in cluster.addons)
    chart = {**CHARTS, **BUNDLED_CHARTS}.get(switch)
    if chart is None:
        return any(manifest.component == switch for manifest in cluster.manifests)
    path = next((path for path, of in flag_values(chart).items() if of == switch), None)
    return any(each.chart == chart and (path is None or value_at(each.values, path) is True) for each in cluster.charts)


def serves_kinds_of(cluster: KubernetesPlan, switch: str, catalog: Catalog) -> bool:
    """Whether the environment serves every kind of this flag's chart, with whichever component."""
    chart = catalog.charts.get(CHARTS[switch]) if switch in CHARTS else None
    kinds = chart.provides if chart is not None else ()
    return bool(kinds) and all(
        missing_component(cluster, each.api_version, each.kind, catalog) is None for each in kinds
    )


CSI_DRIVERS = {
    "ebs.csi.aws.com": "ebs_csi_driver",
    "efs.csi.aws.com": "efs_csi_driver",
    "fsx.csi.aws.com": "fsx_csi_driver",
    "s3.csi.aws.com": "mountpoint_s3_csi_driver",
}
"""The add-on flag of each driver that a PersistentVolume can name."""


def missing_driver(cluster: KubernetesPlan, driver: str) -> MissingComponent | None:
    """The component that the environment lacks to mount volumes of a CSI driver; None where it lacks none."""
    flag = CSI_DRIVERS.get(driver)
    if flag is None or is_installed(cluster, flag):
        return None
    return MissingComponent(f"set {cluster.key('addons', flag)}: true and deploy", has_flag=True)


class MissingComponent(Struct, frozen=True):
    """How to install what serves a kind of custom resource. Without a key of the file, it may be there already."""

    hint: str
    has_flag: bool


def missing_component(
    cluster: KubernetesPlan, api_version: str, kind: str, catalog: Catalog
) -> MissingComponent | None:
    """The component that the environment lacks for this kind; None where it lacks none.

    A kind that no chart of the catalog provides counts as one of Kubernetes itself.
    """
    makers = {
        chart.name: made.when
        for chart in catalog.charts
        for made in chart.provides
        if (made.api_version, made.kind) == (api_version, kind)
    }
    switches = [switch for chart, when in makers.items() for switch in _switches(chart, when)]
    if any(is_installed(cluster, switch) for switch in switches):
        return None
    if switches:
        return MissingComponent(f"set {cluster.key('addons', switches[0])}: true and deploy", has_flag=True)
    if (operator := _missing_manifest(cluster, api_version, kind, catalog)) is not None:
        return operator
    return _missing_chart(cluster, tuple(makers))


def _missing_chart(cluster: KubernetesPlan, makers: Sequence[str]) -> MissingComponent | None:
    """One of these charts, which have no flag: node groups bring it, or the user."""
    brought = [chart for chart in makers if chart in CHARTS_OF_GROUPS.values()]
    if not makers or any(chart.chart in brought for chart in cluster.charts):
        return None
    if brought:
        return MissingComponent(_of_groups(cluster), has_flag=True)
    hint = f"install {', '.join(makers)} before it: {cluster.key('addons')} has no flag for it"
    return MissingComponent(hint, has_flag=False)


def _of_groups(cluster: KubernetesPlan) -> str:
    """How to get the operator that HyperPod's node groups bring."""
    if any(map(is_hyperpod, cluster.node_groups)):
        return "set hyperpod.job_auto_resume: true and deploy; or leave controller at jobset"
    return "only environments with node groups of SageMaker HyperPod have it: leave controller at jobset"


def _missing_manifest(
    cluster: KubernetesPlan, api_version: str, kind: str, catalog: Catalog
) -> MissingComponent | None:
    """Software that the toolkit does not install: the user does, and lists it in ``installed_otherwise``."""
    for row in catalog.manifests:
        flag = row.name.replace("-", "_")
        serves = any((made.api_version, made.kind) == (api_version, kind) for made in row.provides)
        if serves and flag not in cluster.installed_otherwise:
            key = cluster.key("installed_otherwise")
            hint = f"install {row.name} with `kubectl apply --server-side -f {row.address}`, and set {key}: [{flag}]"
            return MissingComponent(hint, has_flag=True)
    return None


def _switches(chart: str, when: str | None) -> Iterator[str]:
    """Yields the flags that install the chart; for a chart of several flags, the one that sets this part of it."""
    shared = [switch for switch, name in CHARTS.items() if name == chart]
    own = flag_values(chart).get(when or "")
    yield from [own] if own in shared else shared

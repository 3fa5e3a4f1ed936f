"""The cluster in the plan: what it is, how pods get Neuron devices, which software it gets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.plan.addon_plan import DeviceManagementPlan
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.providers.eks.report.teams_page import team_tables
from neuron_cluster.report.marks import DEFAULT_MARK, LOCK_MARK, Marks
from neuron_cluster.table import Table

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.providers.eks.plan.eks_plan import EksPlan

NO_VERSION = "A default version is the default of EKS for this Kubernetes version on the day of the deploy."

AUTO_MODE = "on: EKS starts nodes of its own for pods that no node group takes; their price is in no sum here"

DEVICE_WAYS = {
    "device_plugin": "device plugin (pods ask for aws.amazon.com/neuron)",
    "dra": "DRA driver (pods claim from the device class neuron.aws.com)",
}


def cluster_tables(cluster: EksPlan, marks: Marks, catalog: Catalog) -> list[Table]:
    """The cluster, its teams, its managed add-ons, its charts and what comes after them."""
    return [
        _cluster(cluster, marks),
        *team_tables(cluster, marks),
        _addons(cluster),
        _charts(cluster, catalog),
        *_manifests(cluster),
    ]


def _cluster(cluster: EksPlan, marks: Marks) -> Table:
    public = ", ".join(cluster.public_access_cidrs)
    endpoint = f"private, and public from {public}" if cluster.is_public else "private: only from the VPC"
    rows = [
        ("Kubernetes", cluster.version),
        ("endpoint", endpoint + marks.mark((*cluster.path, "endpoint", "access"))),
        ("service addresses", cluster.service_cidr + marks.mark((*cluster.path, "service_cidr"))),
        ("pod addresses", _pod_addresses(cluster) + marks.mark((*cluster.path, "prefix_delegation"))),
        ("Auto Mode", (AUTO_MODE if cluster.auto_mode else "off") + marks.mark((*cluster.path, "auto_mode"))),
        ("image cache", _image_cache(cluster) + marks.mark((*cluster.path, "image_cache"))),
        ("Neuron devices", _devices(cluster.device_management) + marks.mark(cluster.device_management.path)),
        *(row for namespace in cluster.namespaces for row in _namespace(namespace, marks)),
        *(("administrator", principal) for principal in cluster.admins),
        *(("viewer", principal) for principal in cluster.viewers),
    ]
    return Table(f"Cluster {cluster.name}", ("what", "value"), tuple(rows))


def _namespace(namespace: WorkloadNamespacePlan, marks: Marks) -> Iterator[tuple[str, str]]:
    jobs = "" if namespace.takes_jobs and namespace.has_queues else ", no queues"
    jobs = ", made with its compute quota" if namespace.is_governed else jobs
    yield f"namespace {namespace.name}", f"Pod Security {namespace.pod_security}{jobs}{marks.mark(namespace.path)}"
    for access in namespace.bucket_access:
        right = f"{'writes' if access.writes else 'reads'} {access.prefix} of the bucket"
        yield f"role of {namespace.name}/{access.service_account}", right + marks.mark((*access.path, "access"))


def _pod_addresses(cluster: EksPlan) -> str:
    return "in prefixes that nodes take whole" if cluster.prefix_delegation else "one by one, with a spare interface"


def _image_cache(cluster: EksPlan) -> str:
    if cluster.image_cache is None:
        return "off"
    return ", ".join(f"{rule.host} as {rule.prefix}" for rule in cluster.image_cache.rules)


def _devices(management: DeviceManagementPlan) -> str:
    ways = " and ".join(DEVICE_WAYS[way] for way in management.ways) or "no device plugin and no DRA driver"
    return f"{ways}: {management.reason}"


def _addons(cluster: EksPlan) -> Table:
    rows = tuple(
        (
            str(position),
            addon.name,
            f"{addon.version}{LOCK_MARK}" if addon.version is not None else f"default{DEFAULT_MARK}",
            "before nodes" if addon.before_nodes else "after nodes",
            ", ".join(f"{role.namespace}/{role.service_account}" for role in addon.pod_roles),
        )
        for position, addon in enumerate(cluster.addons, 1)
    )
    note = NO_VERSION if any(addon.version is None for addon in cluster.addons) else ""
    return Table("Managed add-ons, in order", ("", "add-on", "version", "installed", "role for"), rows, note)


def _charts(cluster: EksPlan, catalog: Catalog) -> Table:
    rows = tuple(
        (
            str(position),
            release.release,
            release.chart,
            release.version or "ours",
            release.namespace,
            "waited for" if release.waits else "",
            ", ".join(release.needs),
        )
        for position, release in enumerate(cluster.charts, 1)
    )
    digests = ", ".join(f"{each.chart} {each.digest}" for each in cluster.charts if each.digest is not None)
    notes = [f"Digests in the lock, which `lock --check` compares and helm does not: {digests}"] if digests else []
    note = "\n".join((*notes, *_untested(cluster, catalog)))
    columns = ("", "release", "chart", "version", "namespace", "pods", "after")
    return Table("Helm charts, in order", columns, rows, note)


def _untested(cluster: EksPlan, catalog: Catalog) -> Iterator[str]:
    """A sentence for each chart whose authors do not test it on the cluster's version of Kubernetes."""
    for release in dict.fromkeys(each.chart for each in cluster.charts):
        row = catalog.charts.get(release)
        tested = row.kubernetes_tested if row is not None else None
        if row is not None and tested is not None and not tested.has(cluster.version):
            yield (
                f"{row.name} {row.version} is tested by its authors on Kubernetes {tested.first} to {tested.last}, not "
                f"on {cluster.version}."
            )


def _manifests(cluster: EksPlan) -> list[Table]:
    """Objects of ours that come after charts; no table without any."""
    rows = tuple(
        (str(each["kind"]), str(each["metadata"]["name"]), ", ".join(manifest.needs))
        for manifest in cluster.manifests
        for each in manifest.objects
    )
    return [Table("Objects after the charts", ("kind", "name", "after"), rows)] if rows else []

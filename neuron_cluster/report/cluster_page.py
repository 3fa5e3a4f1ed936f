"""The cluster in the plan: what it is, how pods get Neuron devices, which software it gets."""

from __future__ import annotations

from neuron_cluster.orchestrators.eks.plan.eks_plan import EksPlan
from neuron_cluster.plan.addon_plan import DeviceManagementPlan
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.report.marks import DEFAULT_MARK, LOCK_MARK, Marks
from neuron_cluster.table import Table

NO_VERSION = "A default version is the one that EKS has for this Kubernetes version on the day of the deploy."

AUTO_MODE = "on: EKS starts nodes of its own for pods that no node group takes; their price is in no sum here"

DEVICE_WAYS = {
    "device_plugin": "device plugin (pods ask for aws.amazon.com/neuron)",
    "dra": "DRA driver (pods claim from the device class neuron.aws.com)",
}


def cluster_tables(eks: EksPlan, marks: Marks) -> list[Table]:
    """The cluster, its managed add-ons, its charts and what comes after them."""
    return [_cluster(eks, marks), _addons(eks), _charts(eks), *_manifests(eks)]


def _cluster(eks: EksPlan, marks: Marks) -> Table:
    public = ", ".join(eks.public_access_cidrs)
    endpoint = f"private, and public from {public}" if eks.is_public else "private: only from the VPC"
    rows = [
        ("Kubernetes", eks.version),
        ("endpoint", endpoint + marks.mark((*eks.path, "endpoint", "access"))),
        ("service addresses", eks.service_cidr + marks.mark((*eks.path, "service_cidr"))),
        ("pod addresses", _pod_addresses(eks) + marks.mark((*eks.path, "prefix_delegation"))),
        ("Auto Mode", (AUTO_MODE if eks.auto_mode else "off") + marks.mark((*eks.path, "auto_mode"))),
        ("image cache", _image_cache(eks) + marks.mark((*eks.path, "image_cache"))),
        ("Neuron devices", _devices(eks.device_management) + marks.mark(eks.device_management.path)),
        *(_namespace(namespace, marks) for namespace in eks.namespaces),
        *(("administrator", principal) for principal in eks.admins),
        *(("viewer", principal) for principal in eks.viewers),
    ]
    return Table(f"Cluster {eks.name}", ("what", "value"), tuple(rows))


def _namespace(namespace: WorkloadNamespacePlan, marks: Marks) -> tuple[str, str]:
    jobs = "" if namespace.takes_jobs else ", no queues"
    return f"namespace {namespace.name}", f"Pod Security {namespace.pod_security}{jobs}{marks.mark(namespace.path)}"


def _pod_addresses(eks: EksPlan) -> str:
    return "in prefixes that nodes take whole" if eks.prefix_delegation else "one by one, with a spare interface"


def _image_cache(eks: EksPlan) -> str:
    if eks.image_cache is None:
        return "off"
    return ", ".join(f"{rule.host} as {rule.prefix}" for rule in eks.image_cache.rules)


def _devices(management: DeviceManagementPlan) -> str:
    ways = " and ".join(DEVICE_WAYS[way] for way in management.ways) or "no device plugin and no DRA driver"
    return f"{ways}: {management.reason}"


def _addons(eks: EksPlan) -> Table:
    rows = tuple(
        (
            str(position),
            addon.name,
            f"{addon.version}{LOCK_MARK}" if addon.version is not None else f"default{DEFAULT_MARK}",
            "before nodes" if addon.before_nodes else "after nodes",
            ", ".join(f"{role.namespace}/{role.service_account}" for role in addon.pod_roles),
        )
        for position, addon in enumerate(eks.addons, 1)
    )
    note = NO_VERSION if any(addon.version is None for addon in eks.addons) else ""
    return Table("Managed add-ons, in order", ("", "add-on", "version", "installed", "role for"), rows, note)


def _charts(eks: EksPlan) -> Table:
    rows = tuple(
        (
            str(position),
            chart.release,
            chart.chart,
            chart.version or "ours",
            chart.namespace,
            "waited for" if chart.waits else "",
            ", ".join(chart.needs),
        )
        for position, chart in enumerate(eks.charts, 1)
    )
    digests = ", ".join(f"{chart.chart} {chart.digest}" for chart in eks.charts if chart.digest is not None)
    note = f"Digests in the lock, which `lock --check` compares and helm does not: {digests}" if digests else ""
    columns = ("", "release", "chart", "version", "namespace", "pods", "after")
    return Table("Helm charts, in order", columns, rows, note)


def _manifests(eks: EksPlan) -> list[Table]:
    """Objects of ours that come after charts; no table without any."""
    rows = tuple(
        (str(each["kind"]), str(each["metadata"]["name"]), ", ".join(manifest.needs))
        for manifest in eks.manifests
        for each in manifest.objects
    )
    return [Table("Objects after the charts", ("kind", "name", "after"), rows)] if rows else []

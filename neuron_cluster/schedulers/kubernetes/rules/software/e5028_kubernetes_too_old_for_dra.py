from __future__ import annotations

from neuron_cluster.catalog.ami_release import AmiRelease
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.version import version_key
from neuron_cluster.compatibility.nearest_software import nearest_that_fits
from neuron_cluster.compatibility.neuron_software import neuron_hosts
from neuron_cluster.resolved.neuron_host import NeuronHost
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class KubernetesTooOldForDra(Rule):
    """Control plane and nodes support the Neuron DRA driver (`eks.addons.neuron_dra_driver`).

    Nodes are compared by the Kubernetes patch version of the AMI release that the file or the lock pins.

    Without this check AWS reports no error. Kubernetes does not serve the API through which the driver publishes its
    devices, or the kubelet of the nodes loses claims: pods remain Pending.
    """

    id = "E5028"
    needs = Needs.LOCK
    source = "aws-neuron/aws-neuron-sdk: deploy/eks/dra.rst"
    proposes = ("ami_release", "neuron_dra_driver")

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        cluster = kubernetes_in(context.environment.config)
        if cluster is None or not cluster.flag("neuron_dra_driver"):
            return
        dra, version = catalog.device_managements["dra"], cluster.section.version
        if dra.kubernetes_from is not None and version_key(version) < version_key(dra.kubernetes_from):
            yield Violation(
                (*cluster.path, "version"),
                f"version is {version}, but the {dra.title} of {cluster.key('addons')}.neuron_dra_driver requires "
                f"Kubernetes {dra.kubernetes_from} or newer",
                f"set version to {dra.kubernetes_from} or newer, or remove neuron_dra_driver: the device plugin "
                "supports every version",
            )
        for host in neuron_hosts(context.environment, catalog, context.lock):
            patch = (host.ami_release or "").partition("-")[0]
            if patch and dra.node_kubernetes_from and version_key(patch) < version_key(dra.node_kubernetes_from):
                yield Violation(
                    host.path,
                    f"{host.name} runs Kubernetes {patch} ({host.image}), but the {dra.title} of "
                    f"{cluster.key('addons')}.neuron_dra_driver requires nodes of {dra.node_kubernetes_from} or newer",
                    f"{_newer(host, version, dra.node_kubernetes_from, catalog)}, or remove neuron_dra_driver",
                )


def _newer(host: NeuronHost, kubernetes_version: str, node_from: str, catalog: Catalog) -> str:
    """The nearest AMI release that is new enough."""

    def is_newer(release: AmiRelease) -> bool:
        patch = release.kubernetes_patches.get(kubernetes_version)
        return patch is not None and version_key(patch) >= version_key(node_from)

    present = catalog.ami_releases.get(host.ami_release or "")
    found = nearest_that_fits(catalog.ami_releases.rows, present, is_newer)
    name = found.release_version(kubernetes_version) if found is not None else f"one of Kubernetes {node_from} or newer"
    return f"set ami_release of {host.name} to {name}"

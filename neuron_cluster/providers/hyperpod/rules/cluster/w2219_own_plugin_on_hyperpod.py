from __future__ import annotations

from local_kubernetes.model.hyperpod import HEALTH_TAINT
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.hyperpod.groups import HyperPodGroup, hyperpod_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.section import KubernetesInFile, kubernetes_in

EFA = "efa_device_plugin"
NEURON = "neuron_device_plugin"


class OwnPluginOnHyperpod(Rule):
    """A device plugin that you install yourself runs on HyperPod nodes (`eks.addons`, `eks.installed_otherwise`).

    Their label node.kubernetes.io/instance-type has names of SageMaker, and nodes that HyperPod checks have a taint.
    Only a warning: the file does not have the values of your plugin.

    Without this check AWS reports no error. The DaemonSet has 0 pods on these nodes, and pods that request the device
    remain Pending.
    """

    id = "W2219"
    source = "https://github.com/aws/sagemaker-hyperpod-cli@011ca92: helm_chart/readme.md"
    proposes = ("efa_device_plugin", "neuron_device_plugin")

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        groups = hyperpod_groups(context.environment)
        if cluster is None:
            return
        if cluster.flag(NEURON) is False:
            yield from _problem((*cluster.path, "addons", NEURON), NEURON, [each for each in groups if each.is_neuron])
        if place := _efa_place(cluster):
            yield from _problem(place, EFA, [group for group in groups if group.has_efa])


def _efa_place(cluster: KubernetesInFile) -> KeyPath | None:
    """The place where the file leaves the EFA plugin to the user, if it does."""
    others = list(cluster.section.installed_otherwise)
    return (*cluster.path, "installed_otherwise", others.index(EFA)) if EFA in others else None


def _problem(path: KeyPath, plugin: str, groups: list[HyperPodGroup]) -> Violations:
    if not groups:
        return
    types = dict.fromkeys(group.spec.instance_type for group in groups)
    taint = f"{HEALTH_TAINT.key}={HEALTH_TAINT.value}:{HEALTH_TAINT.effect}"
    yield Violation(
        path,
        f"the toolkit does not install {plugin}, and {listed(group.name for group in groups)} has nodes of HyperPod: "
        f"a plugin of yours has to list {listed(types)} and tolerate {taint}",
        f"verify both in the values of your plugin, or remove {plugin} here",
    )

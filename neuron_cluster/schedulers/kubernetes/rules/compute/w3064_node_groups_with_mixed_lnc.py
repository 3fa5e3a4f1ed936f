from __future__ import annotations

from neuron_cluster.resolved.compute_group import lnc_key_first
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import KubernetesNodeGroup, node_groups


class NodeGroupsWithMixedLnc(Rule):
    """Node groups for the same pods have the same logical NeuronCore configuration (`logical_nc_config`).

    Groups with one Neuron chip and one team match the same resource requests, which count devices or cores and do not
    give their configuration. Only a warning: pods can select a group by its label neuron-cluster/node-group. Groups
    with a queue are not compared: jobs reach them through the queue (rule E3065).

    Without this check AWS reports no error. A job whose pods run on both kinds of node sees different numbers of
    NeuronCores, and compiled models are loaded on NeuronCores of the wrong size (nrt_init or nrt_load fails).
    """

    id = "W3064"
    source = "aws-neuron/aws-neuron-sdk: about-neuron/arch/neuron-features/logical-neuroncore-config.rst"
    proposes = ("logical_nc_config",)

    def check(self, context: RuleContext) -> Violations:
        first: dict[tuple[str, str | None], KubernetesNodeGroup] = {}
        for group in node_groups(context.environment):
            row = group.instance_type
            if row is None or row.chip is None or group.logical_nc_config is None or group.queue is not None:
                continue
            other = first.setdefault((row.chip, group.team), group)
            if group.logical_nc_config != other.logical_nc_config:
                yield _violation(*lnc_key_first(group, other), row.chip)


def _violation(group: KubernetesNodeGroup, other: KubernetesNodeGroup, chip: str) -> Violation:
    its_lnc, has_key = other.logical_nc_config, group.has_lnc_key
    edit = f"set logical_nc_config: {its_lnc} in {group.name}, or " if has_key else ""
    return Violation(
        (*group.path, "logical_nc_config" if has_key else "instance_type"),
        f"{group.name} has LNC {group.logical_nc_config} and {other.name} has LNC {its_lnc}: pods that request {chip} "
        "can run on either, with NeuronCores of different sizes",
        f"{edit}let pods select their group by the label neuron-cluster/node-group",
    )

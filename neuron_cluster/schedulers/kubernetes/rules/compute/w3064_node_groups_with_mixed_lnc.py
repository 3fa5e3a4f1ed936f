from __future__ import annotations

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
        first: dict[tuple[str, str | None], tuple[KubernetesNodeGroup, int]] = {}
        for node_group in node_groups(context.environment):
            row, lnc = node_group.instance_type, node_group.logical_nc_config
            if row is None or row.chip is None or lnc is None or node_group.queue is not None:
                continue
            other, its_lnc = first.setdefault((row.chip, node_group.team), (node_group, lnc))
            if lnc != its_lnc:
                yield Violation(
                    (*node_group.path, "logical_nc_config"),
                    f"{node_group.name} has LNC {lnc} and {other.name} has LNC {its_lnc}: pods that request "
                    f"{row.chip} can run on either, with NeuronCores of different sizes",
                    f"set logical_nc_config: {its_lnc} in {node_group.name}, or let pods select their group by the "
                    "label neuron-cluster/node-group",
                )

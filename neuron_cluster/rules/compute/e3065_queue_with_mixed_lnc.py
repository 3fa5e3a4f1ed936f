from __future__ import annotations

from neuron_cluster.resolved.compute_group import ClusterGroup, lnc_key_first
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class QueueWithMixedLnc(Rule):
    """All node groups of a queue have the same logical NeuronCore configuration (`logical_nc_config`).

    A job sets its queue, not its node group: all groups of the queue must have the same NeuronCores. Groups whose
    Neuron chip has one configuration only are not compared.

    Without this check AWS reports no error. The job starts on any group with free capacity, sees half or twice as many
    NeuronCores as it was compiled for, and fails in nrt_init or nrt_load, depending on the node.
    """

    id = "E3065"
    source = "aws-neuron/aws-neuron-sdk: about-neuron/arch/neuron-features/logical-neuroncore-config.rst"
    proposes = ("logical_nc_config", "queue")

    def check(self, context: RuleContext) -> Violations:
        first: dict[str, ClusterGroup] = {}
        for group in context.environment.cluster_groups:
            if group.queue is None or group.logical_nc_config is None:
                continue
            other = first.setdefault(group.queue, group)
            if group.logical_nc_config != other.logical_nc_config:
                yield _violation(*lnc_key_first(group, other), group.queue)


def _violation(group: ClusterGroup, other: ClusterGroup, queue: str) -> Violation:
    its_lnc, can_have_it = other.logical_nc_config, _can_have_lnc_of(other, group)
    edit = f"set logical_nc_config: {its_lnc} in {group.name}, or set another queue for it"
    return Violation(
        (*group.path, "logical_nc_config" if can_have_it else "queue"),
        f"{group.name} has LNC {group.logical_nc_config} and {other.name} has LNC {its_lnc}, but both belong to the "
        f"queue {queue}: its jobs would run on NeuronCores of different sizes",
        edit if can_have_it else f"set another queue for {group.name}",
    )


def _can_have_lnc_of(other: ClusterGroup, group: ClusterGroup) -> bool:
    """Whether the file may give the group the LNC of the other, which no file gives where it has no key for it."""
    configs = group.instance_type.logical_nc_configs if group.instance_type is not None else None
    is_supported = configs is None or other.logical_nc_config in configs  # rule E3010
    return group.has_lnc_key and other.has_lnc_key and is_supported

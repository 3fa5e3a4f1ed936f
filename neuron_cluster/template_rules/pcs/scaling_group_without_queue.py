from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.pcs.compute_node_group import QUEUE, cluster_of
from neuron_cluster.template_rules.property_tree import at, is_unknown, items, whole_number


class ScalingGroupWithoutQueue(TemplateRule):
    """A compute node group that starts instances for jobs is in a queue (`ComputeNodeGroupConfigurations`).

    A group with a fixed number of instances may be a login group, which no queue has.

    Without this check AWS reports no error: no job starts an instance of the group.
    """

    id = "E8965"
    operation = "pcs:CreateQueue"
    error_code = None
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/working-with_queues.html"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        resource, look_up = context.resource, context.look_up
        minimum, maximum = (
            whole_number(at(resource.properties, "ScalingConfiguration", f"{bound}InstanceCount"))
            for bound in ("Min", "Max")
        )
        queues = [
            queue for queue in look_up.resources(QUEUE) if cluster_of(queue, look_up) is cluster_of(resource, look_up)
        ]
        if minimum is None or maximum is None or minimum >= maximum or not queues:
            return
        configured = [at(queue.properties, "ComputeNodeGroupConfigurations") for queue in queues]
        ids = [at(each, "ComputeNodeGroupId") for listed in configured for each in items(listed)]
        is_known = not any(map(is_unknown, configured)) and all(look_up.referred(each) is not None for each in ids)
        if is_known and all(look_up.referred(each) is not resource for each in ids):
            yield Violation(
                "ScalingConfiguration",
                f"starts up to {maximum} instances for jobs, but no queue has the group",
                "add the group to ComputeNodeGroupConfigurations of a queue, or write MinInstanceCount: "
                f"{maximum} for a login group",
            )

"""Node repair in CloudFormation's words."""

from __future__ import annotations

from aws_cdk import aws_eks_v2 as eks

from neuron_cluster.plan.node_repair_plan import NodeRepairPlan

Group = eks.CfnNodegroup


def node_repair_config(plan: NodeRepairPlan | None) -> Group.NodeRepairConfigProperty:
    """EKS wants all four values of an override, and one of count and percentage for each threshold."""
    if plan is None:
        return Group.NodeRepairConfigProperty(enabled=False)
    overrides = [
        Group.NodeRepairConfigOverridesProperty(
            node_monitoring_condition=override.condition,
            node_unhealthy_reason=override.reason,
            repair_action=override.action,
            min_repair_wait_time_mins=override.wait_minutes,
        )
        for override in plan.overrides
    ]
    return Group.NodeRepairConfigProperty(
        enabled=True,
        max_unhealthy_node_threshold_count=plan.unhealthy_at_most,
        max_parallel_nodes_repaired_count=plan.parallel_at_most,
        node_repair_config_overrides=overrides or None,
    )

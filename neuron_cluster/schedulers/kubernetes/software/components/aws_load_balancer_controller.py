"""AWS Load Balancer Controller: load balancers for Ingresses and Services."""

from __future__ import annotations

from neuron_cluster.plan.addon_plan import VPC_ID
from neuron_cluster.schedulers.kubernetes.software.component import Component, Release
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.values.aws_load_balancer_controller import (
    AwsLoadBalancerControllerValues,
)


def component(context: ComponentContext) -> Component:
    """Without its webhook over Services: while none of its pods responds, that webhook blocks every new Service in the
    cluster. A Service then names its load balancer class. Without WAF and Shield, whose actions its role does not have.
    """
    values = AwsLoadBalancerControllerValues(
        cluster_name=context.cluster,
        region=context.region,
        vpc_id=VPC_ID,
        enable_service_mutator_webhook=False,
        enable_shield=False,
        enable_waf=False,
        enable_wafv2=False,
    )
    return Component(releases=(Release(chart="aws-load-balancer-controller", values=values.as_values()),))

"""All stacks of one environment, in the order in which they are deployed."""

from __future__ import annotations

from aws_cdk import Stack
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan, EksPlan
from neuron_cluster.plan.node_stacks import SYSTEM_STACK
from stacks.cluster import ClusterStack
from stacks.environment_stack import tag_resources
from stacks.network import NetworkStack
from stacks.nodes import NodesStack
from stacks.software import SoftwareStack
from stacks.storage import StorageStack


def build_stacks(scope: Construct, plan: ClusterPlan) -> None:
    """Makes the stacks that the plan asks for; one without resources is not made.

    What few environments have is imported where it is made: each module of CDK takes tens of milliseconds.
    """
    tag_resources(scope, plan)
    network = NetworkStack(scope, plan)
    storage = StorageStack(scope, plan, plan.storage, network) if plan.storage is not None else None
    if plan.eks is not None:
        images = _image_cache(scope, plan, plan.eks)
        cluster = ClusterStack(scope, plan, plan.eks, network)
        nodes = {
            part: NodesStack(scope, part, plan, groups, network, cluster)
            for part, groups in plan.eks.group_stacks.items()
        }
        software = SoftwareStack(scope, plan, plan.eks, cluster, nodes.pop(SYSTEM_STACK), network, storage)
        if images is not None:
            software.add_stack_dependency(images)
        for stack in nodes.values():  # what is scarce and paid for comes last, and goes first (ADR 16)
            stack.add_stack_dependency(software)
    if plan.workstations:
        from stacks.workstations import WorkstationsStack

        WorkstationsStack(scope, plan, network, storage)
    if plan.observability is not None and plan.observability.has_stack:
        from stacks.observability import ObservabilityStack

        ObservabilityStack(scope, plan, plan.observability)


def _image_cache(scope: Construct, plan: ClusterPlan, eks: EksPlan) -> Stack | None:
    if eks.image_cache is None:
        return None
    from stacks.image_cache import ImageCacheStack

    return ImageCacheStack(scope, plan, eks.image_cache)

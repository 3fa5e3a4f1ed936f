"""All stacks of one environment, in the order in which they are deployed."""

from __future__ import annotations

from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from stacks.cluster import ClusterStack
from stacks.image_cache import ImageCacheStack
from stacks.network import NetworkStack
from stacks.nodes import NodesStack
from stacks.observability import ObservabilityStack
from stacks.software import SoftwareStack
from stacks.storage import StorageStack
from stacks.workstations import WorkstationsStack


def build_stacks(scope: Construct, plan: ClusterPlan) -> None:
    """Makes the stacks that the plan asks for; one without resources is not made."""
    network = NetworkStack(scope, plan)
    storage = StorageStack(scope, plan, plan.storage, network) if plan.storage is not None else None
    if plan.eks is not None:
        cache = plan.eks.image_cache
        images = ImageCacheStack(scope, plan, cache) if cache is not None else None
        cluster = ClusterStack(scope, plan, plan.eks, network)
        nodes = [
            NodesStack(scope, part, plan, groups, network, cluster) for part, groups in plan.eks.node_stacks.items()
        ]
        software = SoftwareStack(scope, plan, plan.eks, cluster, nodes, network, storage)
        if images is not None:
            software.add_stack_dependency(images)
    if plan.workstations:
        WorkstationsStack(scope, plan, network, storage)
    if plan.observability is not None and plan.observability.has_stack:
        ObservabilityStack(scope, plan, plan.observability)

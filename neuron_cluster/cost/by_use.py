"""Services that are billed by use, in amounts that the file does not state."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.storage_list import used_storage
from neuron_cluster.plan.cluster_plan import ClusterPlan

CLOUDWATCH = "cloudwatch"
VOLUMES_ADDON = "aws-ebs-csi-driver"
"""Creates a volume for a claim of a pod."""


def billed_by_use(plan: ClusterPlan, catalog: Catalog) -> Iterator[str]:
    """In the words of AWS's bill; ``EnvironmentCost.rates`` has the prices that the catalog knows."""
    yield from (used.service for used in used_storage(plan, catalog))
    for group in plan.compute_groups:
        if group.machine.purchase.reservation_id is not None and not group.machine.purchase.is_block:
            yield f"unused instances of the capacity reservation of {group.name}"
    if plan.kubernetes is not None:
        if plan.kubernetes.node_autoscaler is not None:
            yield f"nodes of {plan.kubernetes.node_autoscaler}"
        yield "load balancers of Services and Ingresses"
        if any(addon.name == VOLUMES_ADDON for addon in plan.kubernetes.addons):
            yield "volumes of PersistentVolumeClaims"
        if plan.kubernetes.image_cache is not None:
            yield "images in ECR"
    yield "CloudWatch Logs"
    if plan.observability is not None and plan.observability.metrics == CLOUDWATCH:
        yield "CloudWatch metrics"
    yield from ("KMS requests", "data transfer")

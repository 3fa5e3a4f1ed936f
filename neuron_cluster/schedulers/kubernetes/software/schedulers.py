"""The schedulers of an environment's cluster: no scheduler places a pod of another one, and no event reports it.

https://kubernetes.io/docs/tasks/extend-kubernetes/configure-multiple-schedulers/
"""

from __future__ import annotations

from local_kubernetes.model.scheduling.pod import DEFAULT_SCHEDULER
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.software.recorded_pods import recorded_workloads


def schedulers(plan: ClusterPlan, catalog: Catalog) -> tuple[str, ...]:
    """Their names. A further scheduler is a workload of the software with the name that other pods give it."""
    shapes = tuple(recorded_workloads(plan, catalog))
    named = {shape.scheduler_name for shape in shapes}
    return (DEFAULT_SCHEDULER, *sorted({shape.workload for shape in shapes} & named))

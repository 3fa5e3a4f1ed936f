"""The schedulers of an environment's cluster: a pod that names another one is placed by nobody, without any event.

https://kubernetes.io/docs/tasks/extend-kubernetes/configure-multiple-schedulers/
"""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedule.pod_shape import PodShape, shapes_of_software

DEFAULT = "default-scheduler"
"""That of the control plane, which has all pods that name none."""


def schedulers(plan: ClusterPlan, catalog: Catalog) -> tuple[str, ...]:
    """Their names. One beside the control plane's is a workload of the software with the name that pods give it."""
    shapes = tuple(shapes_of_software(plan, catalog))
    waited_for = {shape.scheduler_name for shape in shapes}
    return (DEFAULT, *sorted({shape.workload for shape in shapes} & waited_for))


def is_placed(pod: PodShape, known: Sequence[str]) -> bool:
    """Whether one of these schedulers takes care of the pod."""
    return not pod.scheduler or pod.scheduler in known

"""Instance types that the lists of the Neuron DRA driver and of the CloudWatch add-on do not have."""

from __future__ import annotations

from collections.abc import Sequence

from local_kubernetes.model.names import INSTANCE_TYPE_LABEL, NEURON_CLASS
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.workload_shape import WorkloadShape
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.schedulers.kubernetes.node_group import node_groups

CLOUDWATCH = "amazon-cloudwatch-observability"


def types_without_dra_driver(environment: ResolvedEnvironment, catalog: Catalog) -> list[str]:
    """Neuron instance types of the file that the driver's DaemonSet is not scheduled on, each once."""
    return _outside([shape for shape in catalog.workload_shapes if shape.device_class == NEURON_CLASS], environment)


def types_without_cloudwatch(environment: ResolvedEnvironment, catalog: Catalog) -> list[str]:
    """Neuron instance types of the file whose metrics the CloudWatch observability add-on does not read (E5040)."""
    return _outside([shape for shape in catalog.workload_shapes if shape.software == CLOUDWATCH], environment)


def _outside(shapes: Sequence[WorkloadShape], environment: ResolvedEnvironment) -> list[str]:
    terms = [each for shape in shapes for term in shape.node_affinity for each in term.match_expressions]
    requirements = [each for each in terms if each.key == INSTANCE_TYPE_LABEL]
    types = dict.fromkeys(group.spec.instance_type for group in node_groups(environment) if group.is_neuron)
    return [name for name in types if not all(each.matches(name) for each in requirements)]

"""Node groups whose instance type the Neuron DRA driver does not support."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.kubernetes.names import INSTANCE_TYPE_LABEL, NEURON_CLASS
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


def types_without_dra_driver(environment: ResolvedEnvironment, catalog: Catalog) -> list[str]:
    """Neuron instance types of the file that the driver's DaemonSet is not scheduled on, each once."""
    drivers = [shape for shape in catalog.workload_shapes if shape.device_class == NEURON_CLASS]
    terms = [each for shape in drivers for term in shape.node_affinity for each in term.match_expressions]
    requirements = [each for each in terms if each.key == INSTANCE_TYPE_LABEL]
    types = dict.fromkeys(group.spec.instance_type for group in node_groups(environment) if group.is_neuron)
    return [name for name in types if not all(each.matches(name) for each in requirements)]

"""Helm releases that wait for pods of nodes that may not exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.kubernetes.names import INSTANCE_TYPE_LABEL
from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import is_true, text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.workload_shape import WorkloadShape


class ChartWaitsForPods(ResourceRule):
    """A Helm release waits for its pods only where it has webhooks and all its pods run on system nodes (`Wait`).

    A node group that is scaled to zero runs no pods: helm waits until its timeout and fails.
    """

    id = "E8233"
    operation = "helm upgrade"
    error_code = None
    source = "aws-cdk-lib 2.275.0: custom-resource-handlers/aws-eks-v2/kubectl-handler/helm (Wait becomes --wait)"
    references = ("awslabs/cdk-eks-blueprints#508",)
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up
        if not is_true(resource.properties.get("Wait")):
            return
        chart = catalog.chart(text(resource.properties.get("Chart")) or "")
        shapes = catalog.workload_shapes_of(chart.name) if chart is not None else ()
        if chart is None or not chart.has_webhooks or not shapes or any(_is_elsewhere(shape) for shape in shapes):
            message = "is true for a chart without webhooks, or with pods outside the system nodes"
            yield Violation("Wait", message, "remove Wait: helm must not wait for pods of nodes that may not exist")


def _is_elsewhere(shape: WorkloadShape) -> bool:
    """Whether its pods run on every node, or on nodes of certain types."""
    types = any(each.key == INSTANCE_TYPE_LABEL for term in shape.node_affinity for each in term.match_expressions)
    return shape.kind == "DaemonSet" or types

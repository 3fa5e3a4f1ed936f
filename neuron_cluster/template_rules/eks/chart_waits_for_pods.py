from __future__ import annotations

from local_kubernetes.model.names import INSTANCE_TYPE_LABEL
from neuron_cluster.catalog.workload_shape import WorkloadShape
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import is_true, text


class ChartWaitsForPods(TemplateRule):
    """A Helm release waits for its pods only where it has webhooks and all its pods run on system nodes (`Wait`).

    A node group that is scaled to zero runs no pods: helm waits until its timeout and fails.
    """

    id = "E8233"
    operation = "helm upgrade"
    error_code = None
    source = "aws-cdk-lib 2.275.0: custom-resource-handlers/aws-eks-v2/kubectl-handler/helm (Wait becomes --wait)"
    references = ("awslabs/cdk-eks-blueprints#508",)
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, context: TemplateContext) -> Violations:
        if not is_true(context.resource.properties.get("Wait")):
            return
        chart = context.catalog.charts.get(text(context.resource.properties.get("Chart")) or "")
        shapes = context.catalog.workload_shapes.of_software(chart.name) if chart is not None else ()
        if chart is None or not chart.has_webhooks or not shapes or any(_is_elsewhere(shape) for shape in shapes):
            message = "is true for a chart without webhooks, or with pods outside the system nodes"
            yield Violation("Wait", message, "remove Wait: helm must not wait for pods of nodes that may not exist")


def _is_elsewhere(shape: WorkloadShape) -> bool:
    """Whether its pods run on every node, or on nodes of certain types."""
    types = any(each.key == INSTANCE_TYPE_LABEL for term in shape.node_affinity for each in term.match_expressions)
    return shape.kind == "DaemonSet" or types

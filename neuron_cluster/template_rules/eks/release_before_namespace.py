from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.eks.kubernetes_objects import OBJECTS, comes_after, objects_of
from neuron_cluster.template_rules.property_tree import is_true, text
from neuron_cluster.template_rules.template_resource import TemplateResource

ALWAYS_THERE = ("default", "kube-system", "kube-public", "kube-node-lease")


class ReleaseBeforeNamespace(TemplateRule):
    """A Helm release depends on the resource that creates its namespace (`DependsOn`).

    Helm returns "namespaces ... not found", and the stack rolls back; without DependsOn this happens intermittently.
    """

    id = "E8237"
    operation = "helm upgrade"
    error_code = None
    source = "https://helm.sh/docs/helm/helm_upgrade/ (--create-namespace); CloudFormation: DependsOn attribute"
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, context: TemplateContext) -> Violations:
        resource = context.resource
        namespace = text(resource.properties.get("Namespace"))
        if namespace is None or namespace in ALWAYS_THERE or is_true(resource.properties.get("CreateNamespace")):
            return
        makers = [
            other
            for other in context.look_up.resources(OBJECTS, stack=resource.stack)
            if any(
                each.get("kind") == "Namespace" and each.get("metadata", {}).get("name") == namespace
                for each in objects_of(other)
            )
        ]
        if not any(comes_after(resource, maker, context.look_up) for maker in makers):
            why = "is created by a resource that the release does not depend on" if makers else "is not in the template"
            yield Violation("Namespace", f"{namespace} {why}", _hint(namespace, makers))


def _hint(namespace: str, makers: Sequence[TemplateResource]) -> str:
    if makers:
        return f"add {makers[0].logical_id} to DependsOn of the release"
    return f"add a {OBJECTS} whose Manifest has the Namespace {namespace}, and list it in DependsOn of the release"

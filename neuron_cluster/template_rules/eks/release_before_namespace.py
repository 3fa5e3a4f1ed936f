"""Helm releases that helm may install before their namespace exists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.eks.kubernetes_objects import OBJECTS, comes_after, objects_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import is_true, text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

ALWAYS_THERE = ("default", "kube-system", "kube-public", "kube-node-lease")


class ReleaseBeforeNamespace(ResourceRule):
    """A Helm release depends on the resource that creates its namespace (`DependsOn`).

    Helm returns "namespaces ... not found", and the stack rolls back; without DependsOn this happens intermittently.
    """

    id = "E8237"
    operation = "helm upgrade"
    error_code = None
    source = "https://helm.sh/docs/helm/helm_upgrade/ (--create-namespace); CloudFormation: DependsOn attribute"
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        namespace = text(resource.properties.get("Namespace"))
        if namespace is None or namespace in ALWAYS_THERE or is_true(resource.properties.get("CreateNamespace")):
            return
        makers = [
            other
            for other in look_up.resources(OBJECTS, stack=resource.stack)
            if any(
                each.get("kind") == "Namespace" and each.get("metadata", {}).get("name") == namespace
                for each in objects_of(other)
            )
        ]
        if not any(comes_after(resource, maker, look_up) for maker in makers):
            why = "is created by a resource that the release does not depend on" if makers else "is not in the template"
            yield Violation("Namespace", f"{namespace} {why}", _hint(namespace, makers))


def _hint(namespace: str, makers: Sequence[TemplateResource]) -> str:
    if makers:
        return f"add {makers[0].logical_id} to DependsOn of the release"
    return f"add a {OBJECTS} whose Manifest has the Namespace {namespace}, and list it in DependsOn of the release"

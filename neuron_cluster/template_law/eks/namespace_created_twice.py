"""Namespaces that may be there already."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_law.base import Refusal, ResourceLaw
from neuron_cluster.template_law.eks.kubernetes_objects import objects_of
from neuron_cluster.template_law.look_up import LookUp
from neuron_cluster.template_law.property_tree import is_true, is_unknown
from neuron_cluster.template_law.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class NamespaceCreatedTwice(ResourceLaw):
    """A namespace is applied, not created: one that an earlier try has left is no error.

    Without Overwrite the function runs `kubectl create`, which answers "already exists" to the second attempt.
    """

    id = "E8240"
    operation = "kubectl create"
    error_code = None
    source = "aws-cdk-lib 2.275.0: custom-resource-handlers/aws-eks-v2/kubectl-handler/apply (create unless Overwrite)"
    types = ("Custom::AWSCDK-EKS-KubernetesResource",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Refusal]:
        del look_up, catalog
        overwrite = resource.properties.get("Overwrite")
        makes = any(each.get("kind") == "Namespace" for each in objects_of(resource))
        if makes and not is_true(overwrite) and not is_unknown(overwrite):
            yield Refusal("Overwrite", "is not set, and the objects hold a namespace", "set Overwrite: true")

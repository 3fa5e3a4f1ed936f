"""Namespaces that kubectl creates instead of applies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.eks.kubernetes_objects import objects_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import is_true, is_unknown
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class NamespaceWithoutOverwrite(ResourceRule):
    """Objects with a Namespace are applied, so that an existing namespace is not an error (`Overwrite`).

    Without Overwrite CDK's kubectl function runs ``kubectl create``, which fails with "already exists" the second time.
    """

    id = "E8240"
    operation = "kubectl create"
    error_code = None
    source = "aws-cdk-lib 2.275.0: custom-resource-handlers/aws-eks-v2/kubectl-handler/apply (create unless Overwrite)"
    types = ("Custom::AWSCDK-EKS-KubernetesResource",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        overwrite = resource.properties.get("Overwrite")
        makes = any(each.get("kind") == "Namespace" for each in objects_of(resource))
        if makes and not is_true(overwrite) and not is_unknown(overwrite):
            yield Violation("Overwrite", "is not set, but the objects contain a Namespace", "set Overwrite: true")

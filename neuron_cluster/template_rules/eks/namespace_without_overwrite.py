from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.eks.kubernetes_objects import objects_of
from neuron_cluster.template_rules.property_tree import is_true, is_unknown


class NamespaceWithoutOverwrite(TemplateRule):
    """Objects with a Namespace are applied, so that an existing namespace is not an error (`Overwrite`).

    Without Overwrite CDK's kubectl function runs ``kubectl create``, which fails with "already exists" the second time.
    """

    id = "E8240"
    operation = "kubectl create"
    error_code = None
    source = "aws-cdk-lib 2.275.0: custom-resource-handlers/aws-eks-v2/kubectl-handler/apply (create unless Overwrite)"
    types = ("Custom::AWSCDK-EKS-KubernetesResource",)

    def check(self, context: TemplateContext) -> Violations:
        overwrite = context.resource.properties.get("Overwrite")
        makes = any(each.get("kind") == "Namespace" for each in objects_of(context.resource))
        if makes and not is_true(overwrite) and not is_unknown(overwrite):
            yield Violation("Overwrite", "is not set, but the objects contain a Namespace", "set Overwrite: true")

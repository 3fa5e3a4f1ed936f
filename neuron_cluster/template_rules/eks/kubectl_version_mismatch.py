from __future__ import annotations

import re

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import text

KUBECTL = re.compile(r"/kubectl (\d+\.\d+)\.")
"""In the description of the layer: ``/opt/kubectl/kubectl 1.35.2; /opt/helm/helm 4.1.3``."""


class KubectlVersionMismatch(TemplateRule):
    """The kubectl layer has the cluster's Kubernetes minor version (`AWS::Lambda::LayerVersion`).

    kubectl supports one minor version of difference; beyond it, API versions may be missing or removed.
    """

    id = "E8241"
    operation = "kubectl apply"
    error_code = None
    source = (
        "https://kubernetes.io/releases/version-skew-policy/#kubectl; descriptions of aws-cdk.lambda-layer-kubectl-v*"
    )
    types = ("AWS::Lambda::LayerVersion",)

    def check(self, context: TemplateContext) -> Violations:
        resource, look_up = context.resource, context.look_up
        found = KUBECTL.search(text(resource.properties.get("Description")) or "")
        for cluster in look_up.resources("AWS::EKS::Cluster", stack=resource.stack) if found is not None else ():
            version = text(cluster.properties.get("Version"))
            if found is not None and version is not None and version != found[1]:
                yield Violation(
                    "Description",
                    f"has kubectl {found[1]}, but the cluster runs Kubernetes {version}",
                    f"use aws-cdk.lambda-layer-kubectl-v{version.replace('.', '')}, which has kubectl {version}",
                )

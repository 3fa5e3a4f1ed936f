"""kubectl layers with another minor version than the cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

KUBECTL = re.compile(r"/kubectl (\d+\.\d+)\.")
"""In the description of the layer: ``/opt/kubectl/kubectl 1.35.2; /opt/helm/helm 4.1.3``."""


class KubectlVersionMismatch(ResourceRule):
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

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        found = KUBECTL.search(text(resource.properties.get("Description")) or "")
        for cluster in look_up.resources("AWS::EKS::Cluster", stack=resource.stack) if found is not None else ():
            version = text(cluster.properties.get("Version"))
            if found is not None and version is not None and version != found[1]:
                yield Violation(
                    "Description",
                    f"has kubectl {found[1]}, but the cluster runs Kubernetes {version}",
                    f"use aws-cdk.lambda-layer-kubectl-v{version.replace('.', '')}, which has kubectl {version}",
                )

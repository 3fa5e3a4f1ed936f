"""A kubectl that is not of the cluster's version."""

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


class KubectlOfAnotherVersion(ResourceRule):
    """The layer with kubectl and helm is of the cluster's own minor version.

    A kubectl that is more than one minor away does not know kinds of the cluster, or asks for those that are gone.
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
                    f"is kubectl {found[1]}, and the cluster is Kubernetes {version}",
                    f"use aws-cdk.lambda-layer-kubectl-v{version.replace('.', '')}, which has kubectl {version}",
                )

"""Charts that wait for pods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_law.base import Refusal, ResourceLaw
from neuron_cluster.template_law.look_up import LookUp
from neuron_cluster.template_law.property_tree import is_true
from neuron_cluster.template_law.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class ChartWaitsForPods(ResourceLaw):
    """No chart waits for its pods: on a node group that has scaled to zero they never come."""

    id = "E8233"
    operation = "helm upgrade"
    error_code = None
    source = "aws-cdk-lib 2.275.0: custom-resource-handlers/aws-eks-v2/kubectl-handler/helm (Wait becomes --wait)"
    threads = ("awslabs/cdk-eks-blueprints#508",)
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Refusal]:
        del look_up, catalog
        if is_true(resource.properties.get("Wait")):
            yield Refusal("Wait", "is true", "remove it, and check the software once nodes are there")

"""Helm releases with SkipCrds, which CDK ignores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import is_true
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class ChartSkipsCrds(ResourceRule):
    """Helm releases do not set `SkipCrds`: CDK's kubectl function does not pass it to helm."""

    id = "E8236"
    operation = "helm upgrade"
    error_code = None
    source = "aws-cdk-lib 2.275.0: custom-resource-handlers/aws-eks-v2/kubectl-handler/helm (skip_crds is never used)"
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        if is_true(resource.properties.get("SkipCrds")):
            hint = "remove SkipCrds; where the chart has a value that leaves its CRDs out, set that in Values"
            yield Violation("SkipCrds", "is true, but CDK's kubectl function does not pass it to helm", hint)

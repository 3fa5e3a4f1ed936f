"""Charts without a version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class ChartWithoutVersion(ResourceRule):
    """Every chart of a registry has a version; one of our own is a folder.

    From an OCI registry the function that runs helm fails without one (TypeError in subprocess); from a repository it
    takes the newest of the day.
    """

    id = "E8231"
    operation = "helm upgrade"
    error_code = None
    source = "aws-cdk-lib 2.275.0: custom-resource-handlers/aws-eks-v2/kubectl-handler/helm"
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        is_folder = resource.properties.get("ChartAssetURL") is not None
        if not is_folder and resource.properties.get("Version") in (None, ""):
            yield Violation("Version", "is not set", "set Version to one version of the chart")

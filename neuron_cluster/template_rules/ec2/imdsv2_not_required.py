"""Launch templates that do not require IMDSv2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_unknown
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class Imdsv2NotRequired(ResourceRule):
    """Launch templates require IMDSv2 session tokens for instance metadata (`HttpTokens`).

    With IMDSv1, a server-side request forgery in a pod can read the node's credentials.
    """

    id = "E8109"
    operation = "ec2:CreateLaunchTemplate"
    error_code = None
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html"
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        tokens = at(resource.properties, "LaunchTemplateData", "MetadataOptions", "HttpTokens")
        if tokens != "required" and not is_unknown(tokens):
            yield Violation(
                "LaunchTemplateData.MetadataOptions.HttpTokens",
                f"is {tokens or 'not set'}; it must be required",
                "set HttpTokens: required",
            )

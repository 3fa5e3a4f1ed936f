"""Key policies that refer to what the key encrypts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.reference_graph import named_in, reaches
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class KeyPolicyNamesItsUsers(ResourceRule):
    """A key policy refers to nothing that itself refers to the key.

    CloudFormation can make neither first: "Circular dependency between resources".
    """

    id = "E8502"
    operation = "cloudformation:CreateStack"
    error_code = "ValidationError"
    source = "https://repost.aws/knowledge-center/cloudformation-circular-dependency-errors"
    types = ("AWS::KMS::Key",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        resources = look_up.templates[resource.stack]["Resources"]
        for path, name in named_in(resource.body["Properties"].get("KeyPolicy"), "KeyPolicy"):
            if name != resource.logical_id and reaches(name, resource.logical_id, resources):
                yield Violation(
                    path.partition(".Fn::")[0],
                    f"refers to {name}, which refers to this key: neither can be made first",
                    'write text instead of a reference: "*" as Resource; elsewhere the ARN of an account or a pattern',
                )

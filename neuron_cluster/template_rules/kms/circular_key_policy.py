"""KMS key policies that reference a resource which references the key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from local_aws.cloudformation.references import written_references
from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class CircularKeyPolicy(ResourceRule):
    """A KMS key policy references no resource that references the key (`KeyPolicy`).

    CloudFormation can create neither first: "Circular dependency between resources".
    """

    id = "E8502"
    operation = "cloudformation:CreateStack"
    error_code = "ValidationError"
    source = "https://repost.aws/knowledge-center/cloudformation-circular-dependency-errors"
    types = ("AWS::KMS::Key",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        policy = resource.body["Properties"].get("KeyPolicy")
        users = {user.logical_id: user for user in look_up.resources(stack=resource.stack)}
        for found in written_references(policy, "KeyPolicy", strict=False):
            user = users.get(found.name)
            if user is not None and user is not resource and look_up.depends_on(user, resource.logical_id):
                yield Violation(
                    found.path.partition(".Fn::")[0],
                    f"references {found.name}, which references this key: CloudFormation can create neither first",
                    'write text instead of a reference: "*" as Resource; elsewhere the ARN of an account or a pattern',
                )

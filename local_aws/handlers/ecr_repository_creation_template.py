"""AWS::ECR::RepositoryCreationTemplate."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call, from_api

DEFAULTS = {
    "CustomRoleArn": "",
    "Description": "",
    "EncryptionConfiguration": {"EncryptionType": "AES256"},
    "ImageTagMutability": "MUTABLE",
    "LifecyclePolicy": "",
    "RepositoryPolicy": "",
    "ResourceTags": [],
}
"""What takes a setting away."""


class RepositoryCreationTemplate(ServiceResource):
    """Its physical id is its prefix."""

    service = "ecr"
    type_name = "AWS::ECR::RepositoryCreationTemplate"
    carried = frozenset({"AppliedFor", "ImageTagMutabilityExclusionFilters", "Prefix", *DEFAULTS})
    required = frozenset({"AppliedFor", "Prefix"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        client = self.client(context)
        answer = call(client, "CreateRepositoryCreationTemplate", present(properties, *self.carried))
        prefix: str = answer["repositoryCreationTemplate"]["prefix"]
        undo.callback(client.delete_repository_creation_template, prefix=prefix)
        return prefix

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        gone = {name: DEFAULTS[name] for name in DEFAULTS if name in old and name not in new}
        wanted = {**gone, **present(new, *self.carried), "Prefix": physical_id}
        call(self.client(context), "UpdateRepositoryCreationTemplate", wanted)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the prefix is enough
        self.client(context).delete_repository_creation_template(prefix=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        client = self.client(context)
        answer = client.describe_repository_creation_templates(prefixes=[physical_id])
        row = from_api(client, "DescribeRepositoryCreationTemplates", answer)["RepositoryCreationTemplates"][0]
        return present(row, *self.carried)

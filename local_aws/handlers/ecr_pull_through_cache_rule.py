"""AWS::ECR::PullThroughCacheRule."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call, from_api


class PullThroughCacheRule(ServiceResource):
    """Its physical id is its prefix. Every property replaces it."""

    service = "ecr"
    type_name = "AWS::ECR::PullThroughCacheRule"
    carried = frozenset(
        {
            "CredentialArn",
            "CustomRoleArn",
            "EcrRepositoryPrefix",
            "UpstreamRegistry",
            "UpstreamRegistryUrl",
            "UpstreamRepositoryPrefix",
        }
    )
    required = frozenset({"EcrRepositoryPrefix"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        client = self.client(context)
        rule = call(client, "CreatePullThroughCacheRule", present(properties, *self.carried))
        prefix: str = rule["ecrRepositoryPrefix"]
        undo.callback(client.delete_pull_through_cache_rule, ecrRepositoryPrefix=prefix)
        return prefix

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """Nothing can be changed in place."""

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the prefix is enough
        self.client(context).delete_pull_through_cache_rule(ecrRepositoryPrefix=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        client = self.client(context)
        answer = client.describe_pull_through_cache_rules(ecrRepositoryPrefixes=[physical_id])
        row = from_api(client, "DescribePullThroughCacheRules", answer)["PullThroughCacheRules"][0]
        return present(row, *self.carried)

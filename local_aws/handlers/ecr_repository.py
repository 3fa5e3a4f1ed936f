"""AWS::ECR::Repository."""

from __future__ import annotations

import contextlib
import json
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.names import generated_name
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call, from_api
from local_aws.handlers.tags import desired_tags, tag_changes, tag_list, tag_map

NAME_LIMIT = 256


class Repository(ServiceResource):
    service = "ecr"
    type_name = "AWS::ECR::Repository"
    created = frozenset({"EncryptionConfiguration", "ImageScanningConfiguration", "ImageTagMutability"})
    supported = created | {"EmptyOnDelete", "LifecyclePolicy", "RepositoryName", "RepositoryPolicyText", "Tags"}

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        name = properties.get("RepositoryName") or generated_name(context, NAME_LIMIT).lower()
        tags = tag_list(desired_tags(context, properties))
        client = self.client(context)
        # The API itself spells the members of a tag as CloudFormation does.
        parameters = {**present(properties, *self.created), "RepositoryName": name, "Tags": tags}
        call(client, "CreateRepository", parameters)
        undo.callback(client.delete_repository, repositoryName=name)
        self._change_policies(client, name, {}, properties)
        return str(name)

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        client = self.client(context)
        named = {"RepositoryName": physical_id}
        scanning = new.get("ImageScanningConfiguration") or {"ScanOnPush": False}
        call(client, "PutImageScanningConfiguration", {**named, "ImageScanningConfiguration": scanning})
        mutability = new.get("ImageTagMutability") or "MUTABLE"
        call(client, "PutImageTagMutability", {**named, "ImageTagMutability": mutability})
        self._change_policies(client, physical_id, old, new)
        arn = self._row(context, physical_id)["RepositoryArn"]
        now = tag_map(client.list_tags_for_resource(resourceArn=arn)["tags"])
        set_, gone = tag_changes(now, desired_tags(context, new))
        if gone:
            client.untag_resource(resourceArn=arn, tagKeys=gone)
        if set_:
            client.tag_resource(resourceArn=arn, tags=tag_list(set_))

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        force = str(properties.get("EmptyOnDelete", "false")).lower() == "true"
        self.client(context).delete_repository(repositoryName=physical_id, force=force)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self._row(context, physical_id)
        client = self.client(context)
        tags = client.list_tags_for_resource(resourceArn=row["RepositoryArn"])["tags"]
        properties = {**present(row, *self.created, "RepositoryName"), "Tags": tag_list(tag_map(tags))}
        with contextlib.suppress(client.exceptions.LifecyclePolicyNotFoundException):
            text = client.get_lifecycle_policy(repositoryName=physical_id)["lifecyclePolicyText"]
            properties["LifecyclePolicy"] = {"LifecyclePolicyText": text}
        with contextlib.suppress(client.exceptions.RepositoryPolicyNotFoundException):
            text = client.get_repository_policy(repositoryName=physical_id)["policyText"]
            properties["RepositoryPolicyText"] = json.loads(text)
        return properties

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self._row(context, physical_id)
        return {"Arn": row["RepositoryArn"], "RepositoryUri": row["RepositoryUri"]}

    def _row(self, context: ResourceContext, name: str) -> dict[str, Any]:
        client = self.client(context)
        answer = client.describe_repositories(repositoryNames=[name])
        return dict(from_api(client, "DescribeRepositories", answer)["Repositories"][0])

    def _change_policies(self, client: Any, name: str, old: Properties, new: Properties) -> None:
        lifecycle = dict(new.get("LifecyclePolicy") or {})
        if lifecycle:
            lifecycle["LifecyclePolicyText"] = _text(lifecycle["LifecyclePolicyText"])
            call(client, "PutLifecyclePolicy", {"RepositoryName": name, **lifecycle})
        elif old.get("LifecyclePolicy"):
            client.delete_lifecycle_policy(repositoryName=name)
        policy = new.get("RepositoryPolicyText")
        if policy:
            client.set_repository_policy(repositoryName=name, policyText=_text(policy))
        elif old.get("RepositoryPolicyText"):
            with contextlib.suppress(client.exceptions.RepositoryPolicyNotFoundException):
                client.delete_repository_policy(repositoryName=name)


def _text(document: Any) -> str:
    return document if isinstance(document, str) else json.dumps(document)

"""AWS::Logs::LogGroup."""

from __future__ import annotations

import contextlib
from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.names import generated_name
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call, from_api
from local_aws.handlers.tags import tag_changes, tag_list, tag_map, wanted_tags

NAME_LIMIT = 512


class LogGroup(ServiceResource):
    service = "logs"
    type_name = "AWS::Logs::LogGroup"
    carried = frozenset({"KmsKeyId", "LogGroupClass", "LogGroupName", "RetentionInDays", "Tags"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        name = properties.get("LogGroupName") or generated_name(context, NAME_LIMIT)
        tags = wanted_tags(context, properties)
        parameters = {
            **present(properties, "KmsKeyId", "LogGroupClass"),
            "LogGroupName": name,
            **({"Tags": tags} if tags else {}),
        }
        client = self.client(context)
        call(client, "CreateLogGroup", parameters)
        undo.callback(client.delete_log_group, logGroupName=name)
        self._change_retention(client, name, {}, properties)
        return str(name)

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        client = self.client(context)
        self._change_retention(client, physical_id, old, new)
        if new.get("KmsKeyId") and new["KmsKeyId"] != old.get("KmsKeyId"):
            client.associate_kms_key(logGroupName=physical_id, kmsKeyId=new["KmsKeyId"])
        elif old.get("KmsKeyId") and not new.get("KmsKeyId"):
            client.disassociate_kms_key(logGroupName=physical_id)
        arn = self.attributes(context, physical_id)["Arn"].removesuffix(":*")
        now = tag_map(tag_list(client.list_tags_for_resource(resourceArn=arn)["tags"]))
        set_, gone = tag_changes(now, wanted_tags(context, new))
        if gone:
            client.untag_resource(resourceArn=arn, tagKeys=gone)
        if set_:
            client.tag_resource(resourceArn=arn, tags=set_)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the name is enough
        self.client(context).delete_log_group(logGroupName=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self._row(context, physical_id)
        tags = self.client(context).list_tags_for_resource(resourceArn=row["Arn"].removesuffix(":*"))["tags"]
        return {**present(row, *self.carried), "Tags": tag_list(tags)}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        return present(self._row(context, physical_id), "Arn")

    def _row(self, context: ResourceContext, name: str) -> dict[str, Any]:
        client = self.client(context)
        for page in client.get_paginator("describe_log_groups").paginate(logGroupNamePrefix=name):
            for row in from_api(client, "DescribeLogGroups", page)["LogGroups"]:
                if row["LogGroupName"] == name:
                    return dict(row)
        message = f"The specified log group does not exist: {name}"
        raise ClientError({"Error": {"Code": "ResourceNotFoundException", "Message": message}}, "DescribeLogGroups")

    def _change_retention(self, client: Any, name: str, old: Properties, new: Properties) -> None:
        if new.get("RetentionInDays"):
            parameters = {"LogGroupName": name, "RetentionInDays": new["RetentionInDays"]}
            call(client, "PutRetentionPolicy", parameters)
        elif old.get("RetentionInDays"):
            client.delete_retention_policy(logGroupName=name)

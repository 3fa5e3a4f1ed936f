"""AWS::KMS::Alias."""

from __future__ import annotations

import contextlib
from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.service_resource import ServiceResource, present


class Alias(ServiceResource):
    """The physical id is the alias's name."""

    service = "kms"
    type_name = "AWS::KMS::Alias"
    carried = frozenset({"AliasName", "TargetKeyId"})
    required = frozenset({"AliasName", "TargetKeyId"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:  # noqa: ARG002 - one call
        self.client(context).create_alias(**properties)
        return str(properties["AliasName"])

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        if new["TargetKeyId"] != old["TargetKeyId"]:
            self.client(context).update_alias(AliasName=physical_id, TargetKeyId=new["TargetKeyId"])

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the name is enough
        self.client(context).delete_alias(AliasName=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        for page in self.client(context).get_paginator("list_aliases").paginate():
            for row in page["Aliases"]:
                if row["AliasName"] == physical_id and "TargetKeyId" in row:
                    return present(row, "AliasName", "TargetKeyId")
        message = f"Alias {physical_id} is not found."
        raise ClientError({"Error": {"Code": "NotFoundException", "Message": message}}, "ListAliases")

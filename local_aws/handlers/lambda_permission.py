"""AWS::Lambda::Permission."""

from __future__ import annotations

import contextlib
import json
import secrets
from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.service_resource import ServiceResource
from local_aws.handlers.shapes import call


class Permission(ServiceResource):
    """One statement of a function's policy; the physical id is ``<function>|<statement id>``."""

    service = "lambda"
    type_name = "AWS::Lambda::Permission"
    carried = frozenset({"Action", "FunctionName", "Principal", "SourceAccount", "SourceArn"})
    required = frozenset({"Action", "FunctionName", "Principal"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:  # noqa: ARG002 - one call
        statement_id = f"{context.stack_name}-{context.logical_id}-{secrets.token_hex(6)}"
        call(self.client(context), "AddPermission", {**properties, "StatementId": statement_id})
        return f"{properties['FunctionName']}|{statement_id}"

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """All properties are create-only and it has no tags."""

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the id is enough
        function, _, statement_id = physical_id.rpartition("|")
        self.client(context).remove_permission(FunctionName=function, StatementId=statement_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        function, _, statement_id = physical_id.rpartition("|")
        policy = json.loads(self.client(context).get_policy(FunctionName=function)["Policy"])
        for statement in policy["Statement"]:
            if statement["Sid"] == statement_id:
                return self._properties(function, statement)
        message = f"Statement {statement_id} is not found in resource policy."
        raise ClientError({"Error": {"Code": "ResourceNotFoundException", "Message": message}}, "GetPolicy")

    def _properties(self, function: str, statement: dict[str, Any]) -> dict[str, Any]:
        principal = statement["Principal"]
        condition = statement.get("Condition", {})
        source = {
            "SourceArn": condition.get("ArnLike", {}).get("AWS:SourceArn"),
            "SourceAccount": condition.get("StringEquals", {}).get("AWS:SourceAccount"),
        }
        return {
            "FunctionName": function,
            "Action": statement["Action"],
            "Principal": principal if isinstance(principal, str) else next(iter(principal.values())),
            **{name: value for name, value in source.items() if value},
        }

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:  # noqa: ARG002 - its id is all
        return {"Id": physical_id.rpartition("|")[2]}

"""AWS::IAM::ServiceLinkedRole."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call


class ServiceLinkedRole(ServiceResource):
    """The physical id is the role's name, which the service decides."""

    service = "iam"
    type_name = "AWS::IAM::ServiceLinkedRole"
    carried = frozenset({"AWSServiceName", "CustomSuffix", "Description"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:  # noqa: ARG002 - one call
        answer = call(self.client(context), "CreateServiceLinkedRole", properties)
        name: str = answer["Role"]["RoleName"]
        return name

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:  # noqa: ARG002 - only the description can differ
        self.client(context).update_role(RoleName=physical_id, Description=new.get("Description", ""))

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the name is enough
        self.client(context).delete_service_linked_role(RoleName=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.client(context).get_role(RoleName=physical_id)["Role"]
        service = row["Path"].removeprefix("/aws-service-role/").strip("/")
        return {"AWSServiceName": service, **present(row, "Description")}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:  # noqa: ARG002 - its name is all
        return {"RoleName": physical_id}

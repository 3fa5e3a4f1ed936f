"""AWS::CloudWatch::Dashboard."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.cloudwatch_tags import change_tags, tags_of
from local_aws.handlers.names import generated_name
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call, from_api
from local_aws.handlers.tags import tag_list, wanted_tags

NAME_LIMIT = 255


class Dashboard(ServiceResource):
    """The body is a text in JSON; the service keeps it as it is written."""

    service = "cloudwatch"
    type_name = "AWS::CloudWatch::Dashboard"
    carried = frozenset({"DashboardBody", "DashboardName", "Tags"})
    required = frozenset({"DashboardBody"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:  # noqa: ARG002 - one call
        name = properties.get("DashboardName") or generated_name(context, NAME_LIMIT)
        tags = tag_list(wanted_tags(context, properties))
        self._put(context, str(name), properties, **({"Tags": tags} if tags else {}))
        return str(name)

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        if new["DashboardBody"] != old.get("DashboardBody"):
            self._put(context, physical_id, new)
        client = self.client(context)
        change_tags(client, client.get_dashboard(DashboardName=physical_id)["DashboardArn"], context, new)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the name is enough
        self.client(context).delete_dashboards(DashboardNames=[physical_id])

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        client = self.client(context)
        row = from_api(client, "GetDashboard", client.get_dashboard(DashboardName=physical_id))
        return {**present(row, *self.carried), "Tags": tags_of(client, row["DashboardArn"])}

    def _put(self, context: ResourceContext, name: str, properties: Properties, **tags: Any) -> None:
        body = {"DashboardName": name, "DashboardBody": properties["DashboardBody"], **tags}
        call(self.client(context), "PutDashboard", body)

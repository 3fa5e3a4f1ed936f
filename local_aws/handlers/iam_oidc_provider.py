"""AWS::IAM::OIDCProvider."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call
from local_aws.handlers.tags import tag_changes, tag_list, tag_map, wanted_tags


class OidcProvider(ServiceResource):
    """The physical id is the ARN."""

    service = "iam"
    type_name = "AWS::IAM::OIDCProvider"
    carried = frozenset({"ClientIdList", "Tags", "ThumbprintList", "Url"})
    required = frozenset({"Url"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:  # noqa: ARG002 - one call
        parameters = {
            "Url": properties["Url"],
            "ClientIDList": properties.get("ClientIdList") or [],
            **present(properties, "ThumbprintList"),
            "Tags": tag_list(wanted_tags(context, properties)),
        }
        arn: str = call(self.client(context), "CreateOpenIDConnectProvider", parameters)["OpenIDConnectProviderArn"]
        return arn

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        client = self.client(context)
        named = {"OpenIDConnectProviderArn": physical_id}
        if new.get("ThumbprintList") and new.get("ThumbprintList") != old.get("ThumbprintList"):
            client.update_open_id_connect_provider_thumbprint(**named, ThumbprintList=new["ThumbprintList"])
        before, after = old.get("ClientIdList") or [], new.get("ClientIdList") or []
        for client_id in (each for each in after if each not in before):
            client.add_client_id_to_open_id_connect_provider(**named, ClientID=client_id)
        for client_id in (each for each in before if each not in after):
            client.remove_client_id_from_open_id_connect_provider(**named, ClientID=client_id)
        now = tag_map(client.list_open_id_connect_provider_tags(**named)["Tags"])
        set_, gone = tag_changes(now, wanted_tags(context, new))
        if gone:
            client.untag_open_id_connect_provider(**named, TagKeys=gone)
        if set_:
            client.tag_open_id_connect_provider(**named, Tags=tag_list(set_))

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the ARN is enough
        self.client(context).delete_open_id_connect_provider(OpenIDConnectProviderArn=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.client(context).get_open_id_connect_provider(OpenIDConnectProviderArn=physical_id)
        return {
            "Url": f"https://{row['Url'].removeprefix('https://')}",
            "ClientIdList": row.get("ClientIDList", []),
            "ThumbprintList": row.get("ThumbprintList", []),
            "Tags": tag_list(tag_map(row.get("Tags", []))),
        }

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:  # noqa: ARG002 - its ARN is all
        return {"Arn": physical_id}

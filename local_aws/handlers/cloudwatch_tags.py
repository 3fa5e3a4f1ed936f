"""Tags of CloudWatch's alarms and dashboards, by ARN."""

from __future__ import annotations

from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.tags import tag_changes, tag_list, tag_map, wanted_tags


def tags_of(client: Any, arn: str) -> list[dict[str, str]]:
    """In CloudFormation's spelling."""
    return tag_list(tag_map(client.list_tags_for_resource(ResourceARN=arn)["Tags"]))


def change_tags(client: Any, arn: str, context: ResourceContext, new: Properties) -> None:
    set_, gone = tag_changes(tag_map(tags_of(client, arn)), wanted_tags(context, new))
    if gone:
        client.untag_resource(ResourceARN=arn, TagKeys=gone)
    if set_:
        client.tag_resource(ResourceARN=arn, Tags=tag_list(set_))

"""Tags of FSx resources, by ARN."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.handlers.tags import tag_changes, tag_list, tag_map


def change_fsx_tags(client: Any, row: Mapping[str, Any], wanted: Mapping[str, str]) -> None:
    """Brings the tags of a described resource to ``wanted``."""
    set_, gone = tag_changes(tag_map(row.get("Tags", [])), wanted)
    if gone:
        client.untag_resource(ResourceARN=row["ResourceARN"], TagKeys=gone)
    if set_:
        client.tag_resource(ResourceARN=row["ResourceARN"], Tags=tag_list(set_))

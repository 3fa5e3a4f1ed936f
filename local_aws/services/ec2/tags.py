"""Tags of one EC2 resource, found by its id: moto tries a pattern, compiled each time, on every tag of the Region."""

from __future__ import annotations

from typing import Any

from moto.ec2.models.core import TaggedEC2Resource
from moto.ec2.utils import EC2_PREFIX_TO_RESOURCE, get_prefix

from local_aws.services.overrides import override


@override(TaggedEC2Resource, "get_tags")
def tags_of_its_id(_original: Any, resource: Any) -> list[dict[str, str]]:
    """The same answer. A tenth of what the server computes during a deploy went into this."""
    own = resource.ec2_backend.tags.get(resource.id, {}) if resource.id else {}
    kind = EC2_PREFIX_TO_RESOURCE.get(get_prefix(resource.id), "") if own else ""
    return [{"resource_id": resource.id, "key": key, "value": own[key], "resource_type": kind} for key in list(own)]

"""Tags of a resource: the stack's, overruled by its own; at creation, when they change, and read back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from botocore.exceptions import ParamValidationError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.resource_types.binding import Binding, BoundCall, TagCalls
from local_aws.resource_types.tags import tag_list
from local_aws.resource_types.templates import put_at


class TaggedHandler(Protocol):
    """A handler whose binding says which operations tag a resource."""

    binding: Binding

    def current_tags(self, context: ResourceContext, physical_id: str) -> dict[str, str]: ...
    def send(self, context: ResourceContext, physical_id: str, bound: BoundCall, **more: Any) -> dict[str, Any]: ...


def desired_tags(context: ResourceContext, properties: Properties) -> dict[str, str]:
    """Returns the tags of the template; ``Tags`` may be CloudFormation's list or, for some types, a map."""
    own = properties.get("Tags") or {}
    if not isinstance(own, Mapping):
        for tag in own:
            if set(tag) != {"Key", "Value"}:
                raise ParamValidationError(report=f"Tags: {tag} is not made of Key and Value")
        own = {tag["Key"]: tag["Value"] for tag in own}
    return {**context.stack_tags, **{str(key): str(value) for key, value in own.items()}}


def tag_changes(now: Mapping[str, str], wanted: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Returns the tags to set and the keys to remove, so that ``now`` becomes ``wanted``."""
    return {k: v for k, v in wanted.items() if now.get(k) != v}, sorted(set(now) - set(wanted))


def own_tags(tags: TagCalls, context: ResourceContext, properties: Properties) -> dict[str, str]:
    """The stack's and the resource's own."""
    own = properties.get(tags.property)
    if tags.in_specifications:
        own = [tag for each in own or [] if each["ResourceType"] == tags.specification for tag in each.get("Tags", [])]
    return desired_tags(context, {"Tags": own})


def creation_tags(binding: Binding, context: ResourceContext, properties: Properties) -> dict[str, Any]:
    """The parameter of the creating operation; none without tags."""
    tags = binding.tags
    if tags is None or not tags.at_creation or not (desired := own_tags(tags, context, properties)):
        return {}
    if tags.specification:
        return {tags.at_creation: [{"ResourceType": tags.specification, "Tags": tag_list(desired)}]}
    return {tags.at_creation: _in_form(desired, tags.form)}


def set_tags(handler: TaggedHandler, context: ResourceContext, physical_id: str, properties: Properties) -> None:
    """Changes what differs from the desired tags."""
    tags = handler.binding.tags
    if tags is None or tags.is_fixed:
        return
    now = handler.current_tags(context, physical_id)
    desired = own_tags(tags, context, properties)
    to_add, to_remove = tag_changes(now, desired)
    if tags.is_whole and (to_add or to_remove):
        to_add, to_remove = desired, [] if desired else to_remove
    if to_remove:
        keys: Any = [{tags.keys_form: key} for key in to_remove] if tags.keys_form else to_remove
        handler.send(context, physical_id, tags.untag, **({} if tags.is_whole else {tags.keys_member: keys}))
    if to_add:
        parameters: dict[str, Any] = {}
        put_at(parameters, tags.tag_member, _in_form(to_add, tags.tag_form))
        handler.send(context, physical_id, tags.tag, **parameters)


def _in_form(tags: Mapping[str, str], form: str) -> Any:
    if not form:
        return dict(tags)
    return tag_list(tags, form, form.replace("Key", "Value").replace("key", "value"))

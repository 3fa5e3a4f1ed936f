"""How a type gets its tags, derived from the permissions in its schema."""

from __future__ import annotations

from typing import Any

from derivation.members import member_named
from derivation.type_operations import NotDerivedError, TypeOperations
from local_aws.resource_types.binding import BoundCall, TagCalls

TAGGING = ("TagResource", "CreateTags", "AddTags", "AddTagsToResource")
UNTAGGING = ("UntagResource", "DeleteTags", "RemoveTags", "RemoveTagsFromResource")
LISTING = ("ListTagsForResource", "ListTags", "DescribeTags")
SPECIFICATIONS = "TagSpecifications"


def derived_tags(derivation: TypeOperations, create: BoundCall) -> TagCalls:
    """Raises NotDerivedError when the service has no operations for tags by one of the usual names."""
    tag, untag = (_first(derivation, names) for names in (TAGGING, UNTAGGING))
    if tag is None or untag is None:
        raise NotDerivedError(f"{derivation.type_name}: no operations for its tags are known")
    listing = _first(derivation, LISTING)
    if listing not in derivation.permitted() or derivation.service == "ec2":
        listing = None  # the row has them
    tag_input, untag_input = derivation.input(tag), derivation.input(untag)
    tag_member = member_named(tag_input, "Tags") or "Tags"
    keys_member = next(name for name in untag_input.members if "tag" in name.lower() and "resource" not in name.lower())
    keys_shape = untag_input.members[keys_member].member
    at_creation, form, specification = _at_creation(derivation, create)
    listed = "Tags" if listing is None else _listed(derivation.output(listing))
    return TagCalls(
        tag=BoundCall(tag, _resource(derivation, tag_input, tag_member)),
        untag=BoundCall(untag, _resource(derivation, untag_input, keys_member)),
        property=derivation.tag_property,
        is_map=derivation.kind(derivation.tag_property) == "object",
        at_creation=at_creation,
        form=form,
        is_fixed=f"/properties/{derivation.tag_property}" in derivation.schema.get("createOnlyProperties", []),
        specification=specification,
        tag_member=tag_member,
        tag_form=_form(tag_input.members[tag_member]),
        keys_member=keys_member,
        keys_form=_form(untag_input.members[keys_member]) if keys_shape.type_name == "structure" else "",
        listing=None if listing is None else BoundCall(listing, _resource(derivation, derivation.input(listing), "")),
        path=f"{listed[:1].upper()}{listed[1:]}",
    )


def _listed(shape: Any) -> str:
    """Where the tags are in a response: of one resource, or of the first in a list of resources."""
    lists = {name: each.member for name, each in shape.members.items() if each.type_name == "list"}
    of_resources = next((name for name, each in lists.items() if member_named(each, "Tags")), None)
    return member_named(shape, "Tags") or (f"{of_resources}[0].Tags" if of_resources else "TagList")


def _first(derivation: TypeOperations, names: tuple[str, ...]) -> str | None:
    known = set(derivation.model.operation_names)
    return next((name for name in names if name in known), None)


def _resource(derivation: TypeOperations, shape: Any, tag_member: str) -> dict[str, Any]:
    """The parameter that names the resource: by its ARN where it has one, of several the shortest name."""
    attributes = sorted(derivation.read_only, key=lambda each: (len(each), each))
    names = [name for name in (*attributes, *derivation.identifier) if "/" not in name]
    arns = [name for name in names if name.lower().endswith("arn")]
    name = arns[0] if arns and derivation.service != "ec2" else derivation.identifier[0]
    member = next(each for each in (*shape.required_members, *shape.members) if each != tag_member)
    value = derivation.data.tag_resource or f"{{{name}}}"
    return {member: [value] if shape.members[member].type_name == "list" else value}


def _at_creation(derivation: TypeOperations, create: BoundCall) -> tuple[str, str, str]:
    shape = derivation.input(create.operation)
    if SPECIFICATIONS in shape.members:
        return SPECIFICATIONS, "Key", _specification(derivation, shape)
    member = member_named(shape, derivation.tag_property) or member_named(shape, "Tags")
    return (member, _form(shape.members[member]), "") if member else ("", "Key", "")


def _specification(derivation: TypeOperations, shape: Any) -> str:
    listed = shape.members[SPECIFICATIONS].member.members["ResourceType"].enum
    return next(str(name) for name in listed if name.replace("-", "") == derivation.noun)


def _form(shape: Any) -> str:
    """The member for the key in a list of tags; empty for a map."""
    if shape.type_name != "list" or shape.member.type_name != "structure":
        return ""
    return next(str(name) for name in shape.member.members if name.lower().endswith("key"))

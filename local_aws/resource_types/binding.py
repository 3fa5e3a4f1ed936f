"""How a resource type maps to the operations of its service: ``derive`` computes it, ``GenericHandler`` follows it.

Paths into responses are JMESPath expressions over member names as CloudFormation spells them. Templates of parameters
contain ``{Name}``: a part of the identifier, a property, an attribute, ``@account``, ``@region``, or the id as ``@id``.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

BINDINGS = Path(__file__).parent / "bindings.json"


class BoundCall(Struct, frozen=True, omit_defaults=True):
    """An operation and the parameters that do not come from one property each."""

    operation: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


class Update(Struct, frozen=True, omit_defaults=True):
    """One operation that changes an existing resource."""

    operation: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    properties: Mapping[str, str] = field(default_factory=dict)
    """The path of the parameter, by property."""
    whole: bool = True
    """Whether the operation gets every property it has a parameter for, not only those that differ."""
    reset: Mapping[str, Any] = field(default_factory=dict)
    """The value that resets a setting which the template no longer has, by property."""
    items: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """As ``lists``, for an operation that takes one item at a time."""
    attaches: bool = False
    """Whether the items are attached after the creation, too, and detached before the deletion."""
    lists: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The parameters for items to add and for those to remove, by property; after `` <= `` the member to send."""
    taken_away: tuple[str, ...] = ()
    """Properties that lead to this call only when the template has them no more."""
    watch: tuple[str, ...] = ()
    """Properties whose change leads to this call; none: those of ``properties`` and ``lists``."""
    each: tuple[str, str] | None = None
    """Parameters for the name and the value of one property: the operation sets one at a time."""
    fixed: tuple[str, ...] = ()
    """Members of properties, ``Property/Member``, that the creating operation takes alone."""

    @property
    def only_removes(self) -> bool:
        """Whether it takes items away, which may be gone already."""
        return bool(self.items) and not any(added for added, _ in self.items.values())


class InPlace(Struct, frozen=True):
    """One call that ends the old resource and makes the new one, because both cannot be at a time."""

    operation: str
    parameters: Mapping[str, Any]
    properties: tuple[str, ...]
    """Create-only properties that it takes."""
    answer: Mapping[str, str]
    """As of the creating operation."""


class Setting(Struct, frozen=True, omit_defaults=True):
    """A property that has operations of its own."""

    property: str
    put: BoundCall
    """With the property as ``{Property}`` in its parameters."""
    off: BoundCall
    """Sent when the property is taken away."""
    get: BoundCall | None = None
    path: str = ""
    """Where the value is in the response of ``get``, or in the row without ``get``."""
    has_parameters: bool = False
    """Whether the members of the property are further parameters of ``put``."""


class Reading(Struct, frozen=True):
    """A further call whose response has a part of the row."""

    operation: str
    parameters: Mapping[str, Any]
    """Templates of what identifies the resource, and of the members of its row."""
    path: str


class TagCalls(Struct, frozen=True, omit_defaults=True):
    """How the resource gets its tags. A form is the member for the key in a list of tags; empty for a map."""

    tag: BoundCall
    untag: BoundCall
    property: str = "Tags"
    is_map: bool = False
    """Whether the property is a map."""
    in_specifications: bool = False
    """Whether the property is a list of ``TagSpecifications``, of which those of the type itself are meant."""
    at_creation: str = ""
    """Parameter of the creating operation; empty: by ``tag`` after it."""
    form: str = "Key"
    is_fixed: bool = False
    """Whether tags stay as they were at the creation."""
    specification: str = ""
    """EC2's name of the type in ``TagSpecifications``."""
    tag_member: str = "Tags"
    """Path of the parameter."""
    tag_form: str = "Key"
    is_whole: bool = False
    """Whether ``tag`` takes all tags at once, and ``untag`` takes all of them away."""
    keys_member: str = "TagKeys"
    keys_form: str = ""
    """The member for the key where ``untag`` takes a list of structures."""
    listing: BoundCall | None = None
    """None: tags are part of the row."""
    path: str = "Tags"
    """Where the tags are in the response of ``listing``, or in the row."""


class Rejected(Struct, frozen=True):
    """A value that the service takes and CloudFormation rejects."""

    property: str
    value: Any
    code: str
    message: str


class Missing(Struct, frozen=True, omit_defaults=True):
    """The error when the service returns no row."""

    code: str = "ResourceNotFoundException"
    message: str = "{@id} does not exist."


class Parent(Struct, frozen=True):
    """The resource that contains others of a kept type."""

    type_name: str
    parameter: str
    """The parameter of each operation that identifies it."""
    member: str
    """The member of a row that has its id."""


class LookedUp(Struct, frozen=True):
    """A call whose response has members of a new row."""

    operation: str
    """``ec2:DescribeSubnets``."""
    parameters: Mapping[str, Any]
    members: Mapping[str, str]
    """The path of each member in the response, spelled as in the API."""


class KeptRows(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How the local AWS keeps the resources of a type that moto does not have. Members are spelled as in the API.

    Templates contain members of the row, ``{id}``, ``{parent}``, ``{@random}``, ``{@hex}``, ``{@uuid}``, and as
    ``{@slug}`` the name as it is in ARNs of some services.
    """

    id: str
    arn: str = ""
    id_member: str = "id"
    arn_member: str = "arn"
    known_by: tuple[str, ...] = ("name",)
    """Further members by which requests identify a resource."""
    unique: tuple[str, ...] = ("name",)
    """Members of which no two resources have the same values."""
    parent: Parent | None = None
    is_global: bool = False
    """Whether the Regions of an account share the resources."""
    exists: str = ""
    missing: str
    in_use: str = ""
    """Errors of a second one of the name, none of it, one that contains others: codes, or the first two rows of errors
    whose message has the ``{name}``, such as ``ecr.rule_exists``."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    set_by_update: Mapping[str, str] = field(default_factory=dict)
    """Templates by member of the values that each update sets again."""
    looked_up: tuple[LookedUp, ...] = ()
    computed: Mapping[str, str] = field(default_factory=dict)
    """The path of each member of a response in the row; after ``=>`` a template, as in ``Binding.row``."""
    created: str = "createdAt"
    changed: str = "modifiedAt"
    version: str = ""
    """The member that counts the versions of a resource, if there is one."""
    deleted: Mapping[str, Any] = field(default_factory=dict)
    """The template of each member of the response to a deletion, in place of the row's, made of parameters."""
    is_whole: bool = False
    """Whether an update takes away what it does not have, unless a creation requires it."""
    merges: bool = True
    """Whether an update leaves members of structures as they are that it does not have."""
    listing: str = ""
    """Derived, as what follows, unless the data has it."""
    member: str = ""
    """The member of responses that has the row; empty: each member of a response is one of the row."""
    listings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Further operations that list resources, each with the members of a row whose parameter has another name."""
    item: str = ""
    """Where in a row the item of a list is; empty: the row is the item."""
    tag_listing: str = ""
    """The operation that lists tags."""
    key: str = ""
    """The parameter that identifies a resource, or its path in requests."""
    rename: Mapping[str, str] = field(default_factory=dict)
    """The member of the row with another name, by parameter."""


class Binding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One resource type."""

    service: str
    properties: Mapping[str, str]
    """The path of the parameter of ``create``, by property."""
    required: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    """Properties of the schema that no operation here is bound to."""
    in_code: tuple[str, ...] = ()
    """Properties that the type's own class sends."""
    generated: Mapping[str, int] = field(default_factory=dict)
    """The greatest length of the name that CloudFormation generates, by property."""
    name_prefix: str = ""
    name_suffix: str = ""
    """Template of the end of a generated name."""
    lower_case: bool = False
    """Whether generated names have no capitals."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    rejected: tuple[Rejected, ...] = ()
    json_text: tuple[str, ...] = ()
    """Properties that the service takes as text in JSON."""
    attributes_map: Mapping[str, str] = field(default_factory=dict)
    """The type in the schema of each property that is an entry of a map of texts."""
    rename: Mapping[str, str] = field(default_factory=dict)
    """Path of a nested property, ``Parent/*/Leaf``, to the name of its member in the API."""
    create: BoundCall
    answer: Mapping[str, str] = field(default_factory=dict)
    """The place in the response of ``create`` of each part of the identifier that the service makes."""
    failure: str = ""
    """Where the response of ``create`` has an error although the call succeeded."""
    ref: str
    """Template of the physical id."""
    parts: str = ""
    """Template that splits the physical id into names; empty: ``ref``."""
    read: BoundCall
    also_read: tuple[Reading, ...] = ()
    pages: bool = False
    """Whether further pages are read."""
    rows_text: str = ""
    """Where a text in JSON is that contains the rows."""
    rows: str = "@"
    """Where the row, or the list that contains it, is in the response of ``read``."""
    row: Mapping[str, str] = field(default_factory=dict)
    """The path of each property in the row; after ``=>`` the template of a text that contains it as ``{Property}``."""
    write_only: tuple[str, ...] = ()
    match: Mapping[str, str] = field(default_factory=dict)
    """The path in a row that has to be equal to each part of the identifier."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    """The path in the row, or a template of parts of the identifier, by attribute of ``Fn::GetAtt``."""
    absent_when: Mapping[str, str] = field(default_factory=dict)
    missing: Missing = Missing()
    updates: tuple[Update, ...] = ()
    settings: tuple[Setting, ...] = ()
    delete: BoundCall
    tags: TagCalls | None = None
    in_place: InPlace | None = None
    store: KeptRows | None = None


@functools.cache
def bindings() -> Mapping[str, Binding]:
    """Returns the committed bindings by type name."""
    return msgspec.json.decode(BINDINGS.read_bytes(), type=dict[str, Binding])


@functools.cache
def kept_services() -> frozenset[str]:
    """Services that moto does not answer: each of their types is kept in a table."""
    kept = {each.service for each in bindings().values() if each.store is not None}
    return frozenset(kept - {each.service for each in bindings().values() if each.store is None})

"""Computes the binding of a resource type from its schema, botocore's model of its service, and what YAML says besides.

The handlers of a schema name the API calls of the type; the properties are matched with members of the shapes by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from derivation.derived_rows import kept_rows
from derivation.derived_tags import derived_tags
from derivation.members import best_rows, member_named, names_of, required_members
from derivation.type_data import TypeData
from derivation.type_operations import (
    CREATING,
    DELETING,
    READING,
    UPDATING,
    NotDerivedError,
    TypeOperations,
    property_names,
)
from local_aws.resource_types.binding import Binding, BoundCall, Missing, TagCalls, Update
from local_aws.resource_types.templates import names_in

INDEX = re.compile(r"\[[^\]]*\]")


def derive(type_name: str, schema: Mapping[str, Any], data: TypeData) -> Binding:
    """Raises NotDerivedError, with what is missing."""
    return Derivation(type_name, schema, data).binding()


class Derivation(TypeOperations):
    """One type."""

    def binding(self) -> Binding:
        data, create = self.data, self.call("create", CREATING)
        properties = self.parameters(create)
        settings = {each.property for each in data.settings}
        read = self.with_identity("read", READING)
        rows, row = self.row(read, {*properties, *settings, *data.in_code})
        updates = self.updates(create)
        delete = self.with_identity("delete", DELETING)
        write_only = set(property_names(self.schema.get("writeOnlyProperties", [])))
        placed = (names_in(create.parameters) | names_in(delete.parameters) & write_only) & self.writable
        updated = {name for each in updates for name in (*each.properties, *each.lists, *each.items)}
        reached = {*properties, *data.in_code, *placed, *settings, *updated}
        refused = (self.writable - reached) | self.unreadable(reached, row) | set(data.refused)
        tags = self.tags(create)
        self.require_parameters(create, properties, tags)
        return Binding(
            service=self.service,
            properties={name: path for name, path in properties.items() if name not in refused},
            required=tuple(sorted({*self.schema.get("required", []), *data.required})),
            refused=tuple(sorted(refused)),
            in_code=data.in_code,
            generated=data.generated_name,
            name_prefix=data.name_prefix,
            name_suffix=data.name_suffix,
            lower_case=data.lower_case,
            defaults=data.defaults,
            rejected=data.rejected,
            json_text=self.json_text(create, properties),
            attributes_map=self.attribute_types(properties),
            rename={path: name for path, name in data.rename.items() if "/" in path},
            create=create,
            answer=data.answer or self.answer(create),
            failure=data.failure,
            ref=data.ref or "|".join(f"{{{name}}}" for name in self.identifier),
            parts=data.parts,
            read=read,
            also_read=data.also_read,
            pages=data.pages,
            rows_text=data.rows_text,
            rows=rows,
            row={name: path for name, path in row.items() if name not in refused},
            write_only=tuple(sorted(reached - set(row) - settings - refused)),
            match=data.match or {n: row[n] for n in self.identifier if n in row and "[" not in row[n]},
            attributes=self.attributes(read, rows),
            absent_when=data.absent_when,
            missing=data.missing or Missing(),
            updates=tuple(without(each, refused) for each in updates),
            settings=data.settings,
            delete=delete,
            tags=tags,
            in_place=data.in_place,
            store=None if data.store is None else kept_rows(self, data.store, read, rows, properties, row),
        )

    def parameters(self, call: BoundCall) -> dict[str, str]:
        """Returns the path of the parameter of each property."""
        shape, prefix = self.input(call.operation), ""
        if self.data.wrap:
            shape, prefix = shape.members[self.data.wrap], f"{self.data.wrap}."
        found: dict[str, str] = {}
        for name in sorted(self.writable - {*self.data.refused, *self.data.in_code, *self.setting_names()}):
            member = member_named(shape, self.data.rename.get(name, name))
            if member is not None and member not in call.parameters:
                found[name] = f"{prefix}{member}"
            elif self.data.attributes_map and name not in names_in(call.parameters):
                found[name] = f"{self.data.attributes_map}.{name}"
        return found

    def attribute_types(self, properties: Mapping[str, str]) -> dict[str, str]:
        inside = f"{self.data.attributes_map}."
        return {
            name: self.kind(name)
            for name, path in properties.items()
            if self.data.attributes_map and path.startswith(inside)
        }

    def json_text(self, call: BoundCall, properties: Mapping[str, str]) -> tuple[str, ...]:
        """Objects of the schema that the API takes as text."""
        found = set(self.data.json_text)
        for name, path in properties.items():
            shape = self.input(call.operation)
            for step in path.split("."):
                shape = shape.members[step] if shape.type_name == "structure" else shape.value
            if (
                shape.type_name == "string"
                and self.kind(name) == "object"
                and name not in self.attribute_types(properties)
            ):
                found.add(name)
        return tuple(sorted(found))

    def answer(self, call: BoundCall) -> dict[str, str]:
        """Parts of the identifier that the service makes, in the response."""
        shape, found = self.output(call.operation), {}
        for name in {*self.identifier, *names_of(self.data.ref or "")} & self.read_only:
            paths = [f"{path}{name}" for path, each in _places(shape) if member_named(each, name)]
            with_noun = [
                f"{path}{spelled}" for path, each in _places(shape) if (spelled := _spelled(each, self.noun + name))
            ]
            if paths or with_noun:
                found[name] = (paths or with_noun)[0]
        return found

    # The row

    def row(self, read: BoundCall, reached: set[str]) -> tuple[str, dict[str, str]]:
        names = {name: self.data.row.get(name, name) for name in {*self.writable, *self.identifier}}
        output = self.output(read.operation)
        rows = self.data.rows if self.data.rows is not None else best_rows(output, {*names, *self.attribute_names()})
        shape = _shape_at(output, rows)
        row = dict(self.data.row)
        for name in sorted(names):
            spelled = _spelled(shape, name) or _spelled(shape, self.data.rename.get(name, name))
            if name not in row and spelled is not None and name in {*reached, *self.identifier}:
                row[name] = spelled
            elif name not in row and self.data.attributes_map and shape is not None and shape.type_name == "map":
                row[name] = name
        return rows, {n: p for n, p in row.items() if p and n in self.writable and n not in self.setting_names()}

    def unreadable(self, reached: set[str], row: Mapping[str, str]) -> set[str]:
        """Properties that nothing reads back, although nobody said so: they would be dropped in silence."""
        write_only = {*property_names(self.schema.get("writeOnlyProperties", [])), *self.data.write_only}
        return {name for name in reached if name not in {*row, *write_only, *self.setting_names()}}

    def setting_names(self) -> set[str]:
        return {each.property for each in self.data.settings}

    def attribute_names(self) -> set[str]:
        return {name for name in self.read_only if "/" not in name}

    def attributes(self, read: BoundCall, rows: str) -> dict[str, str]:
        """Read-only properties that are in the row, or are parts of the identifier."""
        shape = _shape_at(self.output(read.operation), rows)
        found: dict[str, str] = {}
        for name in sorted(self.read_only):
            flat = name.replace("/", ".")
            if spelled := _spelled(shape, name):
                found[flat] = spelled
            elif name in self.identifier or name in names_of(self.data.parts):
                found[flat] = f"{{{name}}}"
        return {n: p for n, p in {**found, **self.data.attributes}.items() if p}

    # Changes

    def updates(self, create: BoundCall) -> tuple[Update, ...]:
        given = self.data.update
        if isinstance(given, tuple):
            return given
        name = given or self.operation("update", UPDATING)
        if name in (None, "none"):
            return ()
        properties = self.parameters(BoundCall(name))
        lists = self.lists(name)
        if name == create.operation:
            identity = {path: f"{{{each}}}" for each, path in properties.items() if each in self.identifier}
            parameters = {**create.parameters, **identity}
        else:
            parameters = self.identity(self.input(name), properties.values()) | self.unchanged(properties)
        kept = {n: path for n, path in properties.items() if n not in self.identifier and path not in parameters}
        if not kept and not lists:
            return ()
        reset = {each: value for each, value in self.data.reset.items() if each in kept}
        is_whole = self.data.update_mode == "full"
        members = self.fixed_members(name, kept)
        return (Update(name, parameters, kept, whole=is_whole, reset=reset, lists=lists, fixed=members),)

    def unchanged(self, properties: Mapping[str, str]) -> dict[str, str]:
        """Create-only properties that an update has parameters for: they name what it changes."""
        create_only = property_names(self.schema.get("createOnlyProperties", []))
        return {properties[name]: f"{{{name}}}" for name in create_only if name in properties}

    def fixed_members(self, operation: str, paths: Mapping[str, str]) -> tuple[str, ...]:
        """Create-only members of properties for which the operation has no parameter."""
        nested = [each.split("/") for each in property_names(self.schema.get("createOnlyProperties", []))]
        members = self.input(operation).members
        return tuple(
            f"{name}/{inner[0]}"
            for name, *inner in nested
            if len(inner) == 1 and paths.get(name) in members and not member_named(members[paths[name]], inner[0])
        )

    def lists(self, operation: str) -> dict[str, tuple[str, str]]:
        """Properties whose items the operation adds and removes."""
        members = set(self.input(operation).members)
        pairs = {name: (f"Add{name}", f"Remove{name}") for name in self.writable}
        return {name: pair for name, pair in pairs.items() if members.issuperset(pair)}

    def tags(self, create: BoundCall) -> TagCalls | None:
        given = self.data.tags
        if isinstance(given, TagCalls):
            return given
        if given == "none" or not self.schema.get("tagging", {}).get(
            "taggable", self.tag_property in self.schema["properties"]
        ):
            return None
        return derived_tags(self, create)

    def require_parameters(self, create: BoundCall, properties: Mapping[str, str], tags: TagCalls | None) -> None:
        """Raises NotDerivedError for a required parameter of the creating operation that no property fills."""
        filled = {
            *create.parameters,
            *(path.partition(".")[0] for path in properties.values()),
            tags and tags.at_creation,
        }
        missing = [name for name in required_members(self.input(create.operation)) if name not in filled]
        if missing:
            raise NotDerivedError(f"{self.type_name}: nothing fills {create.operation}.{', '.join(missing)}")


def without(update: Update, refused: set[str]) -> Update:
    """The update without properties that are refused."""
    kept = {name: path for name, path in update.properties.items() if name not in refused}
    return msgspec.structs.replace(update, properties=kept)


def _places(shape: Any) -> Iterator[tuple[str, Any]]:
    """The response and its structures, with the paths that lead into them."""
    if shape is None:
        return
    yield "", shape
    for name, member in shape.members.items():
        if member.type_name == "structure":
            yield f"{name[:1].upper()}{name[1:]}.", member
        elif member.type_name == "list" and member.member.type_name == "structure":
            yield f"{name[:1].upper()}{name[1:]}[0].", member.member


def _shape_at(shape: Any, rows: str) -> Any:
    """The shape at a path; None for one that is computed."""
    for step in [] if rows == "@" else INDEX.sub("", rows).split("."):
        member = member_named(shape, step) if shape is not None and shape.type_name == "structure" else None
        shape = shape.members[member] if member is not None else None
        while shape is not None and shape.type_name == "list":
            shape = shape.member
    return shape


def _spelled(shape: Any, name: str) -> str | None:
    """The member in a row as responses are spelled, capitalized."""
    member = member_named(shape, name) if shape is not None and shape.type_name == "structure" else None
    return member and f"{member[:1].upper()}{member[1:]}"

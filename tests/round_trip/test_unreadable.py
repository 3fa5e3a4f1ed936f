"""The table of properties that cannot be read back holds nothing that a service tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import botocore.session
import pytest
from registry_schemas import resource_schema

from local_aws.handlers.discover import discover_providers
from local_aws.handlers.service_resource import ServiceResource
from local_aws.resource_types.write_only_properties import Unreadable, readable_part, unreadable

PROVIDERS = {name: each for name, each in discover_providers().items() if isinstance(each, ServiceResource)}
ROWS = [(kind, row) for kind, rows in unreadable().items() for row in rows.values()]
IDS = [f"{kind}-{row.path}" for kind, row in ROWS]
SESSION = botocore.session.Session()


def output_shape(operation: str) -> Any:
    service, name = operation.split(":")
    return SESSION.get_service_model(service).operation_model(name).output_shape


def structures(shape: Any, seen: frozenset[str] = frozenset()) -> Iterator[Any]:
    """Every structure in an answer."""
    if shape.name in seen:
        return
    seen = seen | {shape.name}
    match shape.type_name:
        case "structure":
            yield shape
            for member in shape.members.values():
                yield from structures(member, seen)
        case "list":
            yield from structures(shape.member, seen)
        case "map":
            yield from structures(shape.value, seen)


def reading_operations(kind: str, row: Unreadable) -> list[str]:
    """The row's own, and those that CloudFormation reads the type with, as far as botocore has them."""
    permissions = resource_schema(kind).get("handlers", {}).get("read", {}).get("permissions", [])
    service = row.operation.split(":")[0]
    known = SESSION.get_service_model(service).operation_names
    used = [each for each in permissions if each.split(":")[0] == service and each.split(":")[1] in known]
    return sorted({row.operation, *used})


@pytest.mark.parametrize(("kind", "row"), ROWS, ids=IDS)
def test_the_answer_has_no_such_member(kind: str, row: Unreadable) -> None:
    """Where the property would stand there is a structure, and it does not have it."""
    place = output_shape(row.operation)
    for step in filter(None, row.within.split("/")):
        place = place.member if step == "*" else place.members[step]
    assert place.type_name == "structure"
    assert row.member.lower() not in {name.lower() for name in place.members}


@pytest.mark.parametrize(("kind", "row"), ROWS, ids=IDS)
def test_no_answer_about_the_type_has_such_a_member(kind: str, row: Unreadable) -> None:
    """Nor anywhere else in it, nor in the answer of another operation that tells about the type."""
    names = {row.member.lower(), row.path.rpartition("/")[2].lower()}
    for operation in reading_operations(kind, row):
        for structure in structures(output_shape(operation)):
            assert names.isdisjoint(name.lower() for name in structure.members), f"{operation}: {structure.name}"


@pytest.mark.parametrize(("kind", "row"), ROWS, ids=IDS)
def test_cloudformation_calls_it_write_only(kind: str, row: Unreadable) -> None:
    assert f"/properties/{row.path}" in resource_schema(kind)["writeOnlyProperties"]


@pytest.mark.parametrize(("kind", "row"), ROWS, ids=IDS)
def test_the_local_aws_takes_it_and_says_why_it_is_not_told(kind: str, row: Unreadable) -> None:
    assert row.path.split("/")[0] in PROVIDERS[kind].supported | PROVIDERS[kind].required
    assert len(row.reason) > 20


def test_only_the_unreadable_part_is_taken_away() -> None:
    given = {"Code": {"ZipFile": "x", "S3Key": "k"}, "Handler": "index.handler"}
    assert readable_part("AWS::Lambda::Function", given) == {"Code": {"S3Key": "k"}, "Handler": "index.handler"}
    assert readable_part("AWS::Lambda::Function", {"Code": {"ZipFile": "x"}, "Tags": {}}) == {"Tags": {}}

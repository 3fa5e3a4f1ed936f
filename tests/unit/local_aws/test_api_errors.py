"""The tables of API errors: every row is used, complete, and agrees with botocore's models."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jmespath
import pytest
from api_error_section import KINDS, error_section, kind_of
from aws_references import documents, operation_names, page_of, references
from moto.core.utils import get_service_model

import local_aws
from local_aws.api_errors import ErrorRow, api_error, error_rows, error_services
from local_aws.knowledge.current import limit
from local_aws.service import Call, ServiceError, Store
from local_aws.services.preconditions import require_preconditions, violations
from neuron_cluster.catalog.resource_schema import resource_schema

PACKAGE = Path(local_aws.__file__).parent
ROWS = {f"{service}.{name}": row for service in error_services() for name, row in error_rows(service).items()}
PRECONDITIONS = {name: row for name, row in ROWS.items() if row.when or row.exists}
BOUNDS = {"minimum", "maximum"}


def sites() -> Iterator[tuple[str, set[str]]]:
    """Name and fields of every call of ``api_error`` that names its row."""
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "api_error":
                name = node.args[0]
                if isinstance(name, ast.Constant):
                    yield str(name.value), {str(each.arg) for each in node.keywords}


def fields(row: ErrorRow) -> set[str]:
    return {name.partition(".")[0].partition("[")[0] for _, name, *_ in string.Formatter().parse(row.message) if name}


def test_every_site_names_a_row_and_gives_the_fields_of_its_message() -> None:
    found = list(sites())
    assert len(found) > 20
    assert [name for name, _ in found if name not in ROWS] == []
    assert [(name, given) for name, given in found if given != fields(ROWS[name])] == []


def test_every_row_is_a_precondition_or_has_a_site() -> None:
    assert set(ROWS) == PRECONDITIONS.keys() ^ {name for name, _ in sites()}


@pytest.mark.parametrize("name", PRECONDITIONS)
def test_a_precondition_is_about_members_of_its_own_operations(name: str) -> None:
    row, service = ROWS[name], name.partition(".")[0]
    jmespath.compile(row.when or row.exists)
    if row.limit:
        limit(row.limit)
    assert bool(row.exists) == (row.by is not None)
    for operation in row.operations:
        assert operation.startswith(f"{service}:")
        members = get_service_model(service).operation_model(operation.partition(":")[2]).input_shape.members
        assert fields(row) - {"found", *(BOUNDS if row.limit else ())} <= set(members)


def test_operations_and_types_exist() -> None:
    named = {name for row in ROWS.values() for name in row.operations}
    operations = {name for name in named if "::" not in name}
    unknown = {each for each in operations if each.partition(":")[2] not in operation_names(each.partition(":")[0])}
    assert unknown == set()
    assert {name for name in named - operations if resource_schema(name) is None} == set()


def test_every_row_has_a_source() -> None:
    assert [name for name, row in ROWS.items() if kind_of(row) not in KINDS] == []


def test_every_code_is_documented_for_an_operation_or_said_to_be_inferred() -> None:
    silent = {name: row for name, row in ROWS.items() if not row.source.startswith(tuple(filter(None, KINDS.values())))}
    assert [name for name, row in silent.items() if not is_documented(row)] == []


def is_documented(row: ErrorRow) -> bool:
    return any("::" in name or documents(name, row.code) for name in row.operations)


@pytest.mark.parametrize(
    ("code", "operations", "source", "is_sourced"),
    [
        ("InvalidParameterException", ("eks:CreateAddon",), "", True),
        ("InvalidVolume.ZoneMismatch", ("ec2:AttachVolume",), "", True),
        ("KMSInvalidStateException", ("eks:CreateCluster",), "", False),
        ("InvalidParameterException", ("eks:CreateAddon", "eks:TagResource"), "", False),
        ("Made.Up", ("ec2:AttachVolume",), "", False),
        ("Made.Up", ("ec2:AttachVolume",), "inferred: the code", True),
        ("Any", ("AWS::SSM::Parameter",), "", True),
    ],
)
def test_a_page_is_a_source_when_it_has_the_code(
    code: str, operations: tuple[str, ...], source: str, is_sourced: bool
) -> None:
    assert (kind_of(ErrorRow(operations, code, "", source)) != "") is is_sourced


def asked(row: ErrorRow, **parameters: Any) -> list[Mapping[str, Any]]:
    """The fields of each violation."""
    engine: Any = None
    call = Call("sns", "Publish", "111122223333", "us-west-2", parameters, Store(), "", engine)
    return list(violations(row, call))


@pytest.mark.parametrize(
    ("when", "valid", "invalid"),
    [
        ("A && B", {"A": 1}, {"A": 1, "B": 2}),
        ("A && !B", {"A": 1, "B": 2}, {"A": 1}),
        ("!A && !B", {"B": 2}, {}),
        ("A < `1` || A > `7`", {"A": 7}, {"A": 8}),
        ("A < minimum || A > maximum", {"A": 1}, {"A": 0}),
        ("A && length(A) > `2`", {"A": "ab"}, {"A": "abc"}),
        ("!matches(A, '[a-z]+')", {"A": "a"}, {"A": "A"}),
        ("!matches(A, '[a-z]+')", {}, {"A": "a\n"}),
        ("duplicates(A)", {"A": ["a", "b"]}, {"A": ["a", "a"]}),
        ("A && !contains(['x', 'y'], A)", {"A": "x"}, {"A": "z"}),
        ("A[?B > `3`].C | [0]", {"A": [{"B": 3, "C": "c"}]}, {"A": [{"B": 4, "C": "c"}]}),
    ],
)
def test_conditions(when: str, valid: dict[str, Any], invalid: dict[str, Any]) -> None:
    row = ErrorRow((), "", "", when=when, limit="ec2_metadata_hops")
    assert asked(row, **valid) == []
    assert len(asked(row, **invalid)) == 1


def test_a_message_has_what_was_found_and_paths_into_the_request() -> None:
    row = ErrorRow((), "", "", when="A[?B].C | [0]")
    (found,) = asked(row, A=[{"C": 1}, {"B": 1, "C": "first"}])
    assert found["found"] == "first"
    with pytest.raises(KeyError):
        api_error("kms.none")
    assert api_error("kms.waiting_period", PendingWindowInDays=3).message.startswith("PendingWindowInDays 3 is not")


def test_the_first_precondition_in_the_file_answers() -> None:
    engine: Any = None
    request = {"KeyId": "x", "PendingWindowInDays": 3}
    call = Call("kms", "ScheduleKeyDeletion", "111122223333", "us-west-2", request, Store(), "", engine)
    with pytest.raises(ServiceError, match="ValidationException: PendingWindowInDays 3"):
        require_preconditions(call)


def test_addresses_name_an_operation_or_a_structure_that_exists() -> None:
    found = set(re.findall(r"https://[^\s)\]>\";,]+[\w/]", "\n".join(error_section())))
    for service, row in references().items():
        model = get_service_model(service)
        known = {f"{row.reference}{name}.html" for name in (*model.operation_names, *model.shape_names)}
        named = {address.partition("#")[0] for address in found if address.startswith(row.reference)}
        assert named - known == set(), service
    assert page_of("eks:CreateAddon") == "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateAddon.html"

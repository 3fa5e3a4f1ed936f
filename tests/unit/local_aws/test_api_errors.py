"""The tables of API errors: every row is used, complete, and agrees with botocore's models."""

from __future__ import annotations

import ast
import functools
import gzip
import re
import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import botocore
import jmespath
import pytest
from api_error_section import ANY, KINDS, error_pages, kind_of
from aws_references import documents, modelled_codes, operation_names, page_of, references
from moto.core.utils import get_service_model

import local_aws
from local_aws import clients
from local_aws.api_errors import TEMPLATES, ErrorRow, api_error, error_rows, error_tables
from local_aws.contract import Call, ServiceError, Store
from local_aws.knowledge.current import limit
from local_aws.resource_types.binding import bindings
from local_aws.services.preconditions import require_preconditions, violations
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.template_rules.base import Verdict
from neuron_cluster.template_rules.discover import all_template_rules
from tests.every_case import every_case

PACKAGE = Path(local_aws.__file__).parent
ROWS = {f"{service}.{name}": row for service in error_tables() for name, row in error_rows(service).items()}
PRECONDITIONS = {name: row for name, row in ROWS.items() if row.when or row.exists}
WITHOUT_LINKS = {"resource-groups", "pcs", "s3files", "scheduler", "efs"}
"""Services whose texts in botocore link to no page of the reference."""
BOUNDS = {"minimum", "maximum"}
RAISED = {"api_error": "", "TemplateError": f"{TEMPLATES}."}
"""Functions that make an error of a row, with the prefix of the row's name."""
NOT_ROWS = {
    "http/caught_errors.py": "code and message are those of moto, or of another service",
    "http/front_door.py": "passes on the error of a template, which is of a row",
    "http/http_server.py": "code of http.server, by its status",
    "http/protocol.py": "the code is that of the service's model, the message that of botocore",
    "services/reserved_tags.py": "code and message of each service are in seeds/reserved_tags.yaml",
    "services/table.py": "the codes are those of the type's row in handlers/types",
    "services/table_parts.py": "likewise",
}
"""Modules that make errors of other data, with the reason."""
NOT_OF_A_PATH = re.compile(r"!\w+\.")
"""JMESPath reads ``!a.b`` as ``(!a).b``."""


@functools.cache
def calls() -> list[tuple[str, str, ast.Call]]:
    """Module, function and call of every call in the package."""
    return [
        (str(file.relative_to(PACKAGE)), ast.unparse(node.func), node)
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call)
    ]


def sites() -> Iterator[tuple[str, set[str]]]:
    """Name and fields of every call that names its row, and of each form of the row; and of rows of kept types."""
    for stored in (each.store for each in bindings().values() if each.store is not None):
        yield from ((name, {"name"}) for name in (stored.exists, stored.missing) if "." in name)
    for _, function, node in calls():
        if (table := RAISED.get(function)) is not None:
            for row in named_rows(table, node.args[0]):
                yield row, {str(each.arg) for each in node.keywords}


def named_rows(table: str, name: ast.expr) -> list[str]:
    """The row of the name with its forms, or for a name of any service the rows of all."""
    match name:
        case ast.Constant(str(row)):
            return [f"{table}{row}", *(each for each in ROWS if each.startswith(f"{table}{row}."))]
        case ast.JoinedStr([_, ast.Constant(str(suffix))]):
            return [each for each in ROWS if each.endswith(suffix)]
        case _:
            return []


def test_what_is_no_row_is_listed() -> None:
    """Sites that make an error of anything but a row."""
    made = {module for module, function, _ in calls() if function == "ServiceError"}
    assert made == NOT_ROWS.keys() | {"api_errors.py"}


def fields(row: ErrorRow) -> set[str]:
    return {name.partition(".")[0].partition("[")[0] for _, name, *_ in string.Formatter().parse(row.message) if name}


def test_every_site_names_a_row_and_gives_the_fields_of_its_message() -> None:
    found = list(sites())
    assert len(found) > 20
    assert [name for name, _ in found if name not in ROWS] == []
    assert [(name, given) for name, given in found if given != fields(ROWS[name])] == []


def test_every_row_is_a_precondition_or_has_a_site() -> None:
    assert set(ROWS) == PRECONDITIONS.keys() ^ {name for name, _ in sites()}


@every_case("name", PRECONDITIONS)
def test_a_precondition_is_about_members_of_its_own_operations(name: str) -> None:
    row, service = ROWS[name], name.partition(".")[0]
    jmespath.compile(row.when.replace("{minimum}", "1").replace("{maximum}", "1") or row.exists)
    assert not NOT_OF_A_PATH.search(row.when)
    if row.limit:
        limit(row.limit)
    assert bool(row.exists) == (row.by is not None)
    for operation in row.operations:
        assert operation.startswith(f"{service}:")
        members = get_service_model(service).operation_model(operation.partition(":")[2]).input_shape.members
        assert fields(row) - {"found", "region", *(BOUNDS if row.limit else ())} <= set(members)


def test_operations_and_types_exist() -> None:
    named = {name for row in ROWS.values() for name in row.operations}
    operations = {name for name in named if "::" not in name} - {ANY}
    unknown = {each for each in operations if each.partition(":")[2] not in operation_names(each.partition(":")[0])}
    assert unknown == set()
    assert {name for name in named - operations - {ANY} if load_catalog().resource_schemas.get(name) is None} == set()


def test_every_row_has_a_source() -> None:
    assert [name for name, row in ROWS.items() if kind_of(row) not in KINDS] == []


def test_every_code_is_documented_for_an_operation_or_said_to_be_inferred() -> None:
    silent = {name: row for name, row in ROWS.items() if not row.source.startswith(tuple(filter(None, KINDS.values())))}
    assert [name for name, row in silent.items() if not is_documented(row)] == []


def is_documented(row: ErrorRow) -> bool:
    return any("::" in name or name == ANY or documents(name, row.code) for name in row.operations)


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
    call = Call("sns", "Publish", "111122223333", "us-west-2", parameters, Store(), "", clients)
    return list(violations(row, call))


@pytest.mark.parametrize(
    ("when", "valid", "invalid"),
    [
        ("A && B", {"A": 1}, {"A": 1, "B": 2}),
        ("A && !B", {"A": 1, "B": 2}, {"A": 1}),
        ("!A && !B", {"B": 2}, {}),
        ("A < `1` || A > `7`", {"A": 7}, {"A": 8}),
        ("A < `{minimum}` || A > `{maximum}`", {"A": 1}, {"A": 0}),
        ("A[?@ != '{region}'] | [0]", {"A": ["us-west-2"]}, {"A": ["eu-west-1"]}),
        ("A && split(A, ':')[1] != 'b'", {"A": "a:b"}, {"A": "a:c"}),
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
    request = {"KeyId": "x", "PendingWindowInDays": 3}
    call = Call("kms", "ScheduleKeyDeletion", "111122223333", "us-west-2", request, Store(), "", clients)
    with pytest.raises(ServiceError, match="ValidationException: PendingWindowInDays 3"):
        require_preconditions(call)


def test_addresses_are_those_that_the_models_link_to() -> None:
    data = Path(botocore.__file__).parent / "data"
    for service in references().keys() - WITHOUT_LINKS:
        newest = max((data / service).glob("*/service-2.json.gz"))
        assert references()[service].reference.encode() in gzip.decompress(newest.read_bytes()), service


def test_addresses_name_an_operation_or_a_structure_that_exists() -> None:
    lines = [line for page in error_pages().values() for line in page]
    found = set(re.findall(r"https://[^\s)\]>\";,]+[\w/]", "\n".join(lines)))
    assert len(found) > 300
    for service, row in references().items():
        model = get_service_model(service)
        known = {f"{row.reference}{name}.html" for name in (*model.operation_names, *model.shape_names)}
        named = {address.partition("#")[0] for address in found if address.startswith(row.reference)}
        assert named - known == set(), service
    assert page_of("eks:CreateAddon") == "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateAddon.html"


def test_the_code_of_every_rule_is_documented_for_its_operation() -> None:
    rejected = [
        (rule.operation, str(rule.error_code)) for rule in all_template_rules() if rule.verdict is Verdict.REJECTED
    ]
    assert len(rejected) > 30
    assert [each for each in rejected if not documents(*each)] == []


def test_codes_on_the_pages_of_error_codes_are_used_and_in_no_model() -> None:
    """The list stays what this local AWS needs: a code that a model has is compared with the model."""
    for service, page in references().items():
        asked = {(name, row.code) for row in ROWS.values() for name in row.operations}
        asked = {(name, code) for name, code in asked if name.startswith(f"{service}:")}
        asked |= {
            (rule.operation, str(rule.error_code))
            for rule in all_template_rules()
            if rule.operation.startswith(f"{service}:")
        }
        assert set(page.codes) - {code for name, code in asked if code not in modelled_codes(name)} == set(), service

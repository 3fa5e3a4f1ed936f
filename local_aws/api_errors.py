"""API errors as data: ``errors/<service>.yaml`` has the code, the message and the source of each one.

Those that any service returns are in ``errors/common.yaml``, those of templates in ``errors/templates.yaml``.
"""

from __future__ import annotations

import functools
import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from local_aws.contract import BAD_REQUEST, ServiceError
from local_aws.resource_types.templates import found

ERRORS = Path(__file__).parent / "errors"
COMMON, TEMPLATES = "common", "templates"
"""The tables of what any service returns, and of errors in templates."""


class Lookup(Struct, frozen=True):
    """The call that finds what a request names."""

    operation: str
    """``pcs:GetComputeNodeGroup``."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """With the name as ``{@item}``, what it has after its last slash as ``{@name}``, and parameters of the request."""
    has: str = ""
    """JMESPath over what the call returns, with ``{@item}`` and ``{@name}``: has to be true."""


class ErrorRow(Struct, frozen=True, forbid_unknown_fields=True):
    """One API error. With ``when`` or ``exists`` it is a precondition, which the front door checks before the call."""

    operations: tuple[str, ...]
    """Callers that get it: operations, ``eks:CreateAddon``, resource types, ``AWS::EKS::Addon``, or ``*`` for any."""
    code: str
    message: str
    """A format string; its fields are arguments of ``api_error``, or of a precondition paths into the request."""
    source: str = ""
    """Page or thread; begins with ``inferred`` without one, and with ``this local AWS`` for an error of its own.
    Empty: the reference page of each operation, which documents the code."""
    status: int = BAD_REQUEST
    when: str = ""
    """JMESPath over the request; a result that is true in JMESPath is the error, and ``{found}`` in the message."""
    limit: str = ""
    """The limit that ``{minimum}`` and ``{maximum}`` in ``when`` and message are of.

    ``{region}`` and ``{account}``, of the request, need none."""
    exists: str = ""
    """JMESPath to names in the request, of which ``by`` must find each."""
    by: Lookup | None = None


class _Message(string.Formatter):
    """Fields are JMESPath: ``{LaunchTemplateData.InstanceType}``."""

    def get_field(self, field_name: str, _args: Any, kwargs: Any) -> tuple[Any, str]:
        return found(field_name, kwargs), field_name


@functools.cache
def error_rows(service: str) -> Mapping[str, ErrorRow]:
    """Returns the errors of a service, as botocore calls it, or of another table, by name; none without a table.

    Names with an underscore first are parts that rows share.
    """
    path = ERRORS / f"{service}.yaml"
    table = msgspec.yaml.decode(path.read_bytes()) if path.exists() else {}
    return msgspec.convert({name: row for name, row in table.items() if name[0] != "_"}, dict[str, ErrorRow])


def error_tables() -> list[str]:
    """The names of all tables."""
    return sorted(path.stem for path in ERRORS.glob("*.yaml"))


def error_services() -> set[str]:
    """The services that have a table."""
    return {*error_tables()} - {COMMON, TEMPLATES}


def api_error(name: str, form: str = "", /, **fields: Any) -> ServiceError:
    """The error ``<table>.<row>`` with the fields of its message; ``<table>.<row>.<form>`` where there is one."""
    table, _, row_name = name.partition(".")
    rows = error_rows(table)
    row = rows.get(f"{row_name}.{form}") or rows[row_name]
    return ServiceError(row.code, _Message().format(row.message, **fields), status=row.status)

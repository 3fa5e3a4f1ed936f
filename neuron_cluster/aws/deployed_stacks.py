"""Stacks with everything by which their templates resolve: parameters, exports, tags and physical ids."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.aws.cloudformation import StackResource, resources, template
from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.aws.session import Target, client

NOT_MADE = frozenset({"REVIEW_IN_PROGRESS", "ROLLBACK_COMPLETE", "DELETE_COMPLETE"})
"""Statuses of a stack without resources."""


class DeployedStack(Struct, frozen=True):
    """One stack of the account and Region."""

    id: str
    name: str
    status: str
    parameters: Mapping[str, str]
    """Values by name; of a parameter of Systems Manager the value that its name stands for."""
    exports: Mapping[str, str]
    tags: Mapping[str, str]
    description: str = ""
    template: Mapping[str, Any] | NotRead = {}
    resources: Mapping[str, StackResource] | NotRead = {}
    """Resources by logical id."""


def stacks_of_account(target: Target) -> list[DeployedStack]:
    """All stacks with resources, without templates. Raises ``AwsApiError`` and ``NoResponseError``."""
    with translated():
        pages = client(target, "cloudformation").get_paginator("describe_stacks").paginate()
        rows = [row for page in pages for row in page["Stacks"]]
    return [_stack(row) for row in rows if row["StackStatus"] not in NOT_MADE]


def _stack(row: Mapping[str, Any]) -> DeployedStack:
    parameters = row.get("Parameters", ())
    exports = (output for output in row.get("Outputs", ()) if output.get("ExportName"))
    return DeployedStack(
        id=row["StackId"],
        name=row["StackName"],
        status=row["StackStatus"],
        parameters={each["ParameterKey"]: each.get("ResolvedValue", each["ParameterValue"]) for each in parameters},
        exports={output["ExportName"]: output["OutputValue"] for output in exports},
        tags={tag["Key"]: tag["Value"] for tag in row.get("Tags", ())},
        description=row.get("Description", ""),
    )


def with_contents(target: Target, stack: DeployedStack) -> DeployedStack:
    """The stack with its template and resources, two calls; each may be ``NotRead``."""
    return replace(
        stack,
        template=_read(lambda: template(target, stack.name) or {}),
        resources=_read(lambda: {row.logical_id: row for row in resources(target, stack.name)}),
    )


def _read(read: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any] | NotRead:
    return reading("cloudformation", read)


def named(stacks: Collection[DeployedStack], names: Collection[str]) -> list[DeployedStack]:
    """The stacks of these names, in the order of the names."""
    found = {stack.name: stack for stack in stacks}
    return [found[name] for name in names if name in found]

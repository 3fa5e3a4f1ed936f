"""The argument of ``Fn::GetStackOutput``: an output of another stack, which needs no export and is not locked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.errors import TemplateError

REQUIRED = frozenset({"StackName", "OutputName"})
OPTIONAL = frozenset({"Region", "RoleArn"})


class StackOutput(Struct, frozen=True):
    """Which output of which stack."""

    stack_name: str
    output_name: str
    region: str = ""
    """Empty: that of the stack that refers to it."""
    role_arn: str = ""
    """A role of the account that has the stack; empty: the account is the same."""


def stack_output(argument: Any) -> StackOutput:
    """The output that a resolved argument names. Raises TemplateError for anything else."""
    if not isinstance(argument, Mapping) or not REQUIRED <= argument.keys() <= REQUIRED | OPTIONAL:
        raise TemplateError("stack_output")
    if not all(isinstance(value, str) and value for value in argument.values()):
        raise TemplateError("stack_output")
    return StackOutput(
        argument["StackName"], argument["OutputName"], argument.get("Region", ""), argument.get("RoleArn", "")
    )

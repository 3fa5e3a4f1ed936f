"""The argument of ``Fn::GetStackOutput``: an output of another stack, which needs no export and is not locked.

Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-getstackoutput.html
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.errors import invalid_template

FUNCTION = "Fn::GetStackOutput"
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
        raise _malformed()
    if not all(isinstance(value, str) and value for value in argument.values()):
        raise _malformed()
    return StackOutput(
        argument["StackName"], argument["OutputName"], argument.get("Region", ""), argument.get("RoleArn", "")
    )


def _malformed() -> Exception:
    # Source: inferred: the words.
    return invalid_template(
        f"Template error: every {FUNCTION} object requires the strings StackName and OutputName, and takes the strings "
        "Region and RoleArn"
    )

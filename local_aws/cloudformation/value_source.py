"""Where a resolver gets the values that a template refers to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.values import UNKNOWN

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


class ValueSource:
    """The account, the resources and the other stacks, as far as the caller knows them: of this class nothing.

    Every method returns a value, a ``Reference`` that stands for one, or UNKNOWN; it may raise TemplateError.
    """

    def parameter(self, name: str) -> Any:  # noqa: ARG002 - for those who know them
        """The value of a parameter that the template declares."""
        return UNKNOWN

    def pseudo_parameter(self, name: str) -> Any:  # noqa: ARG002 - as above
        """The value of ``AWS::Region`` and its like."""
        return UNKNOWN

    def reference(self, logical_id: str) -> Any:  # noqa: ARG002 - as above
        """Returns the value of ``Ref`` to a resource of the template."""
        return UNKNOWN

    def attribute(self, logical_id: str, name: str) -> Any:  # noqa: ARG002 - as above
        """Returns the value of ``Fn::GetAtt``."""
        return UNKNOWN

    def import_value(self, name: str) -> Any:  # noqa: ARG002 - as above
        """The value of an export."""
        return UNKNOWN

    def stack_output(self, output: StackOutput) -> Any:  # noqa: ARG002 - as above
        """The value of another stack's output, exported or not."""
        return UNKNOWN

    def availability_zones(self, region: str) -> Any:  # noqa: ARG002 - as above
        """Names of the Availability Zones; of the stack's own Region when ``region`` is empty."""
        return UNKNOWN

    def dynamic_reference(self, service: str, name: str) -> Any:  # noqa: ARG002 - as above
        """The value of ``{{resolve:service:name}}``."""
        return UNKNOWN

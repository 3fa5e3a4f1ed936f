"""Where a resolver gets the values that a template refers to."""

from __future__ import annotations

from typing import Any, Protocol

from local_aws.cloudformation.stack_output import StackOutput


class ValueSource(Protocol):
    """The account, the resources and the other stacks, as far as the caller knows them.

    Every method returns a value, a ``Reference`` that stands for one, or UNKNOWN; it may raise TemplateError.
    """

    def parameter(self, name: str) -> Any:
        """The value of a parameter that the template declares."""

    def pseudo_parameter(self, name: str) -> Any:
        """The value of ``AWS::Region`` and its like."""

    def reference(self, logical_id: str) -> Any:
        """What ``Ref`` to a resource of the template returns."""

    def attribute(self, logical_id: str, name: str) -> Any:
        """What ``Fn::GetAtt`` returns."""

    def import_value(self, name: str) -> Any:
        """The value of an export."""

    def stack_output(self, output: StackOutput) -> Any:
        """The value of another stack's output, exported or not."""

    def availability_zones(self, region: str) -> Any:
        """Names of the Availability Zones; of the stack's own Region when ``region`` is empty."""

    def dynamic_reference(self, service: str, name: str) -> Any:
        """The value of ``{{resolve:service:name}}``."""

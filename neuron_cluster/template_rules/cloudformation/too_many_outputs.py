"""Stacks that exceed CloudFormation's outputs quota."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from neuron_cluster.template_rules.base import Violation, WholeTemplateRule

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class TooManyOutputs(WholeTemplateRule):
    """A stack does not exceed CloudFormation's outputs quota (`Outputs`)."""

    id = "E8702"
    operation = "cloudformation:CreateChangeSet"
    error_code = "ValidationError"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html"

    def check(self, template: Mapping[str, Any], catalog: Catalog) -> Iterator[Violation]:
        maximum = catalog.limit("cloudformation_outputs_per_stack").require_maximum()
        number = len(template.get("Outputs", {}))
        if number > maximum:
            words = f"Template format error: Number of outputs, {number}, is greater than maximum allowed, {maximum}"
            yield Violation(
                "Outputs",
                f"the stack has {number} outputs; CloudFormation allows {maximum}",
                "remove outputs that no other stack imports",
                words,
            )

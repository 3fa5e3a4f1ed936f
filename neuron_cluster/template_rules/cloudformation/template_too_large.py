"""Templates that exceed CloudFormation's size quota."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from neuron_cluster.template_rules.base import Violation, WholeTemplateRule
from neuron_cluster.template_rules.cloudformation.too_many_resources import FEWER_RESOURCES

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class TemplateTooLarge(WholeTemplateRule):
    """The uploaded template does not exceed CloudFormation's template body quota."""

    id = "E8703"
    operation = "cloudformation:CreateChangeSet"
    error_code = "ValidationError"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html"

    def check(self, template: Mapping[str, Any], catalog: Catalog) -> Iterator[Violation]:
        maximum = catalog.limit("cloudformation_template_body").require_maximum()
        size = len(msgspec.json.format(msgspec.json.encode(template), indent=1))  # as CDK writes it
        if size > maximum:
            yield Violation(
                "",
                f"the template has {size} bytes; CloudFormation allows {maximum}",
                FEWER_RESOURCES,
                f"Template may not exceed {maximum} bytes in size.",
            )

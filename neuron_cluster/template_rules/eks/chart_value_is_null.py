from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import text


class ChartValueIsNull(TemplateRule):
    """The values of a Helm release contain no null, which removes the chart's default (`Values`)."""

    id = "E8234"
    operation = "helm upgrade"
    error_code = None
    source = "https://helm.sh/docs/chart_template_guide/values_files/ (deleting a default key)"
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, context: TemplateContext) -> Violations:
        values = text(context.resource.properties.get("Values"))
        for path in _nulls(json.loads(values), "") if values is not None else ():
            message = "is null: helm removes the chart's default"
            yield Violation(f"Values{path}", message, "remove the null from Values, or write a value instead")


def _nulls(value: Any, path: str) -> Iterator[str]:
    if value is None:
        yield path
    elif isinstance(value, dict):
        for key, member in value.items():
            yield from _nulls(member, f"{path}.{key}")
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _nulls(item, f"{path}[{position}]")

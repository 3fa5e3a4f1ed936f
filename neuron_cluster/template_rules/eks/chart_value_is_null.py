"""Null values of Helm releases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class ChartValueIsNull(ResourceRule):
    """The values of a Helm release contain no null, which removes the chart's default (`Values`)."""

    id = "E8234"
    operation = "helm upgrade"
    error_code = None
    source = "https://helm.sh/docs/chart_template_guide/values_files/ (deleting a default key)"
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        values = text(resource.properties.get("Values"))
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

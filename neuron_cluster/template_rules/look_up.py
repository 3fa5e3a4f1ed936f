"""Follows Ref, Fn::GetAtt and Fn::ImportValue through the templates of one environment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.template_rules.property_tree import Reference
from neuron_cluster.template_rules.resolve import resolved
from neuron_cluster.template_rules.template_resource import TemplateResource


class LookUp:
    """The templates of one environment by stack name, every resource resolved once.

    ``region`` is known where the caller knows it: templates do not say it.
    """

    def __init__(self, templates: Mapping[str, Mapping[str, Any]], region: str | None = None) -> None:
        self.templates = templates
        self.region = region
        exports = _exports(templates)
        self._resources = {
            (stack, logical_id): TemplateResource(
                stack=stack,
                logical_id=logical_id,
                type_name=body.get("Type", ""),
                properties=resolved(body.get("Properties") or {}, stack, templates, exports, region),
                body=body,
            )
            for stack, template in templates.items()
            for logical_id, body in (template.get("Resources") or {}).items()
        }

    def resources(self, *type_names: str, stack: str | None = None) -> Iterator[TemplateResource]:
        """All resources, or those of these types, or of this stack, in the order of the templates."""
        for resource in self._resources.values():
            if (not type_names or resource.type_name in type_names) and stack in (None, resource.stack):
                yield resource

    def referred(self, value: Any) -> TemplateResource | None:
        """The resource that a property refers to; None when it is outside the templates or cannot be told."""
        return self._resources.get((value.stack, value.logical_id)) if isinstance(value, Reference) else None


def _exports(templates: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[str, Any]]:
    """Export name to the stack that exports and the value as written there."""
    return {
        output["Export"]["Name"]: (stack, output.get("Value"))
        for stack, template in templates.items()
        for output in (template.get("Outputs") or {}).values()
        if isinstance(output.get("Export", {}).get("Name"), str)
    }

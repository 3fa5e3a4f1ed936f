"""The statements of every identity policy of a resource."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_cluster.template_rules.property_tree import at, items, one_or_more
from neuron_cluster.template_rules.template_resource import TemplateResource


def identity_statements(resource: TemplateResource) -> Iterator[tuple[str, Any]]:
    """Path and statement of each policy that grants permissions to a role; trust policies grant none."""
    yield from _statements(resource.properties.get("PolicyDocument"), "PolicyDocument")
    for position, policy in enumerate(items(resource.properties.get("Policies"))):
        yield from _statements(at(policy, "PolicyDocument"), f"Policies[{position}].PolicyDocument")


def _statements(document: Any, path: str) -> Iterator[tuple[str, Any]]:
    for position, statement in enumerate(one_or_more(at(document, "Statement"))):
        if at(statement, "Effect") == "Allow":
            yield f"{path}.Statement[{position}]", statement

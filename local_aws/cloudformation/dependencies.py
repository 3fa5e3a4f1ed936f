"""Which resources of a template depend on which, and the order in which they are created."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.references import written_references
from local_aws.cloudformation.template import ResourceDefinition, Template


def dependencies(template: Template, active: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Returns for each active resource those it refers to or names in DependsOn.

    Raises TemplateError for a name that the template does not have.
    """
    return {
        logical_id: _dependencies_of(definition, template, active)
        for logical_id, definition in template.resources.items()
        if logical_id in active
    }


def check_references(template: Template) -> None:
    """Raises TemplateError when a resource or an output refers to a name that the template does not have."""
    known = {*template.resources, *template.parameters}
    for block, node in (
        ("Resources", [[each.properties, *policies_of(each)] for each in template.resources.values()]),
        ("Outputs", list(template.outputs.values())),
    ):
        unresolved = sorted({found.name for found in written_references(node) if found.name not in known})
        if unresolved:
            raise TemplateError("unresolved_references", names=", ".join(unresolved), block=block)


def policies_of(definition: ResourceDefinition) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Returns the policies of a resource, which may have functions: they only refer to parameters."""
    return definition.creation_policy, definition.update_policy


def creation_order(dependencies: Mapping[str, Collection[str]]) -> list[str]:
    """Every name after those it depends on, otherwise in the given order.

    Names that are depended on but are no key are left out. Raises TemplateError for a cycle.
    """
    order: list[str] = []
    done: set[str] = set()
    path: list[str] = []

    def visit(name: str) -> None:
        if name in done or name not in dependencies:
            return
        if name in path:
            cycle = path[path.index(name) :]
            raise TemplateError("circular_dependency", names=", ".join(cycle))
        path.append(name)
        for dependency in dependencies[name]:
            visit(dependency)
        path.pop()
        done.add(name)
        order.append(name)

    for name in dependencies:
        visit(name)
    return order


class DependencyGraph:
    """The dependencies of a template that may have mistakes; each resource is read once."""

    def __init__(self, template: Template) -> None:
        self._template = template
        self._direct: dict[str, tuple[str, ...]] = {}

    def reaches(self, start: str, goal: str) -> bool:
        """Whether one resource depends on another, directly or through others."""
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            logical_id = waiting.pop()
            if logical_id == goal:
                return True
            if logical_id not in seen and logical_id in self._template.resources:
                seen.add(logical_id)
                waiting += self._direct_dependencies(logical_id)
        return False

    def _direct_dependencies(self, logical_id: str) -> tuple[str, ...]:
        if logical_id not in self._direct:
            self._direct[logical_id] = tuple(_named_by(self._template.resources[logical_id], strict=False))
        return self._direct[logical_id]


def _dependencies_of(definition: ResourceDefinition, template: Template, active: Collection[str]) -> tuple[str, ...]:
    unresolved = [name for name in definition.depends_on if name not in template.resources]
    if unresolved:
        raise TemplateError("unresolved_references", names=", ".join(unresolved), block="Resources")
    return tuple(dict.fromkeys(name for name in _named_by(definition, strict=True) if name in active))


def _named_by(definition: ResourceDefinition, *, strict: bool) -> Iterator[str]:
    yield from definition.depends_on
    yield from (found.name for found in written_references(definition.properties, strict=strict))

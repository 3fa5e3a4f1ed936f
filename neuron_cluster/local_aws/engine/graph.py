"""The order in which resources come to be, and in reverse, go.

Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-dependson.html
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from neuron_cluster.local_aws.engine.references import references
from neuron_cluster.local_aws.engine.template import ResourceDefinition, Template, invalid_template


def dependencies(template: Template, active: Collection[str]) -> dict[str, tuple[str, ...]]:
    """For each active resource those it refers to or names in DependsOn.

    Raises ServiceError for a name that the template does not have.
    """
    return {
        logical_id: _dependencies_of(definition, template, active)
        for logical_id, definition in template.resources.items()
        if logical_id in active
    }


def check_references(template: Template) -> None:
    """Raises ServiceError when a resource or an output refers to a name that the template does not have."""
    known = {*template.resources, *template.parameters}
    for block, node in (
        ("Resources", [definition.properties for definition in template.resources.values()]),
        ("Outputs", list(template.outputs.values())),
    ):
        unresolved = sorted({name for name in references(node) if name not in known})
        if unresolved:
            raise invalid_template(
                f"Template format error: Unresolved resource dependencies [{', '.join(unresolved)}] "
                f"in the {block} block of the template"
            )


def _dependencies_of(definition: ResourceDefinition, template: Template, active: Collection[str]) -> tuple[str, ...]:
    unresolved = [name for name in definition.depends_on if name not in template.resources]
    if unresolved:
        raise invalid_template(
            f"Template format error: Unresolved resource dependencies [{', '.join(unresolved)}] "
            "in the Resources block of the template"
        )
    names = [*definition.depends_on, *references(definition.properties)]
    return tuple(dict.fromkeys(name for name in names if name in active))


def creation_order(dependencies: Mapping[str, Collection[str]]) -> list[str]:
    """Every name after those it depends on, otherwise in the given order.

    Names that are depended on but are no key are left out. Raises ServiceError for a cycle.
    """
    order: list[str] = []
    done: set[str] = set()
    path: list[str] = []

    def visit(name: str) -> None:
        if name in done or name not in dependencies:
            return
        if name in path:
            cycle = path[path.index(name) :]
            raise invalid_template(f"Circular dependency between resources: [{', '.join(cycle)}]")
        path.append(name)
        for dependency in dependencies[name]:
            visit(dependency)
        path.pop()
        done.add(name)
        order.append(name)

    for name in dependencies:
        visit(name)
    return order

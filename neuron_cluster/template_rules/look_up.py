"""The resources of one environment's templates, with Ref, Fn::GetAtt and Fn::ImportValue followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.cloudformation.linked_stacks import LinkedStacks
from local_aws.cloudformation.template import Template
from local_aws.cloudformation.values import UNKNOWN, Reference, Unknown
from neuron_cluster.template_rules.template_resource import TemplateResource


class LookUp:
    """The templates of one environment by stack name, with each resource resolved once.

    ``region`` comes from the caller: templates do not contain it.
    """

    def __init__(self, templates: Mapping[str, Mapping[str, Any]], region: str | None = None) -> None:
        self.templates = templates
        self.region = region
        known = {} if region is None else {"AWS::Region": region}
        self._stacks = LinkedStacks(templates, leave=_left, pseudo_parameters=known)
        self._resources = {
            address: TemplateResource(
                stack=address.stack,
                logical_id=address.logical_id,
                type_name=self._stacks.template(address.stack).resources[address.logical_id].type,
                properties=self._stacks.properties(address),
                body=templates[address.stack]["Resources"][address.logical_id],
            )
            for address in self._stacks.addresses()
        }
        self._by_types: dict[tuple[str, ...], tuple[TemplateResource, ...]] = {(): tuple(self._resources.values())}
        """Resources by the types of a rule: every rule needs them, and some need them for every resource."""

    def resources(self, *type_names: str, stack: str | None = None) -> Iterator[TemplateResource]:
        """All resources, or those of these types, or of this stack, in the order of the templates."""
        if type_names not in self._by_types:
            self._by_types[type_names] = tuple(each for each in self._by_types[()] if each.type_name in type_names)
        for resource in self._by_types[type_names]:
            if stack in (None, resource.stack):
                yield resource

    def referred(self, value: Any) -> TemplateResource | None:
        """The resource that a property references; None when it is outside the templates or unknown."""
        return self._resources.get(value.target) if isinstance(value, Reference) else None

    def depends_on(self, resource: TemplateResource, logical_id: str) -> bool:
        """Whether a resource depends on another resource of its stack, directly or transitively."""
        return self._stacks.reaches(resource.stack, resource.logical_id, logical_id)


def _left(stack: str, template: Template, function: str, argument: Any) -> Unknown:
    del stack, template, function, argument
    return UNKNOWN

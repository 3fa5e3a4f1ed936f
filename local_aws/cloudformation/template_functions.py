"""Functions that a template may not have, wherever they are in it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from local_aws.cloudformation.dependencies import policies_of
from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.functions import TRANSFORM, supported_functions, unsupported_function
from local_aws.cloudformation.resolver import DYNAMIC_REFERENCE
from local_aws.cloudformation.template import Template


def check_functions(template: Template, dynamic_services: Collection[str]) -> None:
    """Raises TemplateError for an unknown function, a missing mapping and an unsupported dynamic reference.

    ``dynamic_services`` are those of ``{{resolve:service:name}}``.
    """
    for definition in template.resources.values():
        _check_secure(definition.type, definition.properties)
    supported = supported_functions(template.transforms)
    waiting: list[Any] = [
        *(definition.properties for definition in template.resources.values()),
        *(policy for definition in template.resources.values() for policy in policies_of(definition)),
        *template.outputs.values(),
    ]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            _check_text(node, dynamic_services)
        elif isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, Mapping):
            name = str(next(iter(node))) if len(node) == 1 else ""
            if name.startswith("Fn::") and name not in supported:
                raise unsupported_function(name, template.transforms)
            if name == "Fn::FindInMap":
                _check_mapping(node[name], template)
            waiting.extend(node.values())


def _check_mapping(argument: Any, template: Template) -> None:
    match argument:
        case [str(name), _, _, *rest] if name not in template.mappings and not (
            rest and TRANSFORM in template.transforms
        ):
            raise TemplateError("no_mapping_section", name=name)


def _check_secure(resource_type: str, properties: Mapping[str, Any]) -> None:
    """The types whose properties may have a ``ssm-secure``, such as AWS::RDS::DBInstance, are not among those here."""
    named = sorted(
        name for name, value in properties.items() if "{{resolve:ssm-secure:" in json.dumps(value, default=str)
    )
    if named:
        places = ",".join(f"{resource_type}/Properties/{name}" for name in named)
        raise TemplateError("secure_reference", places=places)


def _check_text(text: str, dynamic_services: Collection[str]) -> None:
    for match in DYNAMIC_REFERENCE.finditer(text):
        if match[1] not in dynamic_services:
            raise TemplateError("dynamic_reference_unsupported", service=match[1], reference=match[0])

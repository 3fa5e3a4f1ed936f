"""A CloudFormation template: read, and checked as far as it can be without an account."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from typing import Any

import yaml
from msgspec import Struct

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.functions import TRANSFORM
from local_aws.cloudformation.loops import expanded
from local_aws.cloudformation.short_form import AliasInTemplate, ShortFormLoader
from local_aws.cloudformation.template_shape import misshapen

MAPS = ("Resources", "Parameters", "Rules", "Mappings", "Conditions", "Outputs", "Metadata")
"""Sections that are maps."""
SECTIONS = frozenset({"AWSTemplateFormatVersion", "Description", "Transform", *MAPS})
UPDATES = ("CreationPolicy", "UpdatePolicy")
REMOVALS = ("DeletionPolicy", "UpdateReplacePolicy")
RESOURCE_KEYS = frozenset({"Type", "Properties", "DependsOn", "Condition", "Metadata", *UPDATES, *REMOVALS})
POLICIES = frozenset({"Delete", "Retain", "RetainExceptOnCreate", "Snapshot"})


class ResourceDefinition(Struct, frozen=True):
    """One entry of ``Resources``, functions unresolved."""

    logical_id: str
    type: str
    properties: Mapping[str, Any]
    condition: str | None
    depends_on: tuple[str, ...]
    deletion_policy: str
    update_replace_policy: str
    metadata: Mapping[str, Any]
    has_deletion_policy: bool = False
    """Whether the template gives one."""
    creation_policy: Mapping[str, Any] = {}
    update_policy: Mapping[str, Any] = {}


class Template(Struct, frozen=True):
    """``body`` is the text as it was sent: GetTemplate gives it back unchanged."""

    body: str
    description: str | None
    transforms: tuple[str, ...]
    parameters: Mapping[str, Mapping[str, Any]]
    rules: Mapping[str, Mapping[str, Any]]
    mappings: Mapping[str, Any]
    conditions: Mapping[str, Any]
    resources: Mapping[str, ResourceDefinition]
    outputs: Mapping[str, Mapping[str, Any]]
    metadata: Mapping[str, Any]
    processed: Mapping[str, Any] | None = None
    """The document as the transform has left it; None without one."""


def parse_template(
    body: str,
    check: Callable[[Mapping[str, Any]], None] | None = None,
    parameters: Mapping[str, str] | None = None,
) -> Template:
    """Reads JSON or YAML. Raises TemplateError with CloudFormation's message.

    ``check`` is called with the document once its form is known to be right, and raises for what else is wrong.
    ``parameters`` are the values with which the transform AWS::LanguageExtensions expands the template.
    """
    document = _document(body)
    if TRANSFORM in _transforms(document):
        document = expanded(document, parameters or {})
    _check_form(document)
    if check is not None:
        check(document)
    template = as_template(document, body)
    unsupported = [name for name in template.transforms if name != TRANSFORM]
    if unsupported:
        raise TemplateError("transform", name=unsupported[0])
    return template


def as_template(document: Mapping[str, Any], body: str = "") -> Template:
    """A document as a template, whatever is missing in it left out; nothing is checked."""
    resources = document.get("Resources") or {}
    return Template(
        body=body,
        description=document.get("Description"),
        transforms=_transforms(document),
        parameters=document.get("Parameters") or {},
        rules=document.get("Rules") or {},
        mappings=document.get("Mappings") or {},
        conditions=document.get("Conditions") or {},
        resources={name: _definition(name, resource) for name, resource in resources.items()},
        outputs=document.get("Outputs") or {},
        metadata=document.get("Metadata") or {},
        processed=document if TRANSFORM in _transforms(document) else None,
    )


def _transforms(document: Mapping[str, Any]) -> tuple[str, ...]:
    found = document.get("Transform") or ()
    return (found,) if isinstance(found, str) else tuple(found) if isinstance(found, list | tuple) else ()


def _definition(logical_id: str, definition: Mapping[str, Any]) -> ResourceDefinition:
    depends_on = definition.get("DependsOn") or ()
    return ResourceDefinition(
        logical_id=logical_id,
        type=definition.get("Type", ""),
        properties=definition.get("Properties") or {},
        condition=definition.get("Condition"),
        depends_on=(depends_on,) if isinstance(depends_on, str) else tuple(depends_on),
        deletion_policy=definition.get("DeletionPolicy", "Delete"),
        update_replace_policy=definition.get("UpdateReplacePolicy", "Delete"),
        metadata=definition.get("Metadata") or {},
        has_deletion_policy="DeletionPolicy" in definition,
        creation_policy=definition.get("CreationPolicy") or {},
        update_policy=definition.get("UpdatePolicy") or {},
    )


def _document(body: str) -> Mapping[str, Any]:
    try:
        document = json.loads(body) if body.lstrip().startswith("{") else _of_yaml(body)
    except json.JSONDecodeError as error:
        raise TemplateError("json", line=error.lineno, column=error.colno) from error
    except AliasInTemplate as error:
        raise TemplateError("aliases") from error
    except yaml.YAMLError as error:
        raise TemplateError("yaml", reason=error) from error
    except RecursionError as error:
        raise TemplateError("depth") from error
    if not isinstance(document, Mapping):
        raise TemplateError("no_map")
    return document


@functools.lru_cache(maxsize=4)
def _of_yaml(body: str) -> Any:
    """Kept, and changed by nobody: the template of CDK's bootstrap takes a tenth of a second, in each account."""
    return yaml.load(body, ShortFormLoader)  # noqa: S506 - a safe loader plus CloudFormation's tags


def _check_form(document: Mapping[str, Any]) -> None:
    unknown = sorted(str(name) for name in set(document) - SECTIONS)
    if unknown:
        raise TemplateError("sections", names=", ".join(unknown))
    for name in MAPS:
        if not isinstance(document.get(name) or {}, Mapping):
            raise TemplateError("section_no_map", name=name)
    if not document.get("Resources"):
        raise TemplateError("no_resources")
    for name, definition in document["Resources"].items():
        _check_resource(name, definition)
    if (reason := misshapen(document)) is not None:
        raise TemplateError("shape", reason=reason)


def _check_resource(logical_id: str, definition: Any) -> None:
    if not isinstance(logical_id, str) or not logical_id.isalnum():
        raise TemplateError("logical_id", resource=logical_id)
    if not isinstance(definition, Mapping):
        raise TemplateError("resource_no_map", resource=logical_id)
    if not isinstance(definition.get("Type"), str):
        raise TemplateError("no_type", resource=logical_id)
    unknown = sorted(str(name) for name in set(definition) - RESOURCE_KEYS)
    if unknown:
        raise TemplateError("resource_attribute", name=unknown[0])
    if not isinstance(definition.get("DependsOn", ()), (str, list, tuple)):
        raise TemplateError("depends_on", resource=logical_id)
    for name in UPDATES:
        if not isinstance(definition.get(name, {}), Mapping):
            raise TemplateError("policy_no_map")
    for name in REMOVALS:
        _check_policy(f"resource {logical_id}", definition["Type"], name, definition.get(name, "Delete"))


def _check_policy(where: str, resource_type: str, name: str, policy: Any) -> None:
    allowed = POLICIES - {"RetainExceptOnCreate"} if name == "UpdateReplacePolicy" else POLICIES
    if not isinstance(policy, str) or policy not in allowed:
        raise TemplateError("policy", name=name, policy=policy, where=where)
    if policy == "Snapshot" and resource_type == "AWS::EC2::Volume":
        raise TemplateError("snapshot_of_volume", where=where)
    if policy == "Snapshot":
        label = "deletion policy" if name == "DeletionPolicy" else "update replace policy"
        raise TemplateError("snapshot", type=resource_type, policy=label)

"""A CloudFormation template: read, and checked as far as it can be without an account.

Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-anatomy.html
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import yaml
from msgspec import Struct

from local_aws.cloudformation.errors import invalid_template
from local_aws.cloudformation.functions import TRANSFORM
from local_aws.cloudformation.loops import expanded
from local_aws.cloudformation.short_form import AliasInTemplate, ShortFormLoader
from local_aws.cloudformation.template_shape import misshapen

SECTIONS = frozenset(
    {
        "AWSTemplateFormatVersion",
        "Description",
        "Metadata",
        "Parameters",
        "Rules",
        "Mappings",
        "Conditions",
        "Transform",
        "Resources",
        "Outputs",
    }
)
RESOURCE_KEYS = frozenset(
    {
        "Type",
        "Properties",
        "DependsOn",
        "Condition",
        "DeletionPolicy",
        "UpdateReplacePolicy",
        "Metadata",
    }
)
UNSUPPORTED_ATTRIBUTES = frozenset({"CreationPolicy", "UpdatePolicy"})
MAPS = ("Resources", "Parameters", "Rules", "Mappings", "Conditions", "Outputs", "Metadata")
"""Sections that are maps."""
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
    """Reads JSON or YAML. Raises TemplateError in CloudFormation's words.

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
        # Source: this local AWS runs no macro and one transform, AWS::LanguageExtensions.
        raise invalid_template(f"No transform named {unsupported[0]} found.")
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
    )


def _document(body: str) -> Mapping[str, Any]:
    try:
        document = json.loads(body) if body.lstrip().startswith("{") else yaml.load(body, ShortFormLoader)  # noqa: S506 - a safe loader plus CloudFormation's tags
    except json.JSONDecodeError as error:
        where = f"(line {error.lineno}, column {error.colno})"
        raise invalid_template(f"Template format error: JSON not well-formed. {where}") from error
    except AliasInTemplate as error:
        # Source: https://github.com/seeebiii/aws-cloudformation-templates/issues/1
        raise invalid_template("Template error: YAML aliases are not allowed in CloudFormation templates") from error
    except yaml.YAMLError as error:
        raise invalid_template(f"Template format error: YAML not well-formed. ({error})") from error
    except RecursionError as error:
        # Source: this local AWS reads as deep as the call stack of Python is.
        raise invalid_template("Template format error: the template is nested too deeply.") from error
    if not isinstance(document, Mapping):
        raise invalid_template("Template format error: unsupported structure.")
    return document


def _check_form(document: Mapping[str, Any]) -> None:
    unknown = sorted(str(name) for name in set(document) - SECTIONS)
    if unknown:
        raise invalid_template(f"Invalid template property or properties [{', '.join(unknown)}]")
    for name in MAPS:
        if not isinstance(document.get(name) or {}, Mapping):
            raise invalid_template(f"Template format error: [/{name}] expects a map")
    if not document.get("Resources"):
        raise invalid_template("At least one Resources member must be defined.")
    for name, definition in document["Resources"].items():
        _check_resource(name, definition)
    if (reason := misshapen(document)) is not None:
        raise invalid_template(f"Template format error: {reason}")


def _check_resource(logical_id: str, definition: Any) -> None:
    if not isinstance(logical_id, str) or not logical_id.isalnum():
        raise invalid_template(f"Template format error: Resource name {logical_id} is non alphanumeric.")
    if not isinstance(definition, Mapping):
        raise invalid_template(f"Template format error: [/Resources/{logical_id}] resource definition is malformed")
    if not isinstance(definition.get("Type"), str):
        raise invalid_template(
            f"Template format error: [/Resources/{logical_id}] Every Resources object must contain a Type member."
        )
    for name in UNSUPPORTED_ATTRIBUTES & definition.keys():
        # Source: this local AWS sends no signals and has no rolling updates.
        raise invalid_template(f"Template error: this local AWS does not support {name} (resource {logical_id})")
    unknown = sorted(str(name) for name in set(definition) - RESOURCE_KEYS)
    if unknown:
        raise invalid_template(f"Invalid template resource property '{unknown[0]}'")
    if not isinstance(definition.get("DependsOn", ()), (str, list, tuple)):
        raise invalid_template(
            f"Template format error: [/Resources/{logical_id}/DependsOn] every DependsOn value must be a string."
        )
    for name in ("DeletionPolicy", "UpdateReplacePolicy"):
        _check_policy(f"resource {logical_id}", definition["Type"], name, definition.get(name, "Delete"))


def _check_policy(where: str, resource_type: str, name: str, policy: Any) -> None:
    allowed = POLICIES - {"RetainExceptOnCreate"} if name == "UpdateReplacePolicy" else POLICIES
    if not isinstance(policy, str) or policy not in allowed:
        # Source:
        # https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html
        raise invalid_template(f"Template error: Invalid {name} {policy} in {where}")
    if policy == "Snapshot" and resource_type == "AWS::EC2::Volume":
        # Source: this local AWS makes no snapshots of volumes.
        raise invalid_template(f"Template error: this local AWS makes no snapshots; give {where} the policy Retain")
    if policy == "Snapshot":
        words = "deletion policy" if name == "DeletionPolicy" else "update replace policy"
        # Source:
        # https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html
        raise invalid_template(f"Template error: resource type {resource_type} does not support {words} Snapshot")

"""A CloudFormation template: read, and checked as far as it can be without an account.

Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-anatomy.html
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import yaml
from msgspec import Struct, field

from neuron_cluster.local_aws.enforcement.cloudformation import refuse_template
from neuron_cluster.local_aws.engine.short_form import AliasInTemplate, ShortFormLoader
from neuron_cluster.local_aws.engine.template_shape import misshapen
from neuron_cluster.local_aws.service import ServiceError

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
        "CreationPolicy",
        "UpdatePolicy",
    }
)
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
    metadata: Mapping[str, Any] = field(default_factory=dict)


def invalid_template(message: str) -> ServiceError:
    """CloudFormation's refusal of a template or of what was given with it."""
    return ServiceError("ValidationError", message)


def parse_template(body: str) -> Template:
    """Reads JSON or YAML. Raises ServiceError ``ValidationError`` in CloudFormation's words."""
    document = _document(body)
    unknown = sorted(str(name) for name in set(document) - SECTIONS)
    if unknown:
        raise invalid_template(f"Invalid template property or properties [{', '.join(unknown)}]")
    resources = _section(document, "Resources")
    if not resources:
        raise invalid_template("At least one Resources member must be defined.")
    defined = {name: _resource(name, definition) for name, definition in resources.items()}
    if (reason := misshapen(document)) is not None:
        raise invalid_template(f"Template format error: {reason}")
    refuse_template(document)
    transforms = document.get("Transform", [])
    transforms = (transforms,) if isinstance(transforms, str) else tuple(transforms)
    unsupported = [name for name in transforms if name != "AWS::LanguageExtensions"]
    if unsupported:
        # Source: this local AWS runs no macro and one transform, AWS::LanguageExtensions.
        raise invalid_template(f"No transform named {unsupported[0]} found.")
    return Template(
        body=body,
        description=document.get("Description"),
        transforms=transforms,
        parameters=_section(document, "Parameters"),
        rules=_section(document, "Rules"),
        mappings=_section(document, "Mappings"),
        conditions=_section(document, "Conditions"),
        resources=defined,
        outputs=_section(document, "Outputs"),
        metadata=_section(document, "Metadata"),
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


def _section(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = document.get(name) or {}
    if not isinstance(section, Mapping):
        raise invalid_template(f"Template format error: [/{name}] expects a map")
    return section


def _resource(logical_id: str, definition: Any) -> ResourceDefinition:
    where = f"resource {logical_id}"
    if not isinstance(logical_id, str) or not logical_id.isalnum():
        raise invalid_template(f"Template format error: Resource name {logical_id} is non alphanumeric.")
    if not isinstance(definition, Mapping):
        raise invalid_template(f"Template format error: [/Resources/{logical_id}] resource definition is malformed")
    if not isinstance(definition.get("Type"), str):
        raise invalid_template(
            f"Template format error: [/Resources/{logical_id}] Every Resources object must contain a Type member."
        )
    unknown = sorted(str(name) for name in set(definition) - RESOURCE_KEYS)
    if unknown:
        raise invalid_template(f"Invalid template resource property '{unknown[0]}'")
    depends_on = definition.get("DependsOn", ())
    if not isinstance(depends_on, (str, list, tuple)):
        raise invalid_template(
            f"Template format error: [/Resources/{logical_id}/DependsOn] every DependsOn value must be a string."
        )
    resource_type = definition["Type"]
    return ResourceDefinition(
        logical_id=logical_id,
        type=resource_type,
        properties=definition.get("Properties") or {},
        condition=definition.get("Condition"),
        depends_on=(depends_on,) if isinstance(depends_on, str) else tuple(depends_on),
        deletion_policy=_policy(where, resource_type, "DeletionPolicy", definition),
        update_replace_policy=_policy(where, resource_type, "UpdateReplacePolicy", definition),
        metadata=definition.get("Metadata") or {},
    )


def _policy(where: str, resource_type: str, name: str, definition: Mapping[str, Any]) -> str:
    policy = definition.get(name, "Delete")
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
    return str(policy)

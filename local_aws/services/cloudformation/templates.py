"""CloudFormation's operations on templates."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.cloudformation.template import Template
from local_aws.contract import Call
from local_aws.engine.imports import identifier_summaries
from local_aws.engine.request import check_template, needed_capabilities, read_template, template_body
from local_aws.engine.stack import Stack
from local_aws.engine.stack_engine import stack_engine
from local_aws.registry import operation
from local_aws.services.cloudformation.change_sets import named_change_set
from local_aws.services.cloudformation.stacks import named_stack


@operation("cloudformation", "GetTemplate")
def get_template(call: Call) -> Mapping[str, Any]:
    """As a transform has left it; in the stage Original as it was sent."""
    stages = {"StagesAvailable": ["Original", "Processed"]}
    if "ChangeSetName" in call.parameters:
        return {"TemplateBody": _body(call, named_change_set(call).revision.template), **stages}
    revision = named_stack(call).visible_revision
    if revision is None:  # a new stack whose change set is in review has none yet
        return {"StagesAvailable": []}
    return {"TemplateBody": _body(call, revision.template), **stages}


def _body(call: Call, template: Template) -> str:
    if template.processed is None or call.parameters.get("TemplateStage") == "Original":
        return template.body
    return json.dumps(template.processed)


@operation("cloudformation", "GetTemplateSummary")
def get_template_summary(call: Call) -> Mapping[str, Any]:
    template = _shown(named_stack(call)) if "StackName" in call.parameters else _given(call)
    return {
        **_summary(template),
        "ResourceTypes": list(dict.fromkeys(definition.type for definition in template.resources.values())),
        "ResourceIdentifierSummaries": list(identifier_summaries(stack_engine(call).engine_context, template)),
        "Version": "2010-09-09",
    }


@operation("cloudformation", "ValidateTemplate")
def validate_template(call: Call) -> Mapping[str, Any]:
    template = _given(call)
    check_template(stack_engine(call).engine_context, template)
    return _summary(template)


def _given(call: Call) -> Template:
    return read_template(template_body(call.parameters, call.client) or "")


def _shown(stack: Stack) -> Template:
    if stack.visible_revision is None:
        raise api_error("cloudformation.no_template_in_review", stack=stack.name)
    return stack.visible_revision.template


def _summary(template: Template) -> dict[str, Any]:
    capabilities, types = needed_capabilities(template)
    reason = f"The following resource(s) require capabilities: [{', '.join(types)}]" if types else None
    return {
        "Description": template.description,
        "Capabilities": capabilities,
        "CapabilitiesReason": reason,
        "DeclaredTransforms": list(template.transforms),
        "Parameters": [_parameter(key, declaration) for key, declaration in template.parameters.items()],
    }


def _parameter(key: str, declaration: Mapping[str, Any]) -> dict[str, Any]:
    default = declaration.get("Default")
    return {
        "ParameterKey": key,
        "ParameterType": declaration.get("Type", "String"),
        "DefaultValue": None if default is None else str(default),
        "NoEcho": str(declaration.get("NoEcho", "false")).lower() == "true",
        "Description": declaration.get("Description"),
    }

"""Existing resources that become resources of a stack.

Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources.html
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from botocore.exceptions import ClientError

from local_aws.api_errors import api_error
from local_aws.cloudformation.template import Template
from local_aws.engine.change_set import Preview, ResourceChange
from local_aws.engine.engine_context import EngineContext
from local_aws.engine.request import UPDATABLE, wrong_state
from local_aws.engine.stack import Revision, Stack
from local_aws.knowledge.current import resource_schema

IMPORTING = frozenset({"", "REVIEW_IN_PROGRESS"}) | {status for status in UPDATABLE if status.endswith("_COMPLETE")}
"""Statuses of stacks into which resources can be imported. Source: inferred: that one that has failed is none."""
RETAINED = frozenset({"Retain", "RetainExceptOnCreate"})
NOT_RETAINED = (
    "CloudFormation is attempting to import some resources because they already exist in your account. "
    "The resources must have the DeletionPolicy attribute set to 'Retain' or 'RetainExceptOnCreate' in the template "
    "for successful import. The affected resources are"
)


def identifier_of(engine_context: EngineContext, type_name: str) -> str | None:
    """The property or attribute that identifies a resource of the type; None where none can be imported."""
    provider, names = engine_context.provider(type_name), resource_schema(type_name).primary_identifier
    return names[0] if provider is not None and provider.is_importable and len(names) == 1 else None


def identifier_summaries(engine_context: EngineContext, template: Template) -> Iterator[dict[str, Any]]:
    """Yields the entries of GetTemplateSummary on types that can be imported."""
    for kind in dict.fromkeys(each.type for each in template.resources.values()):
        if (name := identifier_of(engine_context, kind)) is not None:
            logical_ids = [each.logical_id for each in template.resources.values() if each.type == kind]
            yield {"ResourceType": kind, "LogicalResourceIds": logical_ids, "ResourceIdentifiers": [name]}


def requested_imports(
    engine_context: EngineContext, stack: Stack, revision: Revision, given: Mapping[str, Any]
) -> dict[str, str]:
    """Physical ids by logical id, of a change set of the type IMPORT. Raises ServiceError."""
    if stack.status not in IMPORTING:
        raise wrong_state(stack, "be updated")
    asked: Sequence[Mapping[str, Any]] = given.get("ResourcesToImport", ())
    _require_importable(engine_context, revision.template, asked)
    names = [each["LogicalResourceId"] for each in asked]
    if held := [name for name in names if name in stack.resources]:
        raise api_error("cloudformation.import_in_stack", names=", ".join(held))
    found = revision.template.resources
    if without := [name for name in names if not found[name].has_deletion_policy]:
        raise api_error("cloudformation.import_deletion_policy", names=", ".join(without))
    if dict(revision.template.outputs) != (dict(stack.revision.template.outputs) if stack.revision else {}):
        raise api_error("cloudformation.import_outputs")
    changed = [each.logical_id for each in Preview(engine_context, stack, revision).changes()]
    if others := [name for name in changed if name not in names]:
        raise api_error("cloudformation.import_other_changes", names=", ".join(others))
    return {each["LogicalResourceId"]: next(iter(each["ResourceIdentifier"].values())) for each in asked}


def _require_importable(engine_context: EngineContext, template: Template, asked: Iterable[Mapping[str, Any]]) -> None:
    """Each is in the template, of a type that can be imported, and identified as the type is."""
    unsupported = []
    for each in asked:
        name, kind = each["LogicalResourceId"], each["ResourceType"]
        definition = template.resources.get(name)
        if definition is None or definition.type != kind:
            raise api_error("cloudformation.import_not_in_template", name=name, type=kind)
        identifier = identifier_of(engine_context, kind)
        if identifier is None:
            unsupported.append(kind)
        elif each["ResourceIdentifier"].keys() != {identifier}:
            raise api_error("cloudformation.import_identifier", name=name, identifier=identifier)
    if unsupported:
        raise api_error("cloudformation.import_types", types=",".join(unsupported))


def existing_resources(
    engine_context: EngineContext, stack: Stack, changes: Iterable[ResourceChange]
) -> dict[str, tuple[str, str]]:
    """Returns identifier and name of resources to be added that exist already and are in no stack."""
    found = {}
    for change in changes:
        name = identifier_of(engine_context, change.type) if change.action == "Add" else None
        given = resource_schema(change.type).given_identifier
        value = (change.after or {}).get(name) if name is not None and given == ((name,),) else None
        if name is not None and isinstance(value, str) and _is_free(engine_context, stack, change, value):
            found[change.logical_id] = (name, value)
    return found


def _is_free(engine_context: EngineContext, stack: Stack, change: ResourceChange, value: str) -> bool:
    provider = engine_context.provider(change.type)
    context = stack.context(change.logical_id, change.type, {}, engine_context.endpoint)
    try:
        physical_id = provider.adopt(context, value).physical_id if provider is not None else ""
    except ClientError:
        return False
    return engine_context.table.holder(stack, change.type, physical_id) is None


def unretained(template: Template, existing: Mapping[str, tuple[str, str]]) -> str | None:
    """Why existing resources cannot be imported; None where they can. Source: aws/aws-cdk-cli#1367."""
    affected = [
        f"{logical_id} ({{{name}={value}}})"
        for logical_id, (name, value) in existing.items()
        if template.resources[logical_id].deletion_policy not in RETAINED
    ]
    return f"{NOT_RETAINED} {', '.join(affected)}" if affected else None

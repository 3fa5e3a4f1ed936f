"""Members of a request that decide what may be deployed, and those that this local AWS does not support."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.template import Template

UNSUPPORTED = (
    "DeploymentMode",
    "ForceRollback",
    "StackPolicyURL",
    "StackPolicyDuringUpdateBody",
    "StackPolicyDuringUpdateURL",
)


def refuse_unsupported_members(given: Mapping[str, Any]) -> None:
    """Raises ServiceError for a member that would have no effect; an empty or false one has none on AWS either."""
    for member in UNSUPPORTED:
        if given.get(member):
            raise api_error("cloudformation.member_unsupported", member=member)
    for member in ("RollbackTriggers", "MonitoringTimeInMinutes"):
        if given.get("RollbackConfiguration", {}).get(member):
            raise api_error("cloudformation.member_unsupported", member=f"RollbackConfiguration.{member}")


def check_resource_types(template: Template, given: Mapping[str, Any]) -> None:
    """Raises TemplateError for a type that ``ResourceTypes`` does not admit: a type, or the beginning of types.

    Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStack.html
    """
    admitted = given.get("ResourceTypes", ())
    if not admitted:
        return
    patterns = [re.escape(entry).replace(r"\*", ".*") for entry in admitted]
    for definition in template.resources.values():
        if not any(re.fullmatch(pattern, definition.type) for pattern in patterns):
            raise TemplateError("resource_type_not_allowed", type=definition.type, types=", ".join(admitted))


def disables_rollback(given: Mapping[str, Any]) -> bool:
    """Whether a failed operation stops where it is."""
    return bool(given.get("DisableRollback") or given.get("DeploymentConfig", {}).get("DisableRollback"))

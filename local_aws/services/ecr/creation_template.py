"""Repository creation templates of ECR: kept and told, for repositories that ECR itself would make."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from local_aws.api_errors import api_error
from local_aws.service import Call, operation
from local_aws.services.paging import listing

TABLE = "creation_templates"
DEFAULTS = {"encryptionConfiguration": {"encryptionType": "AES256"}, "imageTagMutability": "MUTABLE"}
"""https://docs.aws.amazon.com/AmazonECR/latest/userguide/repository-creation-templates.html"""


@operation("ecr", "CreateRepositoryCreationTemplate")
def create_template(call: Call) -> Mapping[str, Any]:
    prefix = call.parameters["prefix"].rstrip("/")
    templates = call.table(TABLE)
    if prefix in templates:
        raise api_error("ecr.template_exists", prefix=prefix)
    _refuse_without_role(call.parameters)
    now = datetime.now(UTC)
    templates[prefix] = {**DEFAULTS, **call.parameters, "prefix": prefix, "createdAt": now, "updatedAt": now}
    return _answer(call, prefix)


@operation("ecr", "UpdateRepositoryCreationTemplate")
def update_template(call: Call) -> Mapping[str, Any]:
    template = _require(call, call.parameters["prefix"])
    changed = {**template, **call.parameters, "prefix": template["prefix"], "updatedAt": datetime.now(UTC)}
    _refuse_without_role(changed)
    call.table(TABLE)[template["prefix"]] = changed
    return _answer(call, template["prefix"])


@operation("ecr", "DescribeRepositoryCreationTemplates")
def describe_templates(call: Call) -> Mapping[str, Any]:
    templates, wanted = call.table(TABLE), call.parameters.get("prefixes")
    for prefix in wanted or ():
        _require(call, prefix)
    chosen = [row for prefix, row in sorted(templates.items()) if wanted is None or prefix in wanted]
    return {"registryId": call.account, **listing(call, "repositoryCreationTemplates", chosen)}


@operation("ecr", "DeleteRepositoryCreationTemplate")
def delete_template(call: Call) -> Mapping[str, Any]:
    prefix = _require(call, call.parameters["prefix"])["prefix"]
    answer = _answer(call, prefix)
    del call.table(TABLE)[prefix]
    return answer


def _refuse_without_role(template: Mapping[str, Any]) -> None:
    """Keys of one's own and tags are set by a role."""
    has_key = template.get("encryptionConfiguration", {}).get("encryptionType", "").startswith("KMS")
    if (has_key or template.get("resourceTags")) and not template.get("customRoleArn"):
        raise api_error("ecr.role_required")


def _require(call: Call, prefix: str) -> dict[str, Any]:
    template: dict[str, Any] | None = call.table(TABLE).get(prefix.rstrip("/"))
    if template is None:
        raise api_error("ecr.template_not_found", prefix=prefix)
    return template


def _answer(call: Call, prefix: str) -> Mapping[str, Any]:
    return {"registryId": call.account, "repositoryCreationTemplate": call.table(TABLE)[prefix]}

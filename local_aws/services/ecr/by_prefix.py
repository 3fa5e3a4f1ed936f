"""What ECR has by prefix: rules of pull-through caches, and templates of repositories that it makes itself.

Both are kept and told; no image is ever fetched here. That prefix and registry of a rule are ones that ECR takes, the
rules see to before (E8901, E8902).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from local_aws.api_errors import api_error
from local_aws.knowledge.current import knowledge
from local_aws.service import Call, operation
from local_aws.services.paging import listing

RULES = "pull_through_cache_rules"
ANY_REPOSITORY = "ROOT"
"""The upstream's prefix where none is given."""


@operation("ecr", "CreatePullThroughCacheRule")
def create_rule(call: Call) -> Mapping[str, Any]:
    given = dict(call.parameters)
    prefix = given["ecrRepositoryPrefix"].rstrip("/")
    rules = call.table(RULES)
    if prefix in rules:
        raise api_error("ecr.rule_exists", prefix=prefix)
    known = (
        row for row in knowledge().pull_through_upstreams.values() if row.registry_url == given["upstreamRegistryUrl"]
    )
    upstream = next(known, None)
    if upstream is not None and upstream.needs_secret and "credentialArn" not in given:
        raise api_error("ecr.credential_required", registry=upstream.registry_url)
    rule = {
        "upstreamRepositoryPrefix": ANY_REPOSITORY,
        **given,
        "ecrRepositoryPrefix": prefix,
        **({"upstreamRegistry": upstream.name} if upstream is not None else {}),
        "registryId": call.account,
        "createdAt": datetime.now(UTC),
    }
    rules[prefix] = rule
    return rule


@operation("ecr", "DescribePullThroughCacheRules")
def describe_rules(call: Call) -> Mapping[str, Any]:
    return listing(call, "pullThroughCacheRules", _chosen(call, RULES, call.parameters.get("ecrRepositoryPrefixes")))


@operation("ecr", "DeletePullThroughCacheRule")
def delete_rule(call: Call) -> Mapping[str, Any]:
    rule = _require(call, RULES, call.parameters["ecrRepositoryPrefix"])
    del call.table(RULES)[rule["ecrRepositoryPrefix"]]
    return {name: value for name, value in rule.items() if name != "upstreamRegistry"}


TEMPLATES = "creation_templates"
DEFAULTS = {"encryptionConfiguration": {"encryptionType": "AES256"}, "imageTagMutability": "MUTABLE"}
"""https://docs.aws.amazon.com/AmazonECR/latest/userguide/repository-creation-templates.html"""


@operation("ecr", "CreateRepositoryCreationTemplate")
def create_template(call: Call) -> Mapping[str, Any]:
    prefix = call.parameters["prefix"].rstrip("/")
    if prefix in call.table(TEMPLATES):
        raise api_error("ecr.template_exists", prefix=prefix)
    now = datetime.now(UTC)
    return _kept(call, {**DEFAULTS, **call.parameters, "prefix": prefix, "createdAt": now, "updatedAt": now})


@operation("ecr", "UpdateRepositoryCreationTemplate")
def update_template(call: Call) -> Mapping[str, Any]:
    template = _require(call, TEMPLATES, call.parameters["prefix"])
    return _kept(call, {**template, **call.parameters, "prefix": template["prefix"], "updatedAt": datetime.now(UTC)})


@operation("ecr", "DescribeRepositoryCreationTemplates")
def describe_templates(call: Call) -> Mapping[str, Any]:
    chosen = _chosen(call, TEMPLATES, call.parameters.get("prefixes"))
    return {"registryId": call.account, **listing(call, "repositoryCreationTemplates", chosen)}


@operation("ecr", "DeleteRepositoryCreationTemplate")
def delete_template(call: Call) -> Mapping[str, Any]:
    template = _require(call, TEMPLATES, call.parameters["prefix"])
    del call.table(TEMPLATES)[template["prefix"]]
    return _answer(call, template)


def _kept(call: Call, template: Mapping[str, Any]) -> Mapping[str, Any]:
    """Keys of one's own and tags are set by a role."""
    has_key = template.get("encryptionConfiguration", {}).get("encryptionType", "").startswith("KMS")
    if (has_key or template.get("resourceTags")) and not template.get("customRoleArn"):
        raise api_error("ecr.role_required")
    call.table(TEMPLATES)[template["prefix"]] = template
    return _answer(call, template)


def _answer(call: Call, template: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"registryId": call.account, "repositoryCreationTemplate": template}


def _chosen(call: Call, table: str, prefixes: list[str] | None) -> list[dict[str, Any]]:
    """Those of the prefixes, or all. Raises ServiceError for a prefix that is not there."""
    for prefix in prefixes or ():
        _require(call, table, prefix)
    return [row for prefix, row in sorted(call.table(table).items()) if prefixes is None or prefix in prefixes]


def _require(call: Call, table: str, prefix: str) -> dict[str, Any]:
    row: dict[str, Any] | None = call.table(table).get(prefix.rstrip("/"))
    if row is None and table == RULES:
        raise api_error("ecr.rule_not_found", prefix=prefix)
    if row is None:
        raise api_error("ecr.template_not_found", prefix=prefix)
    return row

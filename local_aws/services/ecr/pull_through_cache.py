"""Pull-through cache rules of ECR: kept and told. No image is ever fetched here.

That prefix and registry are ones that ECR takes, the rules see to before (E8901, E8902).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from local_aws.knowledge.current import knowledge
from local_aws.service import Call, ServiceError, operation
from local_aws.services.paging import page

TABLE = "pull_through_cache_rules"
ANY_REPOSITORY = "ROOT"
"""The upstream's prefix where none is given."""


@operation("ecr", "CreatePullThroughCacheRule")
def create_rule(call: Call) -> Mapping[str, Any]:
    given = dict(call.parameters)
    prefix = given["ecrRepositoryPrefix"].rstrip("/")
    rules = call.table(TABLE)
    if prefix in rules:
        raise ServiceError(
            "PullThroughCacheRuleAlreadyExistsException",
            f"A pull through cache rule with the repository prefix '{prefix}' already exists in the registry.",
        )
    known = (
        row for row in knowledge().pull_through_upstreams.values() if row.registry_url == given["upstreamRegistryUrl"]
    )
    upstream = next(known, None)
    if upstream is not None and upstream.needs_secret and "credentialArn" not in given:
        raise ServiceError("InvalidParameterException", f"{upstream.registry_url} needs a credentialArn")
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
    rules, wanted = call.table(TABLE), call.parameters.get("ecrRepositoryPrefixes")
    for prefix in wanted or ():
        _require(call, prefix)
    chosen = [rule for prefix, rule in sorted(rules.items()) if wanted is None or prefix in wanted]
    refusal = ServiceError("InvalidParameterException", "Invalid next token")
    shown, token = page(chosen, call.parameters.get("maxResults"), call.parameters.get("nextToken"), refusal)
    return {"pullThroughCacheRules": shown, **({"nextToken": token} if token else {})}


@operation("ecr", "DeletePullThroughCacheRule")
def delete_rule(call: Call) -> Mapping[str, Any]:
    rule = _require(call, call.parameters["ecrRepositoryPrefix"])
    del call.table(TABLE)[rule["ecrRepositoryPrefix"]]
    return {name: value for name, value in rule.items() if name != "upstreamRegistry"}


def _require(call: Call, prefix: str) -> dict[str, Any]:
    rule: dict[str, Any] | None = call.table(TABLE).get(prefix.rstrip("/"))
    if rule is None:
        raise ServiceError(
            "PullThroughCacheRuleNotFoundException",
            f"The pull through cache rule with the repository prefix '{prefix}' does not exist in the registry.",
        )
    return rule

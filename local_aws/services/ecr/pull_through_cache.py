"""Pull-through cache rules of ECR: kept and told. No image is ever fetched here.

That prefix and registry are ones that ECR takes, the rules see to before (E8901, E8902).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from local_aws.api_errors import api_error
from local_aws.knowledge.current import knowledge
from local_aws.service import Call, operation
from local_aws.services.paging import listing

TABLE = "pull_through_cache_rules"
ANY_REPOSITORY = "ROOT"
"""The upstream's prefix where none is given."""


@operation("ecr", "CreatePullThroughCacheRule")
def create_rule(call: Call) -> Mapping[str, Any]:
    given = dict(call.parameters)
    prefix = given["ecrRepositoryPrefix"].rstrip("/")
    rules = call.table(TABLE)
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
    rules, wanted = call.table(TABLE), call.parameters.get("ecrRepositoryPrefixes")
    for prefix in wanted or ():
        _require(call, prefix)
    chosen = [rule for prefix, rule in sorted(rules.items()) if wanted is None or prefix in wanted]
    return listing(call, "pullThroughCacheRules", chosen)


@operation("ecr", "DeletePullThroughCacheRule")
def delete_rule(call: Call) -> Mapping[str, Any]:
    rule = _require(call, call.parameters["ecrRepositoryPrefix"])
    del call.table(TABLE)[rule["ecrRepositoryPrefix"]]
    return {name: value for name, value in rule.items() if name != "upstreamRegistry"}


def _require(call: Call, prefix: str) -> dict[str, Any]:
    rule: dict[str, Any] | None = call.table(TABLE).get(prefix.rstrip("/"))
    if rule is None:
        raise api_error("ecr.rule_not_found", prefix=prefix)
    return rule

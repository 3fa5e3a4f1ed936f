"""Settings of ECR by prefix: rules of pull-through caches, and templates of repositories that ECR creates.

Both are rows of data; no image is ever fetched here. That prefix and registry of a rule are ones that ECR takes, the
rules see to before (E8901, E8902).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.knowledge.current import knowledge
from local_aws.registry import guard
from local_aws.services.table import made_by

NAMED = "secret:ecr-pullthroughcache/"
ACCOUNT_PART = 4
"""The position of the account in an ARN."""


@made_by("AWS::ECR::PullThroughCacheRule")
def upstream_of(call: Call, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The registry that the address means."""
    known = knowledge().pull_through_upstreams.values()
    upstream = next((each for each in known if each.registry_url == row["upstreamRegistryUrl"]), None)
    own = {**_prefix("ecrRepositoryPrefix", row), "registryId": call.account}
    secret = row.get("credentialArn")
    if secret is not None:
        _require_own_secret(call, secret)
    if upstream is None:
        account, _, host = row["upstreamRegistryUrl"].partition(".")
        if account == call.account and f".{call.region}.amazonaws." in host:
            raise api_error("ecr.upstream_is_itself")
        return own
    if upstream.needs_secret and secret is None:
        raise api_error("ecr.credential_required")
    if secret is not None and not upstream.needs_secret:
        raise api_error("ecr.credential_not_taken")
    return {**own, "upstreamRegistry": upstream.name}


def _require_own_secret(call: Call, arn: str) -> None:
    """Raises the error for a secret of another account or Region, or whose name ECR does not read."""
    _, _, service, region, account, *name = arn.split(":") if arn.count(":") > ACCOUNT_PART else [""] * 5
    is_own = (service, region, account) == ("secretsmanager", call.region, call.account)
    if not is_own or not ":".join(name).startswith(NAMED):
        raise api_error("ecr.credential_elsewhere", arn=arn)


@made_by("AWS::ECR::RepositoryCreationTemplate")
def prefix_of(_: Call, row: Mapping[str, Any]) -> Mapping[str, Any]:
    return _prefix("prefix", row)


def _prefix(member: str, row: Mapping[str, Any]) -> dict[str, str]:
    """A prefix ends in a slash that requests need not give, and that answers do not have."""
    prefix = row[member].rstrip("/")
    return {member: prefix, "withSlash": f"{prefix}/"}


@guard("ecr", "CreateRepositoryCreationTemplate", "UpdateRepositoryCreationTemplate")
def require_role(call: Call) -> None:
    """Keys of one's own and tags are set by a role."""
    kept = call.table("RepositoryCreationTemplate").get(call.parameters["prefix"].rstrip("/"), {})
    template = {**kept, **call.parameters}
    has_key = template.get("encryptionConfiguration", {}).get("encryptionType", "").startswith("KMS")
    if (has_key or template.get("resourceTags")) and not template.get("customRoleArn"):
        raise api_error("ecr.role_required")

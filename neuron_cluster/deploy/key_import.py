"""A key that exists and becomes the data key of the storage stack."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from neuron_cluster.aws.cloudformation import stack_with
from neuron_cluster.aws.existing_key import ExistingKey, existing_key
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.cluster_plan import ClusterPlan

DATA_KEY = {
    "KeyState": "Enabled",
    "KeyManager": "CUSTOMER",
    "KeySpec": "SYMMETRIC_DEFAULT",
    "KeyUsage": "ENCRYPT_DECRYPT",
    "Origin": "AWS_KMS",
    "MultiRegion": False,
}
"""The properties of the key of the template. CloudFormation replaces a key for an edit of most of these."""
BY_REFERENCE = "storage.key_arn refers to it as it is, without an import"


def require_data_key(plan: ClusterPlan) -> None:
    """Raises ``ToolkitError`` for a file whose storage stack has no key."""
    if plan.storage is not None and plan.storage.key_arn is not None:
        raise ToolkitError(
            "the file refers to a key by storage.key_arn, and the stack has none that could be imported",
            hint="leave --key out, or delete storage.key_arn",
        )


def importable_key(plan: ClusterPlan, destination: Destination, key_id: str, wanted: Mapping[str, Any]) -> ExistingKey:
    """The key. Raises ``ToolkitError`` unless it can become the key of these properties without a replacement."""
    found = existing_key(destination.target, key_id)
    if found is None or found.account != plan.account:
        raise ToolkitError(
            f"account {plan.account} has no key {key_id} in {plan.region}",
            hint="name a key of this account and Region by its id or ARN",
        )
    if differing := [f"{name} {found.kind[name]}" for name, value in DATA_KEY.items() if found.kind[name] != value]:
        allowed = ", ".join(f"{name} {DATA_KEY[name]}" for name in DATA_KEY)
        raise ToolkitError(
            f"{found.id} has {', '.join(differing)} and cannot become the data key (allowed: {allowed})",
            hint=f"use another key; {BY_REFERENCE}",
        )
    if holder := stack_with(destination.target, found.id):
        raise ToolkitError(
            f"{found.id} is a resource of the stack {holder}, and a resource can be in one stack", hint=BY_REFERENCE
        )
    _require_no_lost_statement(found, wanted["KeyPolicy"])
    return found


def _require_no_lost_statement(found: ExistingKey, policy: Mapping[str, Any]) -> None:
    """The next deploy sets the key policy of the template: no other user of the key may lose a permission by that."""
    kept = {_content(statement) for statement in policy["Statement"]}
    lost = [
        statement.get("Sid", f"number {number}")
        for number, statement in enumerate(found.properties["KeyPolicy"]["Statement"], start=1)
        if _content(statement) not in kept
    ]
    if lost:
        raise ToolkitError(
            f"the next deploy would remove statements of the key policy of {found.id}: {', '.join(lost)}",
            hint=f"remove them first, if nothing uses them; {BY_REFERENCE}",
        )


def _content(statement: Mapping[str, Any]) -> str:
    """A statement without its id; lists of one as their element, other lists sorted."""
    return json.dumps(_normal({name: value for name, value in statement.items() if name != "Sid"}), sort_keys=True)


def _normal(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _normal(each) for name, each in value.items()}
    if isinstance(value, list):
        return _normal(value[0]) if len(value) == 1 else sorted(value)
    return value

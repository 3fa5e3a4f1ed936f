"""Security groups: no deletion while in use, unknown groups refused, rules with their ports and descriptions."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from moto.ec2.models.security_groups import SecurityGroupBackend, SecurityGroupRule
from moto.ec2.responses.security_groups import SecurityGroups

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import guard
from local_aws.running_capacity import security_groups_in_use
from local_aws.services.overrides import override

ANY_PORT = -1


@override(SecurityGroups, "delete_security_group")
def reject_default(original: Any, response: Any) -> Any:
    """Only the deletion of its VPC takes a default group away."""
    group = response.ec2_backend.get_security_group_from_id(response._get_param("GroupId"))  # noqa: SLF001 - moto's own way to read a request
    if group is not None and group.is_default:
        raise api_error("ec2.default_group", group=group.id)
    return original()


@override(SecurityGroupBackend, "delete_security_group")
def delete_security_group(original: Any, backend: Any, name: str | None = None, group_id: str | None = None) -> Any:
    group = backend.get_security_group_by_name_or_id(group_id or name)
    if group is not None and any(True for _ in _users(backend, group.id)):
        raise api_error("ec2.group_in_use", group_id=group.id)
    return original(name=name, group_id=group_id)


@guard("ec2", "DeleteSecurityGroup")
def require_unused_group(call: Call) -> None:
    """Rejects a group of instances that no call has described yet, which moto does not have."""
    group_id = call.parameters.get("GroupId")
    if group_id in security_groups_in_use(call):
        raise api_error("ec2.group_in_use", group_id=group_id)


def _users(backend: Any, group_id: str) -> Iterator[str]:
    """Interfaces that carry the group and other groups whose rules name it."""
    for interface in backend.enis.values():
        if any(group.id == group_id for group in interface.group_set):
            yield interface.id
    for groups in backend.groups.values():
        for group in groups.values():
            rules = [*group.ingress_rules, *group.egress_rules]
            if group.id != group_id and any(rule.source_group.get("GroupId") == group_id for rule in rules):
                yield group.id


@override(SecurityGroupRule, "__init__")
def complete_rule(original: Any, rule: Any, *args: Any, **kwargs: Any) -> None:
    """moto drops the description of a prefix list, and fails without ports where the protocol has none."""
    given = inspect.signature(original).bind(*args, **kwargs).arguments
    for port in ("from_port", "to_port"):
        if given.get(port) is None:
            given[port] = ANY_PORT
    original(**given)
    rule.prefix_list_description = (given.get("prefix_list_id") or {}).get("Description")


@override(SecurityGroupRule, "__eq__")
def equal_without_description(original: Any, rule: Any, other: Any) -> Any:
    """EC2 refuses a second rule that differs in its description only."""
    groups = rule.source_group, other.source_group
    rule.source_group, other.source_group = ({k: v for k, v in group.items() if k == "GroupId"} for group in groups)
    try:
        return original(other)
    finally:
        rule.source_group, other.source_group = groups


@override(SecurityGroupBackend, "_sg_update_description")
def update_description(original: Any, _backend: Any, wanted: Any, rule: Any) -> None:
    original(wanted, rule)
    rule.prefix_list_description = wanted.prefix_list_description


def _description(rule: Any) -> str | None:
    """moto keeps the description with the peer, and shows it in DescribeSecurityGroupRules for addresses only."""
    described: str | None = rule.ip_range.get("Description") or rule.source_group.get("Description")
    return described or rule.prefix_list_description


SecurityGroupRule.description = property(_description)  # type: ignore[method-assign, assignment]  # one property for another

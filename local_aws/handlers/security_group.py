"""Security groups and their rules, inline or as resources of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.binding import bindings
from local_aws.handlers.generic import GenericHandler
from local_aws.handlers.service_resource import present
from local_aws.handlers.shapes import call
from local_aws.handlers.templates import found

PEERS = {
    "CidrIp": ("IpRanges", "CidrIp"),
    "CidrIpv6": ("Ipv6Ranges", "CidrIpv6"),
    "SourceSecurityGroupId": ("UserIdGroupPairs", "GroupId"),
    "DestinationSecurityGroupId": ("UserIdGroupPairs", "GroupId"),
    "SourcePrefixListId": ("PrefixListIds", "PrefixListId"),
    "DestinationPrefixListId": ("PrefixListIds", "PrefixListId"),
}
"""By property for the other end of a rule, where it is in EC2's ``IpPermission``."""
PERMISSION = "@permission"


def permission(rule: Mapping[str, Any]) -> dict[str, Any]:
    """EC2's ``IpPermission`` of one rule in CloudFormation's form; what is unknown is passed on, to be refused."""
    peers = {name: value for name, value in rule.items() if name in PEERS and value}
    if not peers:
        # Source: the page of AWS::EC2::SecurityGroupIngress has the constraint; inferred: code and words
        message = "Exactly one of CIDR, prefix list and security group must be specified"
        raise ClientError({"Error": {"Code": "InvalidRequest", "Message": message}}, "AuthorizeSecurityGroupIngress")
    if len(peers) > 1:
        # Source: badmintoncryer/cdk-preflight has the words, as CloudFormation answered; inferred: the code
        words = " and ".join(name.removesuffix("Id") if "Group" in name else name for name in sorted(peers))
        message = f"Both {words} cannot be specified"
        raise ClientError({"Error": {"Code": "InvalidRequest", "Message": message}}, "AuthorizeSecurityGroupIngress")
    rest = {k: v for k, v in rule.items() if k not in {*PEERS, "Description", "GroupId", "SourceSecurityGroupOwnerId"}}
    for name, value in peers.items():
        listed, member = PEERS[name]
        peer = {member: value, **present(rule, "Description")}
        if listed == "UserIdGroupPairs" and rule.get("SourceSecurityGroupOwnerId"):
            peer["UserId"] = rule["SourceSecurityGroupOwnerId"]
        rest[listed] = [peer]
    return rest


class SecurityGroupRule(GenericHandler):
    """The physical id is the rule's own, ``sgr-…``."""

    def given(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        return {**super().given(context, properties), PERMISSION: permission(properties)}

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        super().change(context, physical_id, old, {**new, PERMISSION: permission({"Description": "", **new})})


class SecurityGroupIngress(SecurityGroupRule):
    type_name = "AWS::EC2::SecurityGroupIngress"


class SecurityGroupEgress(SecurityGroupRule):
    type_name = "AWS::EC2::SecurityGroupEgress"


EGRESS_RULES = "SecurityGroupEgress"
INLINE_RULES = ("SecurityGroupIngress", EGRESS_RULES)
EVERYWHERE = permission({"IpProtocol": "-1", "CidrIp": "0.0.0.0/0"})


class SecurityGroup(GenericHandler):
    type_name = "AWS::EC2::SecurityGroup"

    def apply(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """Changes this template's rules only: the group may hold rules that are resources of their own."""
        had, has = bool(old.get(EGRESS_RULES)), bool(new.get(EGRESS_RULES))
        if has and not had:
            first = [EVERYWHERE] if old else self.row(context, physical_id)["IpPermissionsEgress"]
            self._send_rules(context, physical_id, f"Revoke{EGRESS_RULES}", first)
        for name in INLINE_RULES:
            before, after = old.get(name) or [], new.get(name) or []
            gone, added = ([r for r in before if r not in after], [r for r in after if r not in before])
            self._send_rules(context, physical_id, f"Revoke{name}", [permission(rule) for rule in gone])
            self._send_rules(context, physical_id, f"Authorize{name}", [permission(rule) for rule in added])
        if had and not has:
            self._send_rules(context, physical_id, f"Authorize{EGRESS_RULES}", [EVERYWHERE])

    def to_property(self, name: str, value: Any) -> Any:
        """Inline rules have the members of the rules that are resources."""
        if name not in INLINE_RULES:
            return super().to_property(name, value)
        members = {member: path for member, path in bindings()[f"AWS::EC2::{name}"].row.items() if member != "GroupId"}
        rules = [{member: found(path, rule) for member, path in members.items()} for rule in value]
        return [present(rule, *members) for rule in rules]

    def _send_rules(self, context: ResourceContext, group_id: str, operation: str, rules: list[dict[str, Any]]) -> None:
        if rules:
            call(self.client(context), operation, {"GroupId": group_id, "IpPermissions": rules})

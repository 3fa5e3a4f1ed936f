"""AWS::EC2::SecurityGroup: its inline rules.

Given egress rules take the place of the rule "all traffic to anywhere" with which EC2 makes a group.
"""

from __future__ import annotations

from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.generic import GenericHandler
from local_aws.handlers.security_group_rule import EGRESS, INGRESS, permission, rule_properties
from local_aws.handlers.shapes import call

EGRESS_RULES = "SecurityGroupEgress"
INLINE_RULES = {"SecurityGroupIngress": INGRESS, EGRESS_RULES: EGRESS}
EVERYWHERE = permission({"IpProtocol": "-1", "CidrIp": "0.0.0.0/0"})


class SecurityGroup(GenericHandler):
    type_name = "AWS::EC2::SecurityGroup"

    def apply(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """Changes this template's rules only: the group may hold rules that are resources of their own."""
        had, has = bool(old.get(EGRESS_RULES)), bool(new.get(EGRESS_RULES))
        if has and not had:
            first = [EVERYWHERE] if old else self.row(context, physical_id)["IpPermissionsEgress"]
            self._send_rules(context, physical_id, EGRESS.revoke, first)
        for name, direction in INLINE_RULES.items():
            before, after = old.get(name) or [], new.get(name) or []
            gone, added = ([r for r in before if r not in after], [r for r in after if r not in before])
            self._send_rules(context, physical_id, direction.revoke, [permission(rule) for rule in gone])
            self._send_rules(context, physical_id, direction.authorize, [permission(rule) for rule in added])
        if had and not has:
            self._send_rules(context, physical_id, EGRESS.authorize, [EVERYWHERE])

    def to_property(self, name: str, value: Any) -> Any:
        if name in INLINE_RULES:
            return [rule_properties(rule, INLINE_RULES[name]) for rule in value]
        return super().to_property(name, value)

    def _send_rules(self, context: ResourceContext, group_id: str, operation: str, rules: list[dict[str, Any]]) -> None:
        if rules:
            call(self.client(context), operation, {"GroupId": group_id, "IpPermissions": rules})

"""AWS::EC2::SecurityGroup with its inline rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.ec2_resource import Ec2Resource
from local_aws.handlers.names import generated_name
from local_aws.handlers.security_group_rule import EGRESS, INGRESS, permission, rule_properties
from local_aws.handlers.shapes import call
from local_aws.handlers.tags import tag_list, tag_map

NAME_LIMIT = 255
INLINE_RULES = {"SecurityGroupIngress": INGRESS, "SecurityGroupEgress": EGRESS}


class SecurityGroup(Ec2Resource):
    """Given egress rules take the place of the rule "all traffic to anywhere" with which EC2 makes a group."""

    type_name = "AWS::EC2::SecurityGroup"
    tag_type = "security-group"
    noun = "SecurityGroup"
    id_member = "GroupId"
    rows_member = "SecurityGroups"
    supported = frozenset({"GroupDescription", "GroupName", *INLINE_RULES, "VpcId", "Tags"})
    required = frozenset({"GroupDescription"})

    def creation(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        parameters = {
            "GroupName": properties.get("GroupName") or generated_name(context, NAME_LIMIT),
            "Description": properties["GroupDescription"],
            **self.tag_specifications(context, properties),
        }
        if properties.get("VpcId"):
            parameters["VpcId"] = properties["VpcId"]
        return parameters

    def created_id(self, answer: Mapping[str, Any]) -> str:
        group_id: str = answer["GroupId"]
        return group_id

    def after_creation(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        if properties.get("SecurityGroupEgress"):
            everywhere = self.row(context, physical_id)["IpPermissionsEgress"]
            parameters = {"GroupId": physical_id, "IpPermissions": everywhere}
            call(self.client(context), EGRESS.revoke, parameters)
        self._change_rules(context, physical_id, {}, properties)

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        had, has = bool(old.get("SecurityGroupEgress")), bool(new.get("SecurityGroupEgress"))
        everywhere = {
            "GroupId": physical_id,
            "IpPermissions": [permission({"IpProtocol": "-1", "CidrIp": "0.0.0.0/0"})],
        }
        if has and not had:
            call(self.client(context), EGRESS.revoke, everywhere)
        self._change_rules(context, physical_id, old, new)
        if had and not has:
            call(self.client(context), EGRESS.authorize, everywhere)
        self.change_tags(context, physical_id, new)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.row(context, physical_id)
        client = self.client(context)
        rules = client.describe_security_group_rules(Filters=[{"Name": "group-id", "Values": [physical_id]}])
        return {
            "GroupName": row["GroupName"],
            "GroupDescription": row["Description"],
            "VpcId": row["VpcId"],
            "Tags": tag_list(tag_map(row.get("Tags", []))),
            **{
                name: [
                    rule_properties(rule, direction)
                    for rule in rules["SecurityGroupRules"]
                    if rule["IsEgress"] is direction.is_egress
                ]
                for name, direction in INLINE_RULES.items()
            },
        }

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        return {"GroupId": physical_id, "Id": physical_id, "VpcId": self.row(context, physical_id)["VpcId"]}

    def _change_rules(self, context: ResourceContext, group_id: str, old: Properties, new: Properties) -> None:
        """Only this template's rules: the group may hold rules that are resources of their own."""
        for name, direction in INLINE_RULES.items():
            before, after = old.get(name) or [], new.get(name) or []
            self._apply(context, group_id, direction.revoke, [rule for rule in before if rule not in after])
            self._apply(context, group_id, direction.authorize, [rule for rule in after if rule not in before])

    def _apply(self, context: ResourceContext, group_id: str, operation: str, rules: list[dict[str, Any]]) -> None:
        if rules:
            parameters = {"GroupId": group_id, "IpPermissions": [permission(rule) for rule in rules]}
            call(self.client(context), operation, parameters)

from __future__ import annotations

from typing import Any

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_unknown, items
from neuron_cluster.template_rules.template_resource import TemplateResource

INGRESS = "AWS::EC2::SecurityGroupIngress"


class ClusterSecurityGroupWithoutSelfRule(TemplateRule):
    """A security group of the cluster allows inbound traffic from itself (`SecurityGroupIds`).

    Controller and nodes have the group, and reach each other through it. A rule for all traffic of an address range
    does it too. Not checked where a security group is outside of the templates.

    Without this check AWS reports no error: nodes stay DOWN in Slurm.
    """

    id = "E8971"
    operation = "pcs:CreateCluster"
    error_code = None
    source = "boto/botocore 1.44.5: pcs Networking securityGroupIds"
    types = ("AWS::PCS::Cluster",)

    def check(self, context: TemplateContext) -> Violations:
        look_up = context.look_up
        named = items(at(context.resource.properties, "Networking", "SecurityGroupIds"))
        groups = [group for value in named if (group := look_up.referred(value)) is not None]
        if groups and len(groups) == len(named) and not any(_admits_members(group, look_up) for group in groups):
            yield Violation(
                "Networking.SecurityGroupIds",
                f"{groups[0].logical_id} does not allow inbound traffic from itself",
                f'add an {INGRESS} with IpProtocol: "-1", and with the group as GroupId and as SourceSecurityGroupId',
            )


def _admits_members(group: TemplateResource, look_up: LookUp) -> bool:
    rules = [
        rule.properties
        for rule in look_up.resources(INGRESS)
        if look_up.referred(at(rule.properties, "GroupId")) is group
    ]
    if any(look_up.referred(at(rule, "SourceSecurityGroupId")) is group for rule in rules):
        return True
    inline = at(group.properties, "SecurityGroupIngress")
    return is_unknown(inline) or any(_is_all_traffic_of_addresses(rule) for rule in (*rules, *items(inline)))


def _is_all_traffic_of_addresses(rule: Any) -> bool:
    """True also for an unknown protocol."""
    protocol = at(rule, "IpProtocol")
    return at(rule, "SourceSecurityGroupId") is None and (is_unknown(protocol) or str(protocol) == "-1")

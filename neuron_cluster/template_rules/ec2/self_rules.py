"""Whether a security group allows all traffic with itself, which EFA requires."""

from __future__ import annotations

from typing import Any

from local_aws.cloudformation.values import UNKNOWN
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_unknown
from neuron_cluster.template_rules.template_resource import TemplateResource

ALL_TRAFFIC = "-1"
RULES = {
    "AWS::EC2::SecurityGroupIngress": "SourceSecurityGroupId",
    "AWS::EC2::SecurityGroupEgress": "DestinationSecurityGroupId",
}
"""Resource type of a security group rule, and its property with the peer's group. A rule inside a group cannot
reference that group: CloudFormation rejects the circular dependency."""


def is_open_to_itself(group: TemplateResource, look_up: LookUp) -> bool:
    """Whether rules of the templates allow both directions; true also where a rule may do it."""
    return all(
        any(_may_allow(rule, peer, group, look_up) for rule in look_up.resources(kind)) for kind, peer in RULES.items()
    )


def _may_allow(rule: TemplateResource, peer: str, group: TemplateResource, look_up: LookUp) -> bool:
    protocol = at(rule.properties, "IpProtocol")
    ends = (at(rule.properties, "GroupId"), at(rule.properties, peer))
    is_all_traffic = is_unknown(protocol) or str(protocol) == ALL_TRAFFIC
    return is_all_traffic and all(_may_be(end, group, look_up) for end in ends)


def _may_be(value: Any, group: TemplateResource, look_up: LookUp) -> bool:
    return value is UNKNOWN or look_up.referred(value) is group

"""Security groups without the default egress rule, and the rules between two of them."""

from __future__ import annotations

from typing import NamedTuple

from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from stacks.constructs.acknowledgement import acknowledge, in_standards

NO_EGRESS = ec2.CfnSecurityGroup.EgressProperty(
    ip_protocol="icmp",
    cidr_ip="255.255.255.255/32",
    from_port=252,
    to_port=86,
    description="Stands in for the default rule, which would allow everything",
)
ALL_PROTOCOLS = "-1"


class Member(NamedTuple):
    """One side of a rule: the name by which descriptions and construct ids call the group, and its id."""

    name: str
    group_id: str


def security_group(
    scope: Construct, construct_id: str, *, vpc_id: str, purpose: str, egress: ec2.CfnSecurityGroup.EgressProperty
) -> str:
    """Id of a group whose only egress rule in the group itself is ``egress``, as a token."""
    return ec2.CfnSecurityGroup(
        scope, construct_id, group_description=purpose, vpc_id=vpc_id, security_group_egress=[egress]
    ).attr_group_id


def allow(
    scope: Construct, source: Member, target: Member, protocol: str, first: int | None, last: int | None
) -> ec2.CfnSecurityGroupIngress:
    """The rule at the source, and that at the target, which is returned."""
    which = "all" if protocol == ALL_PROTOCOLS else f"{first}" if first == last else f"{first}-{last}"
    ec2.CfnSecurityGroupEgress(
        scope,
        f"{source.name} to {target.name} {which}",
        group_id=source.group_id,
        destination_security_group_id=target.group_id,
        ip_protocol=protocol,
        description=f"To {target.name}",
        from_port=first,
        to_port=last,
    )
    return ec2.CfnSecurityGroupIngress(
        scope,
        f"{target.name} from {source.name} {which}",
        group_id=target.group_id,
        source_security_group_id=source.group_id,
        ip_protocol=protocol,
        description=f"From {source.name}",
        from_port=first,
        to_port=last,
    )


def allow_efa(scope: Construct, group: Member) -> None:
    """EFA needs all traffic to and from the group itself, both ways; an open egress rule does not count."""
    acknowledge(
        allow(scope, group, group, ALL_PROTOCOLS, None, None),
        in_standards("EC2RestrictedCommonPorts", "From the group itself alone: EFA takes no narrower rule."),
    )

"""The security group of EFA interfaces."""

from __future__ import annotations

from constructs import Construct

from stacks.constructs.security_group_rules import NO_EGRESS, Member, allow_efa, security_group


class EfaSecurityGroup(Construct):
    """A security group with all traffic to and from itself, and none to or from anything else.

    Instances that exchange EFA traffic are in the same one.
    """

    def __init__(self, scope: Construct, construct_id: str, *, vpc_id: str) -> None:
        """``vpc_id``: the VPC of the group."""
        super().__init__(scope, construct_id)
        self.security_group_id = security_group(
            self,
            "Resource",
            vpc_id=vpc_id,
            purpose="EFA interfaces, which reach only each other",
            egress=NO_EGRESS,
        )
        """As a token."""
        allow_efa(self, Member("efa", self.security_group_id))

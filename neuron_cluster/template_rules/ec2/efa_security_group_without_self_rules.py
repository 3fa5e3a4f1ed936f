from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.network_interface import NetworkInterface, interfaces_of
from neuron_cluster.template_rules.ec2.self_rules import is_open_to_itself
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, items
from neuron_cluster.template_rules.template_resource import TemplateResource


class EfaSecurityGroupWithoutSelfRules(TemplateRule):
    """EFA interfaces have a security group that allows all inbound and outbound traffic with itself (`Groups`).

    EFA traffic does not use IP addresses: a rule for 0.0.0.0/0 does not allow it, only a rule with the security group
    itself does. Security groups outside the templates are not checked.

    Without this check nodes start, and the first collective between two of them hangs or fails ("Unable to insert
    remote address", "unresponsive receiver").
    """

    id = "E8125"
    operation = "ec2:AuthorizeSecurityGroupEgress"
    error_code = None
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-start.html#efa-start-security"
    references = (
        "aws/aws-ofi-nccl#663",
        "aws-samples/amazon-eks-machine-learning-with-terraform-and-kubeflow#77",
    )
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, context: TemplateContext) -> Violations:
        for interface in interfaces_of(context.resource):
            groups = _groups(interface, context.look_up) if interface.is_efa else []
            if groups and not any(is_open_to_itself(group, context.look_up) for group in groups):
                yield Violation(
                    f"{interface.path}.Groups",
                    "no security group of this EFA interface allows all traffic to and from itself",
                    'add an AWS::EC2::SecurityGroupIngress and an AWS::EC2::SecurityGroupEgress with IpProtocol: "-1", '
                    "with the group as GroupId, and as SourceSecurityGroupId and DestinationSecurityGroupId too",
                )
                return  # the other interfaces have the same groups: one violation is enough


def _groups(interface: NetworkInterface, look_up: LookUp) -> list[TemplateResource]:
    """The security groups of the interface; empty where one of them is outside the templates."""
    named = items(at(interface.properties, "Groups"))
    found = [group for value in named if (group := look_up.referred(value)) is not None]
    return found if len(found) == len(named) else []

from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.self_rules import is_open_to_itself
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, security_groups_of


class SecurityGroupWithoutSelfRules(TemplateRule):
    """Each security group of HyperPod nodes allows all traffic to and from itself (`SecurityGroupIds`).

    EFA requires it of every group that is attached, in each direction, and an address range does not replace it. A rule
    inside a group cannot name that group, so that both are resources of their own. Security groups outside of the
    templates are not checked.

    Without this check CreateCluster succeeds, and the cluster ends in Failed: EFA health checks did not run
    successfully.
    """

    id = "E8913"
    operation = "sagemaker:CreateCluster"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-prerequisites.html; awslabs/agent-plugins"
        "@ef84ee3: plugins/sagemaker-ai/skills/hyperpod-cluster-debugger/references/cloudformation-errors.md"
    )
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        for path, group in security_groups_of(context.resource, context.look_up):
            if not is_open_to_itself(group, context.look_up):
                yield Violation(
                    path,
                    f"{group.logical_id} does not allow all traffic to and from itself",
                    'add an AWS::EC2::SecurityGroupIngress and an AWS::EC2::SecurityGroupEgress with IpProtocol: "-1", '
                    f"with {group.logical_id} as GroupId, and as SourceSecurityGroupId and DestinationSecurityGroupId "
                    "too, and list both in DependsOn of the cluster",
                )

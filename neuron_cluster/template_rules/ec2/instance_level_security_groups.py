from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_given, items


class InstanceLevelSecurityGroups(TemplateRule):
    """A launch template with network interfaces sets security groups only in the interfaces (`SecurityGroupIds`).

    RunInstances returns "Network interfaces and an instance-level security groups may not be specified on the same
    request"; CDK, cfn-lint and CreateLaunchTemplate accept it.
    """

    id = "E8101"
    operation = "ec2:RunInstances"
    error_code = "InvalidParameterCombination"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_RunInstances.html (SecurityGroupIds)"
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, context: TemplateContext) -> Violations:
        data = context.resource.properties.get("LaunchTemplateData")
        if not items(at(data, "NetworkInterfaces")):
            return
        for name in ("SecurityGroupIds", "SecurityGroups"):
            if is_given(at(data, name)):
                yield Violation(
                    f"LaunchTemplateData.{name}",
                    "is set together with NetworkInterfaces; EC2 accepts security groups at one level only",
                    f"list their ids in Groups of each network interface, and remove {name}",
                    "Network interfaces and an instance-level security groups may not be specified on the same request",
                )

"""Instance-level security groups together with network interfaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_given, items
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class InstanceLevelSecurityGroups(ResourceRule):
    """A launch template with network interfaces sets security groups only in the interfaces (`SecurityGroupIds`).

    RunInstances returns "Network interfaces and an instance-level security groups may not be specified on the same
    request"; CDK, cfn-lint and CreateLaunchTemplate accept it.
    """

    id = "E8101"
    operation = "ec2:RunInstances"
    error_code = "InvalidParameterCombination"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_RunInstances.html (SecurityGroupIds)"
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        data = resource.properties.get("LaunchTemplateData")
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
